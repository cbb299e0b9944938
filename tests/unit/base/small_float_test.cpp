#include "base/small_float.h"

#include <cmath>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("every fp16 converted to fp32 and back has the same bits") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = float_from_fp16(std::uint16_t(bits));
    if (std::isnan(value)) {
      REQUIRE(std::isnan(float_from_fp16(fp16_from_float(value))));
      continue;
    }
    if (fp16_from_float(value) != bits) FAIL("fp16 " << bits);
  }
}

TEST_CASE("every bf16 converted to fp32 and back has the same bits") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = float_from_bf16(std::uint16_t(bits));
    if (std::isnan(value)) continue;
    if (bf16_from_float(value) != bits) FAIL("bf16 " << bits);
  }
}

TEST_CASE("fp16 values are those of the standard") {
  CHECK(float_from_fp16(0x3c00) == 1.0f);
  CHECK(float_from_fp16(0xc000) == -2.0f);
  CHECK(float_from_fp16(0x7bff) == 65504.0f);
  CHECK(float_from_fp16(0x0001) == std::ldexp(1.0f, -24));
  CHECK(std::isinf(float_from_fp16(0x7c00)));
}

TEST_CASE("rounding to 16 bits goes to the nearest, ties to even") {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    const double low = float_from_fp16(std::uint16_t(bits)), high = float_from_fp16(std::uint16_t(bits + 1));
    const float middle = float((low + high) / 2);
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    if (fp16_from_float(middle) != even) FAIL("tie above fp16 " << bits);
    if (fp16_from_float(std::nextafter(middle, 1e9f)) != bits + 1) FAIL("above the tie over " << bits);
    if (fp16_from_float(std::nextafter(middle, -1e9f)) != bits) FAIL("below the tie over " << bits);
  }
  CHECK(fp16_from_float(65519.9f) == 0x7bff);
  CHECK(fp16_from_float(65520.0f) == 0x7c00);
  CHECK(bf16_from_float(1.00390625f) == 0x3f80);
  CHECK(bf16_from_float(1.01171875f) == 0x3f82);
}
