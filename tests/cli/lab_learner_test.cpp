// The lab in the terminal as a learner meets it: hints, the language, the first line that names the task, the verdict.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

std::string lab_file(const std::string& name) { return TILEWALK_SOURCE_DIR "/assets/lab/" + name; }
std::string quoted(const std::string& file) { return "'" + file + "'"; }

// The kernel with one text replaced.
std::string changed(const std::string& file, const std::string& from, const std::string& to) {
  std::string text = test::read_text(file);
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("lab hint prints the hints of a task, one by one") {
  const test::Said first = tilewalk_says("lab hint 5");
  CHECK(first.exit == 0);
  CHECK(first.out.find("Hint 1 of 3 for task 5: In each visit,") == 0);
  CHECK(first.out.find("The next one: tilewalk lab hint 5 2\n") != std::string::npos);
  const test::Said last = tilewalk_says("lab hint 5 3");
  CHECK(last.out.find("Hint 3 of 3") == 0);
  CHECK(last.out.find("The next one") == std::string::npos);
  CHECK(tilewalk_says("lab hint 5 4").exit == 2);
  CHECK(tilewalk_says("lab hint 77").exit == 2);
  CHECK(tilewalk_says("lab hint").exit == 2);
  const Json json = Json::parse(tilewalk_says("lab hint 5 2 --json").out);
  CHECK(json["hint"] == 2);
  CHECK(json["hints"] == 3);
  CHECK(json["text"].get<std::string>().find("sAlpha[r]") == 0);
}

TEST_CASE("lab language says what a kernel may use, without marks of Markdown") {
  const test::Said said = tilewalk_says("lab language");
  CHECK(said.exit == 0);
  for (const char* word : {"__shared__", "fmaf", "SCALE_LOG2", "visit_done(q_tile, kv_tile, m, l, o)", "// task: 5"})
    CHECK(said.out.find(word) != std::string::npos);
  CHECK(said.out.find('`') == std::string::npos);
  CHECK(said.out.find("](") == std::string::npos);
  CHECK(said.out.find("##") == std::string::npos);
  CHECK(Json::parse(tilewalk_says("lab language --json").out)["language"] == said.out);
}

TEST_CASE("the list and lab new say a task's sizes") {
  CHECK(tilewalk_says("lab").out.find("N_Q 16, N_KV 16, D 4, BR 4, BC 4, THREADS 16, causal\n") != std::string::npos);
  const Json list = Json::parse(tilewalk_says("lab --json").out)["tasks"];
  CHECK(list[4]["problem"]["n_q"] == 16);
  CHECK(list[4]["threads"] == 16);
  CHECK(list[4]["hints"] == 3);
  const test::TemporaryFolder folder;
  const test::Said said = tilewalk_says("lab new 5 " + quoted(folder.file("my.cu")));
  CHECK(said.out.find("BR = 4, BC = 4, THREADS = 16") != std::string::npos);
  CHECK(said.out.find("tilewalk lab hint 5") != std::string::npos);
}

TEST_CASE("a first line names the task for check, walk and diff; --task comes before it") {
  const test::TemporaryFolder folder;
  const std::string one = folder.file("one.cu"), five = folder.file("five.cu"), bad = folder.file("bad.cu");
  test::write_text(one, "// task: 1\n" + test::read_text(lab_file("01-scores/solution.cu")));
  test::write_text(five, "// task: 5\n" + test::read_text(lab_file("05-fa2-loop/solution.cu")));
  test::write_text(bad, "// task: five\n" + test::read_text(lab_file("05-fa2-loop/solution.cu")));
  CHECK(Json::parse(tilewalk_says("lab check " + quoted(one) + " --json").out)["task"] == 1);
  CHECK(tilewalk_says("lab check " + quoted(five)).exit == 0);
  CHECK(Json::parse(tilewalk_says("lab check " + quoted(five) + " --task 12 --json").out)["task"] == 12);
  CHECK(tilewalk_says("lab check " + quoted(bad)).exit == 2);
  CHECK(tilewalk_says("lab diff " + quoted(five) + " " + quoted(five)).exit == 0);
  CHECK(Json::parse(tilewalk_says("lab walk " + quoted(five) + " --json").out)["visits"].size() == 16);
}

TEST_CASE("a tensor of a task is told which task has it, where none was named") {
  const test::Said said = tilewalk_says("lab check " + quoted(lab_file("01-scores/solution.cu")) + " --json");
  CHECK(said.exit == 2);
  const Json errors = Json::parse(said.out)["errors"];
  REQUIRE(errors.size() == 1);
  CHECK(errors[0]["instead"].get<std::string>().find("Task 1 has S: add --task 1, or write // task: 1") !=
        std::string::npos);
  CHECK(tilewalk_says("lab walk " + quoted(lab_file("02-missing-barrier/solution.cu"))).err.find("Task 2 has P") !=
        std::string::npos);
}

TEST_CASE("the verdict stands last, each sentence once, and only tensors of the task are counted") {
  const test::Said right = tilewalk_says("lab check " + quoted(lab_file("05-fa2-loop/solution.cu")) + " --task 5");
  CHECK(right.out.ends_with("And right for 3 other problems.\n"));
  CHECK(right.out.find("Its bits are those of this program's walk of FA-2, at each visit.\n") != std::string::npos);
  CHECK(right.out.find("(FA-2: 256, 0)") != std::string::npos);
  CHECK(right.out.find("instructions of the lab's machine") != std::string::npos);

  const test::Said scores = tilewalk_says("lab check " + quoted(lab_file("01-scores/solution.cu")) + " --task 1");
  CHECK(scores.out.find("  S  ") != std::string::npos);
  for (const char* other : {"  V  ", "  O  ", "  L  "}) CHECK(scores.out.find(other) == std::string::npos);
  CHECK(scores.out.find("; 1 barrier\n") != std::string::npos);

  const test::TemporaryFolder folder;
  const std::string file = folder.file("my.cu");
  test::write_text(file, changed(lab_file("05-fa2-loop/solution.cu"), "    visit_done(i, j, sM, sL, sO);\n", ""));
  const test::Said none = tilewalk_says("lab check " + quoted(file) + " --task 5");
  const std::string sentence = "No visit was marked";
  CHECK(none.exit == 1);
  CHECK(none.out.find(sentence) != std::string::npos);
  CHECK(none.out.find(sentence) == none.out.rfind(sentence));
  const test::Said died = tilewalk_says("lab check " + quoted(lab_file("grading/class/s10.cu")) + " --task 5");
  CHECK(died.out.find("K[56] is out of bounds") != std::string::npos);
  CHECK(died.out.find("were not written") == std::string::npos);
  CHECK(died.out.find("No visit absorbed") == std::string::npos);
}

TEST_CASE("other bits of a right kernel are said to be allowed, those of a wrong one are not spoken of") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("my.cu");
  test::write_text(file, changed(lab_file("05-fa2-loop/solution.cu"), "o = fmaf(sS[r][c], sV[c][x], o);",
                                 "o += sS[r][c] * sV[c][x];"));
  const test::Said other = tilewalk_says("lab check " + quoted(file) + " --task 5");
  CHECK(other.exit == 0);
  CHECK(other.out.find("Its last bits are not those of this program's walk of FA-2, first at Q0 x K0") !=
        std::string::npos);
  CHECK(other.out.find("That is allowed. fmaf(a, b, c) in place of a * b + c gives its bits.\n") != std::string::npos);
  const test::Said wrong = tilewalk_says("lab check " + quoted(lab_file("05-fa2-loop/start.cu")) + " --task 5");
  CHECK(wrong.out.find("bits") == std::string::npos);
}

TEST_CASE("where another problem of the task fails, the counts name its sizes") {
  const test::Said said = tilewalk_says("lab check " + quoted(lab_file("grading/class/s09.cu")) + " --task 5");
  CHECK(said.exit == 1);
  CHECK(said.out.find("Counted with N_Q 13, N_KV 11, D 5, BR 4, BC 4, THREADS 16:\n") != std::string::npos);
}

TEST_CASE("lab walk says what it leaves out, and why a visit is not there") {
  const std::string five = quoted(lab_file("05-fa2-loop/solution.cu")) + " --task 5";
  CHECK(tilewalk_says("lab walk " + five)
            .out.ends_with("Of o only column 0 is shown. All columns of a visit: --visit "
                           "0,0\n"));
  CHECK(tilewalk_says("lab walk " + five + " --visit 1,1").out.find("Of o only") == std::string::npos);
  CHECK(tilewalk_says("lab walk " + five + " --visit 9,9").out ==
        "The run has no visit 9,9: it visits Q tiles up to 3 and KV tiles up to 3.\n");
  CHECK(tilewalk_says("lab walk " + five + " --instruction 9999999")
            .out.find("The run has ended after 46192 instructions.") == 0);
  CHECK(tilewalk_says("lab walk " + quoted(lab_file("01-scores/solution.cu")) + " --task 1").out ==
        "This task is judged by its results, not visit by visit: its kernel marks none.\n");
  const test::Said died =
      tilewalk_says("lab walk " + quoted(lab_file("grading/class/s10.cu")) + " --task 5 --n-kv 3 --bc 4 --d 4 --n-q 4");
  INFO(died.out);
  CHECK(died.out.find("write visit_done") == std::string::npos);
  CHECK(died.out.find("The run ended before its first visit.") != std::string::npos);
}

TEST_CASE("lab walk --instruction shows shared arrays, with points where nothing was written") {
  const std::string five = quoted(lab_file("05-fa2-loop/solution.cu")) + " --task 5";
  const test::Said early = tilewalk_says("lab walk " + five + " --instruction 1");
  CHECK(early.out.find("  sQ[4][4], shared\n               .            .") != std::string::npos);
  const test::Said late = tilewalk_says("lab walk " + five + " --instruction 20000");
  CHECK(late.out.find("  sM[4], shared\n") != std::string::npos);
  const Json shared = Json::parse(tilewalk_says("lab walk " + five + " --instruction 20000 --json").out)["shared"];
  CHECK(shared["sQ"]["dims"] == Json({4, 4}));
  CHECK(shared["sQ"]["values"].size() == 16);
  CHECK(shared["sM"]["values"][0].is_number());
  const test::Said wide = tilewalk_says("lab walk " + five + " --n 64 --d 32 --br 16 --bc 16 --instruction 1000");
  CHECK(wide.out.find("  sQ[16][32], shared, its first elements\n") != std::string::npos);
  CHECK(wide.out.size() < 20'000);
}
