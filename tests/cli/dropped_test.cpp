// No argument is ignored silently: a flag that this kind of work does not use is refused, and so is a command after the
// point where a verb ends.
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;

namespace {

void is_told(const std::string& words, const std::string& part) {
  test::TemporaryFolder home;
  const test::Said said = tilewalk_says(words, "XDG_STATE_HOME='" + home.path() + "' timeout 60");
  CAPTURE(words, said.out, said.err);
  CHECK(said.exit == 2);
  CHECK(said.out.empty());
  CHECK(said.err.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("verify --fast has its own problems, and refuses others") {
  for (const char* words : {"--fault forget-rescale-o", "--schedule backward", "--n 5", "--edit Q:0:0:0:0=1", "--cpu",
                            "--recorded", "--all"})
    is_told(std::string("verify --fast ") + words, "does not go with --fast");
  is_told("verify --recorded --all --edit Q:0:0:0:0=1", "does not go with --all");
}

TEST_CASE("a race's flags belong to its kind") {
  is_told("race --timeline --csv l.csv", "csv = l.csv: does not go with --timeline");
  is_told("race --timeline --threads 4", "does not go with --timeline");
  is_told("race --timeline --pass backward", "does not go with --timeline");
  is_told("race --timeline --recorded", "does not go with --timeline");
  is_told("race --recorded --threads 4", "does not go with --recorded");
  is_told("race --cpu --n 64 --d 16 --threads 1024", "Ask for");
}

TEST_CASE("predictions, lessons, questions and records refuse flags that they do not use") {
  is_told("predict --against-recorded --n 5", "does not go with --against-recorded");
  is_told("lesson 5 --list", "does not go with the list");
  is_told("lesson 5 --review", "does not go with --review");
  is_told("lesson --list --check", "does not go with --check");
  is_told("lesson 5 --screen 99", "screen = 99");
  is_told("lesson 5 --screen 0", "screen = 0");
  is_told("questions 3 --check", "does not go with --check");
  is_told("replay --walk --preset plain --n 6 --edit dO:0:0:0:0=1", "is of a backward pass");
}

TEST_CASE("a session's length and its file's length must agree") {
  test::TemporaryFolder folder;
  REQUIRE(tilewalk_says("run --n 8 --d 4 --out '" + folder.file("q.npy") + "'").exit == 0);
  test::write_text(folder.file("s.toml"), "[problem]\nn-q = 99\nd = 4\n[inputs]\nq = \"q.npy\"\n");
  is_told("replay --session '" + folder.file("s.toml") + "'", "differs from the session: n-q 99");
}

TEST_CASE("window-only commands are refused in --then, with the verb that does the same") {
  test::TemporaryFolder folder;
  const std::string csv = folder.file("exp.csv");
  for (const char* verb : {"replay", "render --out '"}) {
    const std::string words = std::string(verb) + (verb[2] == 'n' ? folder.file("x.png") + "'" : "");
    is_told(words + " --then 'export-file counters " + csv + "'", "tilewalk counters --csv");
    is_told(words + " --then 'race-cpu'", "tilewalk race --cpu");
    is_told(words + " --then 'measure'", "tilewalk predict --measure");
  }
  for (const char* kind : {"picture x.png", "film x.gif", "lanes x.json", "worksheet x.pdf"})
    is_told("replay --then 'export-file " + std::string(kind) + "'", "is done by the window alone");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("more edits than a session stores are refused before they are saved") {
  test::TemporaryFolder folder;
  std::string words = "replay --n 200 --d 64";
  for (int i = 0; i <= 4096; ++i)
    words += " --edit K:0:0:" + std::to_string(i % 200) + ":" + std::to_string(i / 200) + "=1";
  is_told(words + " --then 'save-file " + folder.file("e.toml") + "'", "4,096");
  CHECK(std::filesystem::is_empty(folder.path()));
}
