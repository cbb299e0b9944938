// The lab in the terminal: exit codes that a course can grade with, JSON, walks and comparisons.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

const std::string kTask = "'" TILEWALK_SOURCE_DIR "/assets/lab/05-fa2-loop/";

}  // namespace

TEST_CASE("lab lists its tasks, and writes the start of one to a new file alone") {
  const test::Said list = tilewalk_says("lab");
  CHECK(list.exit == 0);
  CHECK(list.out.find("  5  fa2-loop") != std::string::npos);
  const test::TemporaryFolder folder;
  const std::string file = folder.file("my.cu");
  CHECK(tilewalk_says("lab new 5 '" + file + "'").exit == 0);
  CHECK(test::read_text(file) ==
        "// task: 5\n" + test::read_text(TILEWALK_SOURCE_DIR "/assets/lab/05-fa2-loop/start.cu"));
  CHECK(tilewalk_says("lab new 5 '" + file + "'").exit == 2);
  CHECK(tilewalk_says("lab new 77 '" + folder.file("other.cu") + "'").exit == 2);
}

TEST_CASE("lab check ends with 0 for a right kernel, 1 for a wrong one, 2 for one that does not compile") {
  const test::Said right = tilewalk_says("lab check " + kTask + "solution.cu' --task 5 --json");
  REQUIRE(right.exit == 0);
  const Json passed = Json::parse(right.out);
  CHECK(passed["passed"] == true);
  CHECK(passed["task"] == 5);
  CHECK(passed["visits"] == 16);
  CHECK(passed["visits_wrong"] == 0);
  CHECK(passed["first_wrong"].is_null());
  CHECK(passed["bits"] == true);
  CHECK(passed["hbm"]["K"] == passed["ledger"]["K"]);
  CHECK(passed["gpu"].is_null());

  const test::Said wrong = tilewalk_says("lab check " + kTask + "wrong/no-rescale-o.cu' --task 5 --json");
  REQUIRE(wrong.exit == 1);
  const Json failed = Json::parse(wrong.out);
  CHECK(failed["passed"] == false);
  CHECK(failed["first_wrong"]["quantity"] == "o");
  CHECK(failed["first_wrong"]["kv_tile"] == 1);
  CHECK(failed["first_wrong"]["at_end"] == false);
  CHECK(failed["diagnosis"]["name"] == "no-rescale-o");
  CHECK(failed["diagnosis"]["sentence"].get<std::string>().find("not multiplied by α") != std::string::npos);

  const test::Said race = tilewalk_says("lab check " + kTask + "wrong/no-barrier-before-refill.cu' --task 5 --json");
  CHECK(race.exit == 1);
  CHECK(!Json::parse(race.out)["races"].empty());

  const test::TemporaryFolder folder;
  test::write_text(folder.file("bad.cu"), "template <int N> void f();\n");
  const test::Said bad = tilewalk_says("lab check '" + folder.file("bad.cu") + "' --json");
  REQUIRE(bad.exit == 2);
  CHECK(Json::parse(bad.out)["errors"][0]["line"] == 1);
  CHECK(tilewalk_says("lab check '" + folder.file("none.cu") + "'").exit == 2);
  CHECK(tilewalk_says("lab check " + kTask + "solution.cu' --dtype fp16").exit == 2);
}

TEST_CASE("lab walk shows a visit and a thread's variables; lab diff names where two kernels part") {
  const test::Said visit = tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --visit 2,1");
  CHECK(visit.exit == 0);
  CHECK(visit.out.find("Q2 x K1") != std::string::npos);
  CHECK(visit.out.find("row 8") != std::string::npos);
  const test::Said step = tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --instruction 1000 --thread 3");
  CHECK(step.exit == 0);
  CHECK(step.out.find("Instruction 1000: attention, block 0, thread 3") == 0);
  CHECK(step.out.find("  first_row    0") != std::string::npos);
  CHECK(tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --instruction 10 --thread 99").exit == 2);
  CHECK(tilewalk_says("lab diff " + kTask + "solution.cu' " + kTask + "solution.cu' --task 5").exit == 0);
  const test::Said diff =
      tilewalk_says("lab diff " + kTask + "solution.cu' " + kTask + "wrong/no-rescale-l.cu' --task 5 --json");
  CHECK(diff.exit == 1);
  CHECK(Json::parse(diff.out)["first_difference"].get<std::string>().find("visit 2, Q0 x K1, row 0: l is") == 0);
}

TEST_CASE("lab walk runs a backward pass on dO, O and L") {
  const test::Said walk = tilewalk_says("lab walk '" TILEWALK_SOURCE_DIR
                                        "/assets/lab/11-backward/solution.cu' --task 11 --instruction 4000 --json");
  REQUIRE(walk.exit == 0);
  CHECK(Json::parse(walk.out)["kernel"] == "backward");
  CHECK(Json::parse(walk.out)["variables"]["p"] != 0);
}

TEST_CASE("lab walk has its states and variables as JSON too") {
  const test::Said visit = tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --visit 2,1 --json");
  REQUIRE(visit.exit == 0);
  const Json walked = Json::parse(visit.out);
  REQUIRE(walked["visits"].size() == 1);
  const Json& state = walked["visits"][0];
  CHECK(state["visit"] == 10);
  CHECK(state["q_tile"] == 2);
  CHECK(state["kv_tile"] == 1);
  CHECK(state["first_row"] == 8);
  CHECK(state["m"].size() == 4);
  CHECK(state["l"][0].is_number());
  CHECK(state["o"].size() == 4);
  CHECK(state["o"][3].size() == 4);
  CHECK(walked["findings"].empty());
  CHECK(Json::parse(tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --json").out)["visits"].size() == 16);

  const test::Said step =
      tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --instruction 1000 --thread 3 --json");
  REQUIRE(step.exit == 0);
  const Json at = Json::parse(step.out);
  CHECK(at["instruction"] == 1000);
  CHECK(at["kernel"] == "attention");
  CHECK(at["thread"] == 3);
  CHECK(at["variables"]["first_row"] == 0);
  CHECK(Json::parse(
            tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --instruction 10000000 --json").out)["ended"] ==
        true);

  const test::Said race = tilewalk_says("lab walk " + kTask + "wrong/no-barrier-before-refill.cu' --task 5 --json");
  CHECK(Json::parse(race.out)["findings"][0]["kind"] == "data race");
  const test::Said none = tilewalk_says("lab walk " + kTask + "solution.cu' --task 5 --visit 9,9 --json");
  CHECK(none.exit == 1);
  CHECK(Json::parse(none.out)["visits"].empty());

  const test::TemporaryFolder folder;
  test::write_text(folder.file("bad.cu"), "template <int N> void f();\n");
  const test::Said bad = tilewalk_says("lab walk '" + folder.file("bad.cu") + "' --json");
  CHECK(bad.exit == 2);
  CHECK(Json::parse(bad.out)["errors"][0]["line"] == 1);
}
