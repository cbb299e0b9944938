// Lessons in the terminal: each from its first screen to its last, as approved text.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

// Runs the verb with these lines as input, and with a home folder of its own.
test::Said typed(const std::string& words, const std::string& lines) {
  const test::TemporaryFolder home;
  test::write_text(home.file("typed"), lines);
  return tilewalk_says(words + " <'" + home.file("typed") + "'", "XDG_STATE_HOME='" + home.file("state") + "'");
}

std::string shown_all_through() {
  std::string out;
  for (int i = 0; i < 60; ++i) out += "show\n\n";
  return out;
}

}  // namespace

TEST_CASE("each lesson in the terminal is the approved text") {
  const test::Said list = tilewalk_says("lesson --list --json", "XDG_STATE_HOME=/nowhere");
  REQUIRE(list.exit == 0);
  const Json lessons = Json::parse(list.out)["lessons"];
  CHECK(lessons.size() >= 8);
  for (const Json& lesson : lessons) {
    const std::string number = std::to_string(lesson["number"].get<int>());
    const test::Said said = typed("lesson " + number, shown_all_through());
    CHECK(said.exit == 0);
    CHECK(said.err.empty());
    CHECK(said.out.find("That was the last screen") != std::string::npos);
    const std::string path = TILEWALK_SOURCE_DIR "/tests/golden/baselines/lesson-" + number + ".txt";
    if (std::getenv("TILEWALK_ACCEPT_GOLDEN")) test::write_text(path, said.out);
    INFO("baseline " << path << "; tests/golden/accept writes a new one");
    REQUIRE(std::filesystem::exists(path));
    CHECK(test::read_text(path) == said.out);
  }
}

TEST_CASE("a lesson in the terminal asks, explains the mistake behind an answer, and saves progress") {
  const test::TemporaryFolder home;
  const std::string before = "XDG_STATE_HOME='" + home.file("state") + "'";
  test::write_text(home.file("typed"), "1024\nhint\n4 KiB\n\nquit\n");
  const test::Said said = tilewalk_says("lesson 5 --screen 1 <'" + home.file("typed") + "'", before);
  REQUIRE(said.exit == 0);
  CHECK(said.out.find("no That is how many scores") != std::string::npos);
  CHECK(said.out.find("hint: 32 × 32 scores.") != std::string::npos);
  CHECK(said.out.find("What a visit needs") != std::string::npos);
  const Json list = Json::parse(tilewalk_says("lesson --list --json", before).out);
  for (const Json& lesson : list["lessons"]) CHECK(lesson["done"] == (lesson["number"] == 5 ? 1 : 0));
}

TEST_CASE("a screen worked by hand that was shown can be worked through, and closes after its last field") {
  const test::Said said = typed("lesson 7 --screen 4", "show\nback\nnext\n3.63\n0.91\n-0.71\n1.49\n-0.52\nquit\n");
  REQUIRE(said.exit == 0);
  const std::size_t first = said.out.find("ok O[9][0] = 0.91"), last = said.out.find("ok O[9][3]");
  REQUIRE(first != std::string::npos);
  REQUIRE(last != std::string::npos);
  CHECK(said.out.substr(first, last - first).find("makes the old sum smaller") == std::string::npos);
  CHECK(said.out.find("makes the old sum smaller", last) != std::string::npos);
}

TEST_CASE("every lesson passes its check, and a broken one is reported with its line") {
  const test::Said said = tilewalk_says("lesson --check --json");
  REQUIRE(said.exit == 0);
  const Json lessons = Json::parse(said.out)["lessons"];
  CHECK(lessons.size() >= 8);
  for (const Json& lesson : lessons) {
    CHECK(lesson["failed"] == 0);
    if (lesson["id"] == "00-start") continue;  // it explains the window, and asks nothing
    CHECK(lesson["actions"].get<int>() >= 3);
    CHECK(lesson["passed"] == lesson["actions"]);
    CHECK(lesson["diagnoses"].get<int>() >= 3);
  }
  const test::TemporaryFolder folder;
  test::write_text(folder.file("01-mine.md"),
                   "# Mine\n```lesson\nnumber = 1\nphase = \"P\"\nclaim = \"C\"\n```\n## One\nThere are "
                   "{tiles.vistied}.\n");
  const test::Said bad = tilewalk_says("lesson --check --lessons '" + folder.file("") + "'");
  CHECK(bad.exit == 2);
  CHECK(bad.err.find("line 8") != std::string::npos);
  CHECK(bad.err.find("The nearest is visited") != std::string::npos);
  CHECK(tilewalk_says("--lessons /nowhere").err.find("/nowhere") != std::string::npos);  // the window shows the same
  CHECK(tilewalk_says("--lessons /nowhere").exit == 2);
  CHECK(tilewalk_says("lesson 99").exit == 2);
  CHECK(tilewalk_says("lesson --list --lessons /nowhere").exit == 2);
}

TEST_CASE("a lesson is a foreign file: its text cannot control a terminal or write files") {
  const test::TemporaryFolder folder;
  const auto lessons = [&](const std::string& claim, const std::string& text, const std::string& scene) {
    test::write_text(folder.file("l/x.md"), "# T\n\n```lesson\nnumber = 5\nphase = \"P\"\nclaim = \"" + claim +
                                                "\"\nminutes = 8\n```\n\n## S\n\n" + text + "\n\n```scene\nthen = \"" +
                                                scene + "\"\n```\n");
    const std::string state = "XDG_STATE_HOME='" + folder.file("state") + "'",
                      from = " --lessons '" + folder.file("l'");
    std::string all;
    for (const char* verb : {"lesson 5", "lesson --list", "lesson --check", "lesson --list --json"}) {
      const test::Said said = tilewalk_says(verb + from, state);
      CHECK(said.exit == 2);
      all += said.out + said.err;
    }
    for (const char c : all) REQUIRE(((unsigned char)c >= 0x20 || c == '\n'));
    return all;
  };
  std::filesystem::create_directory(folder.file("l"));
  CHECK(lessons("C\\n\\u001b[2J", "text", "first").find("line 6") != std::string::npos);
  CHECK(lessons("C", "text \x1b[31m", "first").find("line 12") != std::string::npos);
  CHECK(lessons("C", "text \xff", "first").find("not UTF-8") != std::string::npos);
  test::write_text(folder.file("Cargo.toml"), "[package]\n");
  CHECK(lessons("C", "text", "save-file " + folder.file("Cargo.toml") + " replace yes").find("line 15") !=
        std::string::npos);
  CHECK(test::read_text(folder.file("Cargo.toml")) == "[package]\n");
}

TEST_CASE("progress in a lesson is merged with another program's, or a message says that it is not") {
  const test::TemporaryFolder folder;
  const std::string before = "XDG_STATE_HOME='" + folder.file("state") + "'",
                    path = folder.file("state/tilewalk/progress.toml");
  test::write_text(folder.file("typed"), "show\nquit\n");
  const std::string typed = " <'" + folder.file("typed") + "'";
  const std::string two = "{ printf 'show\\n'; for i in $(seq 300); do test -e '" + path +
                          "' && break; sleep 0.1; done; " + before + " '" TILEWALK_BINARY "' lesson 7" + typed +
                          " >/dev/null; printf 'next\\nshow\\nquit\\n'; } | " + before +
                          " '" TILEWALK_BINARY "' lesson 6 >/dev/null";
  REQUIRE(::system(two.c_str()) == 0);
  const std::string kept = test::read_text(path);
  CAPTURE(kept);
  CHECK(kept.find("06-") != std::string::npos);
  CHECK(kept.find("07-") != std::string::npos);
  test::write_text(path, "oops = 1\n");
  const test::Said aside = tilewalk_says("lesson 6" + typed, before);
  CHECK(aside.exit == 0);
  CHECK(aside.err.find("progress.unread.toml") != std::string::npos);
  CHECK(test::read_text(folder.file("state/tilewalk/progress.unread.toml")) == "oops = 1\n");
  test::write_text(folder.file("file"), "");
  for (const std::string& lost :
       {"XDG_STATE_HOME='" + folder.file("file") + "'", std::string("env -u HOME -u XDG_STATE_HOME")}) {
    const test::Said said = tilewalk_says("lesson 6" + typed, lost);
    CAPTURE(lost, said.err);
    CHECK(said.exit == 2);
    CHECK(said.err.find("your progress is not saved") != std::string::npos);
  }
}

TEST_CASE("an endless typed line uses bounded memory") {
  const test::TemporaryFolder home;
  const test::Said said = tilewalk_says("lesson 5 </dev/zero", "XDG_STATE_HOME='" + home.path() + "' timeout 60");
  CHECK(said.exit == 0);
}

TEST_CASE("an answer without a finite value does not pass") {
  const test::TemporaryFolder folder;
  for (const std::string answer : {"1/0", "2^1e308", "0/0"}) {
    test::write_text(folder.file("01-mine.md"),
                     "# Mine\n```lesson\nnumber = 1\nphase = \"P\"\nclaim = \"C\"\n```\n## One\nAll of it.\n"
                     "```number\nask = \"How many?\"\nanswer = \"" +
                         answer + "\"\nhints = [\"Sum.\"]\n```\n");
    const test::Said said = tilewalk_says("lesson --check --lessons '" + folder.path() + "'");
    CAPTURE(answer, said.out, said.err);
    CHECK(said.exit != 0);
    CHECK(said.out.find("1 passed") == std::string::npos);
  }
}

// The traffic panel says 1.81 KiB.
TEST_CASE("a teacher's own lesson that asks for a visible number is reported with file, line and page") {
  const test::TemporaryFolder folder;
  const auto checked = [&](const std::string& hide, const std::string& answer) {
    test::write_text(folder.file("01-mine.md"),
                     "# Mine\n```lesson\nnumber = 1\nphase = \"P\"\nclaim = \"C\"\n```\n## One\nAll of it.\n"
                     "```scene\nthen = \"load-preset picture\"\n" +
                         hide +
                         "```\n"
                         "```number\nask = \"How many bytes does FA-2 move?\"\nanswer = \"" +
                         answer +
                         "\"\nunit = \"bytes\"\nhints = [\"Sum.\"]\n[[wrong]]\nvalue = \"2\"\nsays = \"No.\"\n```\n");
    return tilewalk_says("lesson --check --lessons '" + folder.path() + "'");
  };
  const test::Said told = checked("", "1856");
  INFO(told.out + told.err);
  CHECK(told.exit == 1);
  CHECK(told.out.find("01-mine.md, line 12: the answer of screen 1, 1856, is visible on the walk page, at traffic: "
                      "\"1.81 KiB") != std::string::npos);
  CHECK(checked("hides = [\"traffic\"]\n", "1856").out.find("is visible on") == std::string::npos);
  CHECK(checked("", "1900").out.find("is visible on") == std::string::npos);
}
