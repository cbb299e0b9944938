// Makes the handlers of commands from their rows. Handles presenting, steps and playing: while a page is presented, the
// keys of a step move what that page shows.
#include "session/command/command_table.h"
#include "session/command/visit_command.h"
#include "session/document/words.h"
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

// An open question is answered before the lesson goes on.
bool Session::turn_presented_lesson(int direction) {
  if (!lesson_.lesson()) return false;
  if (direction < 0)
    lesson_.previous_screen();
  else if (!lesson_.done())
    lesson_.show_answer();
  else
    lesson_.next_screen();
  return true;
}

// Tiles and Q tiles still move the walk, so that a class can look at its other steps.
bool Session::turns_lesson_on_walk(StepUnit unit) const {
  if (unit != StepUnit::Phase || page() != Page::Walk || !lesson_.lesson()) return false;
  const std::optional<LessonTask>& task = lesson_.screen().task;
  return lesson_.done() || !task || task->kind != TaskKind::Do;
}

bool Session::step_presented(StepUnit unit, int direction) {
  if (led_ || !view_.presenting()) return false;
  if ((presents_page() || turns_lesson_on_walk(unit)) && turn_presented_lesson(direction)) return true;
  if (!presents_page()) return false;
  switch (page()) {
#define PAGE(enumerator, word, not_presented, steps) \
  case Page::enumerator:                             \
    return steps.step_presented(unit, direction);
#include "session/document/pages.inc"
#undef PAGE
  }
  return false;
}

void Session::step(StepUnit unit, int direction) {
  if (step_presented(unit, direction)) return;
  if (moves_call()) return compare_.call().step(unit, direction);
  page() == Page::Lab ? lab_.step(unit, direction) : walk_.step(unit, direction);
}

void Session::play_or_pause() {
  if (presents_page() && page() == Page::Race) return race_.run_again();
  if (presents_page() && page() != Page::Compare) return void(step_presented(StepUnit::Phase, 1));
  if (shows_warps_visit()) return compare_.play_visit();
  if (moves_call()) return compare_.call().play_or_pause();
  page() == Page::Lab ? lab_.play_or_pause() : walk_.play_or_pause();
}

void Session::play_presenting() {
  const bool plays = shows_warps_visit() ? compare_.visit().moves()
                     : moves_call()      ? compare_.call_walk().plays()
                                         : walk_.playback().playing;
  if (view_.presenting() && !plays) play_or_pause();
}

void Session::present(bool on) {
  if (on && not_presented()) return messages_.refuse(not_presented(), About::Cursor);
  animation_presented_ = on && shows_animation();
  if (on) compare_.begin_presenting(), race_.begin_presenting(), which_.begin_presenting(), tree_.begin_presenting();
  view_.present(on);
}

void Session::show_win() {
  if (page() != Page::Race) show_page(Page::Race);
  if (!view_.presenting()) present(true);
  race_.show_win();
}

const char* Session::not_presented() const { return kNotPresented[std::size_t(page())]; }

bool Session::presents_page() const {
  if (!view_.presenting()) return false;
  return page() != Page::Walk || shows_animation() || lesson_.has_picture();
}

bool Session::presents_own_question() const { return presents_page() && !lesson_.lesson(); }

Action Session::way_out() const {
  if (animation_presented_) return Action::Present;
  return shows_endless_zoom() ? Action::EndlessZoom : shows_one_row() ? Action::OneRow : Action::Present;
}

bool Session::hides_answer() const {
  return view_.presenting() && !presents_page() && view_.asks_first() && view_.answered_at() != cursor() && !busy() &&
         !walk_.playback().playing && !hand_.hides() && has_question_ && has_question_(schedule(), state());
}

}  // namespace tilewalk
