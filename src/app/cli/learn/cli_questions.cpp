// tilewalk questions: common questions and claims of articles, with verdicts and the figures behind them.
#include <fmt/format.h>

#include "app/cli/lessons.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "base/parse.h"
#include "base/words.h"
#include "session/command/command_text.h"
#include "view/check/questions_check.h"
#include "view/learn/questions_model.h"

namespace tilewalk {
namespace {

std::string commands_text(const std::vector<Command>& commands) {
  std::string out;
  for (const Command& command : commands) add_to_list(out, text_of(command), "; ");
  return out;
}

Json json_of(const QuestionEntry& entry) {
  std::string answer;
  for (const LessonLine& line : entry.answer) add_to_list(answer, plain_text(line), "\n");
  return {{"question", entry.ask},
          {"claim", entry.claim},
          {"verdict", name_of(entry.verdict)},
          {"says", plain_text(entry.says)},
          {"answer", answer},
          {"number", plain_text(entry.settles)},
          {"shows", entry.shows},
          {"view", commands_text(entry.show)}};
}

void print_whole(const QuestionEntry& entry) {
  say("== {} · {}\n", entry.number, entry.ask);
  say("{}", wrapped("“" + entry.claim + "”", "   They say: "));
  say("{}\n", wrapped(plain_text(entry.says), fmt::format("   {}: ", name_of(entry.verdict))));
  for (const LessonLine& line : entry.answer) say("{}", wrapped(plain_text(line), line.item ? "   - " : "   "));
  say("\n{}", wrapped(plain_text(entry.settles), "   The number: "));
  say("{}", wrapped(entry.shows, "   To see it: "));
  say("   Q in the window, or: tilewalk render --out see.png --then '{}'\n\n", commands_text(entry.show));
}

int check(const NewSession& new_session, bool json) {
  const std::vector<std::string> faults = faults_of_questions(new_session);
  if (json) print_json({{"faults", faults}});
  if (json) return faults.empty() ? kExitOk : kExitDivergence;
  for (const std::string& fault : faults) say("{}\n", fault);
  if (faults.empty()) say("Every figure has a value, and every view opens.\n");
  return faults.empty() ? kExitOk : kExitDivergence;
}

}  // namespace

int questions_verb(const CommandLine& line) {
  Result<std::vector<Lesson>> lessons = open_lessons({});
  if (!lessons) return refuse(lessons.issues());
  const Result<NewSession> new_session = sessions_with(std::move(*lessons));
  if (!new_session) return refuse(new_session.issues());
  if (line.has("check")) {
    const Issues issues = not_beside("--check, which tries all of them", line, {"check"});
    return issues.empty() ? check(*new_session, line.has("json")) : refuse(issues);
  }
  const std::unique_ptr<Session> session = (*new_session)();
  session->dispatch(Action::ShowQuestions);
  if (session->message() && session->message()->error) return refuse({{"questions", "", session->message()->text, ""}});
  const std::vector<QuestionEntry> all = build_questions(session->questions());
  const std::string asked = line.option("question").value_or("");
  const std::optional<std::int64_t> number = parse_integer(asked);
  std::vector<QuestionEntry> found;
  for (const QuestionEntry& entry : all)
    if (asked.empty() || (number ? *number == entry.number : speaks_of(entry, asked))) found.push_back(entry);
  if (found.empty())
    return refuse({{"question", asked, "is in no question here",
                    fmt::format("Try a number from 1 to {}, or another word", all.size())}});
  if (line.has("json")) {
    Json rows = Json::array();
    for (const QuestionEntry& entry : found) rows.push_back(json_of(entry));
    print_json({{"questions", std::move(rows)}});
    return kExitOk;
  }
  if (!asked.empty()) {
    for (const QuestionEntry& entry : found) print_whole(entry);
    return kExitOk;
  }
  for (const QuestionEntry& entry : found)
    say("{:>3}  {}\n     They say: “{}”\n     {}: {}\n", entry.number, entry.ask, entry.claim, name_of(entry.verdict),
        plain_text(entry.says));
  say("\nOne of them in full: tilewalk questions 1\n");
  return kExitOk;
}

}  // namespace tilewalk
