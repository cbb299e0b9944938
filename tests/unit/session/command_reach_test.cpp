// Commands for lessons, questions and links, listed here by name again: a command on neither list fails.
#include <set>

#include "session/command/command_table.h"
#include "session/command/command_text.h"
#include "session/lesson/lesson_file.h"
#include "session/questions/question_file.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const std::set<std::string> kPersonAlone = {"save-file x.toml",
                                            "save-file x.toml replace yes",
                                            "export-file counters x.csv",
                                            "open-file x.toml",
                                            "show-folder /",
                                            "open-dialog open",
                                            "open-dialog save",
                                            "open-dialog export",
                                            "open",
                                            "save",
                                            "export",
                                            "export-stop",
                                            "copy-command-line",
                                            "lab-reset",
                                            "lab-text x",
                                            "lab-watch x.cu",
                                            "check-live",
                                            "race-cpu",
                                            "race-gpu",
                                            "race-stop",
                                            "measure",
                                            "measure-stop",
                                            "profile-stop",
                                            "quit",
                                            "theme",
                                            "motion",
                                            "text-bigger",
                                            "text-smaller",
                                            "text-normal",
                                            "set-text-scale 2",
                                            "full-screen",
                                            "faster",
                                            "slower",
                                            "next-unit",
                                            "set-speed 2",
                                            "set-unit tile",
                                            "next-screen",
                                            "previous-screen",
                                            "check-answer",
                                            "hint",
                                            "show-answer",
                                            "lesson-again",
                                            "leave-lesson",
                                            "watch",
                                            "first-minute",
                                            "first-start",
                                            "close-first-minute",
                                            "draft 3",
                                            "answer 3"};

std::string lesson_with(const std::string& scene, const std::string& show) {
  return "# T\n\n```lesson\nnumber = 5\nphase = \"P\"\nclaim = \"C\"\nminutes = 8\n```\n\n## S\n\ntext\n\n"
         "```scene\nthen = '" +
         scene + "'\n```\n\n```do\nask = \"Do it.\"\ngoal = \"finished\"\nshow = '" + show + "'\n```\n";
}

}  // namespace

TEST_CASE("commands with effects beyond memory are for the user alone, under any name") {
  for (const std::string& text : kPersonAlone) {
    INFO(text);
    const Result<Command> command = command_from(text);
    REQUIRE(command.ok());
    CHECK(reach_of(*command) == Reach::Person);
    for (const Reach most : {Reach::Scene, Reach::Link}) {
      const auto refused = commands_from("first; " + text, most);
      REQUIRE_FALSE(refused.ok());
      CHECK(refused.issues().front().field == "command 2, column 8");
      CHECK(refused.issues().front().value == text.substr(0, text.find(' ')));
    }
    CHECK(commands_from(text).ok());
  }
}

TEST_CASE("all other commands without arguments are for lessons") {
  for (const CommandRow& row : command_table()) {
    INFO(row.name);
    CHECK((reach_of(row.action) == Reach::Scene) == !kPersonAlone.contains(row.name));
  }
  CHECK(reach_of(Tick{}) == Reach::Person);
  CHECK(reach_of(ReportExport{}) == Reach::Person);
  CHECK(reach_of(OpenLesson{}) == Reach::Link);
  CHECK_FALSE(commands_from("open-lesson 3", Reach::Scene).ok());
  CHECK(commands_from("open-lesson 3", Reach::Link).ok());
}

TEST_CASE("a lesson with a command that writes a file is refused when it is read, with its line") {
  CHECK(parse_lesson(lesson_with("first", "last"), "05-x.md").ok());
  const auto scene = parse_lesson(lesson_with("first; save-file Cargo.toml replace yes", "last"), "05-x.md");
  REQUIRE_FALSE(scene.ok());
  CHECK(text_of(scene.issues()) ==
        "05-x.md, line 15, command 2, column 8 = save-file: may only be given by a person: a file or a link may look, "
        "walk, "
        "and change the problem in memory. Such as go-to-tile, select, show, set-field, set-schedule or load-preset");
  const auto show = parse_lesson(lesson_with("first", "export-file counters x.csv"), "05-x.md");
  REQUIRE_FALSE(show.ok());
  CHECK(text_of(show.issues()).starts_with("05-x.md, line 21, command 1, column 1 = export-file"));
}

TEST_CASE("a question with a command that writes a file is refused when it is read, with its line") {
  const std::string text =
      "# Q\n\n## Is it?\n\n```question\nclaim = \"C\"\nverdict = \"wrong\"\nsays = \"S.\"\nnumber = \"N {n}.\"\n"
      "show = \"load-preset picture; save-file x.toml replace yes\"\nshows = \"W\"\n```\n\nNo.\n";
  const auto read = parse_questions(text, "q.md");
  REQUIRE_FALSE(read.ok());
  CHECK(text_of(read.issues())
            .starts_with("q.md, line 5, show, command 2, column 22 = save-file: may only be given by a person"));
}
