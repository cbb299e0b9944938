// Commands of the window, given on the command line.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

TEST_CASE("replay prints the state that the commands reach, as --step does") {
  const test::Said by_tile = tilewalk_says("replay --json --tile 2,1");
  CHECK(tilewalk_says("replay --json --then 'go-to-tile 2,1; select 9,6; show compare'").out == by_tile.out);
  const Json json = Json::parse(by_tile.out);
  const std::string step = std::to_string(json["step"].get<int>() - 1);
  CHECK(tilewalk_says("replay --then 'go-to-tile 2,1; step-back'").out == tilewalk_says("replay --step " + step).out);
  CHECK(tilewalk_says("replay --step " + step + " --then step-forward").out == tilewalk_says("replay --tile 2,1").out);
  const test::Said other = tilewalk_says("replay --json --then 'set-schedule flash_v1; last'");
  CHECK(Json::parse(other.out)["schedule"] == "flash_v1");
}

TEST_CASE("a number asked by hand is in no line of text until it is right, and always in --json") {
  const std::string asks = "replay --step 43 --cell 9,6 --then 'by-hand 9 ask m+alpha+l";
  const test::Said asked = tilewalk_says(asks + "'");
  INFO(asked.out);
  CHECK(asked.out.find("The sentence returns when your numbers are right.") != std::string::npos);
  CHECK(asked.out.find("NaN") == std::string::npos);
  CHECK(asked.out.find("not a number") == std::string::npos);
  CHECK(asked.out.find("  9   0.51         .      ?  .") != std::string::npos);
  const test::Said open = tilewalk_says(asks + "; answer-field m:9 0.92; answer-field alpha:9 0.66; show-field l:9'");
  CHECK(open.out == tilewalk_says("replay --step 43 --cell 9,6").out);
  CHECK(tilewalk_says("replay --json --step 43 --then 'by-hand all'").out ==
        tilewalk_says("replay --json --step 43").out);
}

TEST_CASE("a bad command exits 2 before any output, with its position and the nearest right one") {
  for (const char* verb : {"replay", "render --out /nowhere/a.png"}) {
    const test::Said said = tilewalk_says(verb + std::string(" --then 'first; selct 9,6'"));
    INFO(said.err);
    CHECK(said.exit == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find("command 2, column 8 = selct") != std::string::npos);
    CHECK(said.err.find("The nearest is select") != std::string::npos);
  }
  const test::Said refused = tilewalk_says("replay --then 'go-to-tile 0,3'");
  CHECK(refused.exit == 2);
  CHECK(refused.err.find("is not visited by this walk") != std::string::npos);
  CHECK(tilewalk_says("replay --walk --then first").exit == 2);
}

TEST_CASE("the help lists every command") {
  const test::Said help = tilewalk_says("replay --help");
  for (const char* name : {"go-to-tile Q-TILE KV-TILE", "play-pause", "set-lane-option", "choose-race [source"}) {
    INFO(name);
    CHECK(help.out.find(name) != std::string::npos);
  }
}
