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

TEST_CASE("an issue reads as field, value, rule and way out") {
  CHECK(Issue{"br", "0", "must be from 1 to 256", "Try 1"}.text() == "br = 0: must be from 1 to 256. Try 1");
  CHECK(Issue{"d", "", "is missing", ""}.text() == "d: is missing");
  CHECK(text_of({{"a", "", "x", ""}, {"b", "", "y", ""}}) == "a: x\nb: y");
}
