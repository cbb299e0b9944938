#include "base/result.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a result is a value or all its issues") {
  const Result<int> good = 4;
  REQUIRE(good.ok());
  CHECK(*good == 4);
  const Result<int> bad = Issues{{"br", "0", "must be from 1 to 256", "Try 1"}, {"d", "", "is missing", ""}};
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.issues().size() == 2);
}

TEST_CASE("the text of an issue has field, value, rule and what to do") {
  CHECK(Issue{"br", "0", "must be from 1 to 256", "Try 1"}.text() == "br = 0: must be from 1 to 256. Try 1");
  CHECK(Issue{"d", "", "is missing", ""}.text() == "d: is missing");
  CHECK(text_of({{"a", "", "x", ""}, {"b", "", "y", ""}}) == "a: x\nb: y");
}

TEST_CASE("an issue is one line of visible characters, whatever its parts contain") {
  CHECK(Issue{"a\nb", "\x1b[31mred", "rule\nexit 0: done", "way\rout"}.text() ==
        "a\\nb = \"\\x1b[31mred\": rule\\nexit 0: done. way\\rout");
  CHECK(Issue{"title", " x", "must be short", ""}.text() == "title = \" x\": must be short");
  CHECK(Issue{std::string(100'000, 'f'), std::string(100'000, 'v'), std::string(100'000, 'r'), ""}.text().size() <
        1500);
}

TEST_CASE("of many issues ten are listed, then the number of others") {
  Issues issues;
  for (int i = 0; i < 80'000; ++i) issues.push_back({"line " + std::to_string(i), "", "is wrong", ""});
  const std::vector<std::string> lines = lines_of(issues);
  REQUIRE(lines.size() == 11);
  CHECK(lines[9] == "line 9: is wrong");
  CHECK(lines[10] == "and 79,990 more");
  issues.resize(10);
  CHECK(lines_of(issues).size() == 10);
  CHECK(in_one_line({{"a", "", "x", ""}, {"b", "", "y", ""}}) == "a: x; b: y");
}

TEST_CASE("a repeated issue is listed once") {
  CHECK(text_of({{"a", "", "x", ""}, {"b", "", "y", ""}, {"a", "", "x", ""}}) == "a: x\nb: y");
}
