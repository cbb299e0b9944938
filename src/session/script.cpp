#include "session/script.h"

#include "session/command/command_text.h"

namespace tilewalk {
namespace {

std::string joined_lines(const std::string& text) {
  std::string out;
  for (const char c : text) c == '\n' ? out += "; " : out += c;
  return out;
}

}  // namespace

Result<Done> carry_out(Session& session, const std::vector<Command>& commands) {
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::uint64_t said = session.message() ? session.message()->serial : 0;
    session.dispatch(commands[i]);
    while (session.busy()) session.dispatch(Work{session.walk().visits_at_once()});
    const std::string place = "command " + std::to_string(i + 1);
    const bool typed = commands[i].is<EditField>() || commands[i].is<ApplyEdit>();
    if (const auto& message = session.message(); message && message->error && message->serial != said)
      return Issue{place, text_of(commands[i]), joined_lines(message->text), ""};
    if (typed && !session.editing().draft_issues().empty())
      return Issue{place, text_of(commands[i]), in_one_line(session.editing().draft_issues()), ""};
    if (const EditCall* const call = commands[i].as<EditCall>())
      for (const Issue& issue : session.which().issues())
        if (issue.field == call->field) return Issue{place, text_of(commands[i]), in_one_line(Issues{issue}), ""};
  }
  return Done{};
}

}  // namespace tilewalk
