#include "base/typed_number.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a number is parsed as a person types it") {
  const struct {
    const char* text;
    double value;
  } rows[] = {{"0.92", 0.92},
              {"0,92", 0.92},
              {"−0.5", -0.5},
              {"-0,5", -0.5},
              {".5", 0.5},
              {"3.", 3},
              {"2 1/16", 2.0625},
              {"-2 1/16", -2.0625},
              {"3/4", 0.75},
              {"1.2e3", 1200},
              {"1 048 576", 1048576},
              {"1,048,576", 1048576},
              {"16,384", 16384},
              {"+7", 7},
              {" 12 ", 12},
              {"1 024.5", 1024.5},
              {"0,125", 0.125},
              {"1.048.576", 1048576},
              {"1'048'576", 1048576},
              {"1_024", 1024},
              {"1,048.5", 1048.5},
              {"1.048,5", 1048.5},
              {"2^16", 65536},
              {"2^-2", 0.25},
              {"1.5×10^3", 1500},
              {"1.5 * 10^3", 1500},
              {"−10^3", -1000}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    REQUIRE(typed_number(row.text));
    CHECK(*typed_number(row.text) == row.value);
  }
  CHECK(*typed_number("-∞") == -std::numeric_limits<double>::infinity());
  for (const char* text : {"", " ", "-", "--1", "1/0", "1 2", "two", "nan", "1/2/3", "1.5 1/2", "1 1/", "0x10", "1.2.3",
                           "1.02.3", "2^", "^2", "2^0.5", "10^999", "1,04.5"}) {
    CAPTURE(text);
    CHECK_FALSE(typed_number(text));
  }
  CHECK_FALSE(typed_number(std::string(10'000, '1')));
}

TEST_CASE("an answer is right to two significant digits") {
  CHECK(answers(0.66, 0.6615));
  CHECK_FALSE(answers(0.67, 0.6615));
  CHECK(answers(1.5, 1.5118));
  CHECK_FALSE(answers(1.6, 1.5118));
  CHECK(answers(260, 256));
  CHECK_FALSE(answers(270, 256));
  CHECK(answers(0, 0.001));
  CHECK_FALSE(answers(0.01, 0.001));
  CHECK_FALSE(answers(NAN, 1));
  CHECK(answers(-INFINITY, -INFINITY));
  CHECK_FALSE(answers(1, -1));
}

TEST_CASE("digits beyond the two that count can show a mistake") {
  CHECK(shows_mistake(1.57, 1.62, 1.571));
  CHECK(shows_mistake(7.23, 6.44, 7.23));
  CHECK_FALSE(shows_mistake(1.6, 1.64, 1.6));           // 1.64 in two digits
  CHECK_FALSE(shows_mistake(1.64, 1.64, 1.6));          // right
  CHECK_FALSE(shows_mistake(1.61, 1.62, 1.57));         // nearer to the right one
  CHECK_FALSE(shows_mistake(2, 1.62, 1.57));            // neither
  CHECK_FALSE(shows_mistake(0.1234, 0.12342, 0.1234));  // too near to tell
  CHECK(rounds(1.6, 1.62));
  CHECK_FALSE(rounds(1.57, 1.62));
  CHECK(rounds(260, 256));
}
