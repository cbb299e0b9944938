// The handlers of commands, made from their rows.
#include "session/command/command_table.h"
#include "session/command/visit_command.h"
#include "session/session.h"

namespace tilewalk {

struct Session::Handlers {
  static void carry_out(Session& s, Action action) {
    switch (action) {
#define ACTION(enumerator, name, title, first_key, second_key, group, reach, help, handler) \
  case Action::enumerator:                                                                  \
    return void(handler);
#include "session/command/actions.inc"
#undef ACTION
    }
  }
#define COMMAND(type, name, reach, help, handler, ...) \
  static void carry_out(Session& s, const type& c [[maybe_unused]]) { handler; }
#define REPORT(type, handler) \
  static void carry_out(Session& s, const type& c) { handler; }
#include "session/command/commands.inc"
#undef REPORT
#undef COMMAND
};

void Session::carry_out(const Command& command) {
  // Tick and Work increase the revision only where they change something.
  if (!command.is<Tick>() && !command.is<Work>()) ++revision_;
  if (const Action* const action = command.as<Action>()) {
    if (*action == Action::StepForward && hides_answer()) return view_.answer(cursor());
    if (*action != Action::BlankScreen) view_.show_again();
    if (shows_endless_zoom() && endless_zoom_.carry_out(*action)) return;
    if (shows_one_row() && one_row_.carry_out(*action)) return;
  }
  visit_command(command, [this](const auto& c) { Handlers::carry_out(*this, c); });
}

}  // namespace tilewalk
