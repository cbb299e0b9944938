#include "base/units.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("bytes are shown in binary units") {
  CHECK(format_bytes(64) == "64 B");
  CHECK(format_bytes(1024) == "1.00 KiB");
  CHECK(format_bytes(1856) == "1.81 KiB");
  CHECK(format_bytes(256ll << 20) == "256 MiB");
}

TEST_CASE("bytes in the unit of others are a number alone") {
  CHECK(bytes_in_unit_of(512ll << 20, 8ll << 30) == "0.50");
  CHECK(bytes_in_unit_of(16ll << 30, 8ll << 30) == "16.0");
  CHECK(bytes_in_unit_of(64, 100) == "64");
}

TEST_CASE("counts are grouped by thousands") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1048576) == "1,048,576");
  CHECK(format_count(-1234567) == "-1,234,567");
}

TEST_CASE("a number of few digits has no exponent") {
  CHECK(format_digits(0, 2) == "0");
  CHECK(format_digits(0.00000123, 2) == "0.0000012");
  CHECK(format_digits(0.0019, 2) == "0.0019");
  CHECK(format_digits(0.5, 3) == "0.5");
  CHECK(format_digits(9.96, 2) == "10");
  CHECK(format_digits(99.7, 2) == "100");
  CHECK(format_digits(811, 3) == "811");
  CHECK(format_digits(999.6, 3) == "1,000");
  CHECK(format_digits(4057, 3) == "4,060");
  CHECK(format_digits(2.25e6, 3) == "2,250,000");
  CHECK(format_digits(std::numeric_limits<double>::infinity(), 3) == "inf");
  CHECK(format_digits(std::numeric_limits<double>::quiet_NaN(), 3) == "nan");
}

TEST_CASE("operations are shown in decimal units") {
  CHECK(format_flops(320) == "320 FLOP");
  CHECK(format_flops(1'050'000) == "1.05 MFLOP");
}

TEST_CASE("values that are not finite are written in ASCII") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(format_fixed(-0.52, 2) == "-0.52");
  CHECK(format_fixed(-inf, 2) == "-inf");
  CHECK(format_fixed(inf, 2) == "inf");
  CHECK(format_fixed(std::nan(""), 2) == "nan");
  CHECK(format_bits(1.0f) == "0x3f800000");
}

TEST_CASE("a number is written with as many digits as it needs, however small") {
  CHECK(format_number(0.1) == "0.1");
  CHECK(format_number(1e-31) == "1e-31");
  CHECK(format_number(70000) == "70000");
}
