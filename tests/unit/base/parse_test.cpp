#include "base/parse.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a number is the whole text or none") {
  CHECK(parse_integer("-12") == -12);
  CHECK(parse_integer<std::uint64_t>("00ff", 16) == 255u);
  CHECK(parse_real("2.5e3") == 2500.0);
  for (const char* text : {"", " 1", "1 ", "+1", "0x1", "1.0", "1,5", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_integer(text));
  }
  for (const char* text : {"", " 1", "1 ", "+1", "0x1", "1,5", "1e999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_real(text));
  }
  CHECK_FALSE(parse_integer<std::uint64_t>("-1"));
  CHECK_FALSE(parse_integer<int>("2147483648"));
}

TEST_CASE("a range refuses numbers outside it, and NaN") {
  CHECK(within<std::int64_t>(parse_integer("0"), 0, 2) == 0);
  CHECK(within<std::int64_t>(parse_integer("2"), 0, 2) == 2);
  CHECK_FALSE(within<std::int64_t>(parse_integer("3"), 0, 2));
  CHECK_FALSE(within<std::int64_t>(parse_integer("-1"), 0));
  CHECK_FALSE(within(parse_real("nan"), 0.0));
  CHECK_FALSE(within(parse_real("inf"), 0.0));
}

TEST_CASE("a text that cannot be parsed leaves the target unchanged") {
  int x = 7;
  CHECK_FALSE(put(parse_integer<int>("seven"), x));
  CHECK(x == 7);
  CHECK(put(parse_integer<int>("8"), x));
  CHECK(x == 8);
}

TEST_CASE("text is split piece by piece") {
  std::string_view rest = "window:3:0";
  CHECK(take_until(rest, ':') == "window");
  CHECK(take_until(rest, ':') == "3");
  CHECK(take_until(rest, ':') == "0");
  CHECK(rest.empty());
  CHECK(take_until(rest, ':').empty());
}
