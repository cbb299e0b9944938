// questions and lesson --review, as a learner calls them.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

TEST_CASE("the questions are listed with their verdicts, one is printed in full, and words find some") {
  const test::Said all = tilewalk_says("questions"), one = tilewalk_says("questions 10"),
                   found = tilewalk_says("questions online softmax");
  REQUIRE(all.exit == 0);
  CHECK(all.out.find("Is it an approximation?\n     They say: ") != std::string::npos);
  CHECK(all.out.find("\n     wrong: It computes the same softmax") != std::string::npos);
  REQUIRE(one.exit == 0);
  for (const char* part : {"== 10 · Is its traffic O(N·d)?", "They say: ", "wrong: ", "The number: ", "To see it: "})
    CHECK(one.out.find(part) != std::string::npos);
  CHECK(found.out.find("== 4 · What is online softmax") != std::string::npos);
  CHECK(tilewalk_says("questions decode").out.find("== 18 · Does it help when one token") != std::string::npos);
  CHECK(tilewalk_says("questions --check").exit == 0);
  const test::Said none = tilewalk_says("questions 99");
  CHECK(none.exit == 2);
  CHECK(none.err.find("is in no question here") != std::string::npos);
}

TEST_CASE("questions as JSON have stable keys, and their views are commands that open") {
  const Json rows = Json::parse(tilewalk_says("questions --json").out)["questions"];
  CHECK(rows.size() >= 17);
  for (const Json& row : rows) {
    for (const char* key : {"question", "claim", "verdict", "says", "answer", "number", "shows", "view"}) {
      CAPTURE(key);
      CHECK_FALSE(row[key].get<std::string>().empty());
    }
  }
  const std::string view = rows[0]["view"];
  CHECK(tilewalk_says("replay --then '" + view + "'").exit == 0);
}

TEST_CASE("the review lists the wrong answers so far, and what to read next") {
  const test::TemporaryFolder home;
  const std::string with_home = "XDG_STATE_HOME='" + home.file("state") + "'";
  const test::Said before = tilewalk_says("lesson --review", with_home);
  REQUIRE(before.exit == 0);
  CHECK(before.out.starts_with("Nothing was answered yet"));
  CHECK(before.out.find("arXiv 2205.14135") != std::string::npos);
  test::write_text(home.file("typed"), "256\n32\n4096\nquit\n");
  REQUIRE(tilewalk_says("lesson 5 <'" + home.file("typed") + "'", with_home).exit == 0);
  const test::Said after = tilewalk_says("lesson --review", with_home);
  for (const char* part : {"Too much for SRAM: 2 wrong tries, then right", "tilewalk lesson 5 --screen 1"}) {
    CAPTURE(part);
    CHECK(after.out.find(part) != std::string::npos);
  }
  const Json told = Json::parse(tilewalk_says("lesson --review --json", with_home).out);
  REQUIRE(told["steps"].size() == 1);
  CHECK(told["steps"][0]["lesson"] == 5);
  CHECK(told["steps"][0]["tries"] == 2);
  CHECK(told["reading"].size() == 4);
}
