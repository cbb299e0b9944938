// exp2 and log2 compared with float64, measured; checks the figures stated in core/values/exact_math.h.
#include "core/values/exact_math.h"

#include <bit>
#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using namespace tilewalk::exact;

namespace {

// Error in units of the last place of the correctly rounded result.
double ulps(float got, double want) {
  if (want == 0) return got == 0 ? 0 : 1e9;
  int exponent;
  std::frexp(want, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(double(got) - want) / ulp;
}

}  // namespace

TEST_CASE("exp2 stays within its stated error over all of fp32", "[unit]") {
  double worst = 0;
  float where = 0;
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += 997) {
    const float x = std::bit_cast<float>(std::uint32_t(bits));
    if (!(std::fabs(x) < 151.0f)) continue;
    if (x >= 128.0f) continue;
    const double error = ulps(exp2f_exact(x), std::exp2(double(x)));
    if (error > worst) worst = error, where = x;
  }
  CAPTURE(worst, where);
  REQUIRE(worst <= kExp2MaxUlp);
  REQUIRE(worst > 0.5);
}

TEST_CASE("exp2 is exact where it must be and defined everywhere", "[unit]") {
  for (int n = -149; n < 128; ++n) REQUIRE(double(exp2f_exact(float(n))) == std::ldexp(1.0, n));
  constexpr float inf = std::numeric_limits<float>::infinity();
  REQUIRE(exp2f_exact(-inf) == 0.0f);
  REQUIRE(exp2f_exact(inf) == inf);
  REQUIRE(exp2f_exact(128.0f) == inf);
  REQUIRE(exp2f_exact(-150.0f) == 0.0f);
  REQUIRE(std::isnan(exp2f_exact(std::numeric_limits<float>::quiet_NaN())));
  REQUIRE(exp2f_exact(0.0f) == 1.0f);
  REQUIRE(exp2f_exact(-0.0f) == 1.0f);
  REQUIRE(std::fpclassify(exp2f_exact(-140.5f)) == FP_SUBNORMAL);
}

TEST_CASE("exp2 never decreases from one float to the next around every integer and half", "[unit]") {
  for (int n = -280; n < 250; ++n) {
    float x = float(n) / 2.0f;
    for (int back = 0; back < 20; ++back) x = std::nextafter(x, -200.0f);
    float before = exp2f_exact(x);
    for (int step = 0; step < 40; ++step) {
      x = std::nextafter(x, 200.0f);
      const float now = exp2f_exact(x);
      REQUIRE(double(now) >= double(before) * (1 - 3e-7));
      before = now;
    }
  }
}

TEST_CASE("log2 stays within its stated error over all positive floats", "[unit]") {
  double worst = 0;
  float where = 0;
  for (std::uint64_t bits = 1; bits < 0x7f800000u; bits += 491) {
    const float x = std::bit_cast<float>(std::uint32_t(bits));
    const double error = ulps(log2f_exact(x), std::log2(double(x)));
    if (error > worst) worst = error, where = x;
  }
  CAPTURE(worst, where);
  REQUIRE(worst <= kLog2MaxUlp);
}

TEST_CASE("log2 from 1 on has an error of at most 1.06 (log2 x + 1) 2^-24, as the rounding bounds assume", "[unit]") {
  double largest = 0;
  for (float x = 1; x < 0x1p40f; x = x * 1.00001f) {
    const double exact = std::log2(double(x));
    largest = std::max(largest, std::fabs(double(log2f_exact(x)) - exact) / ((exact + 1) * 0x1p-24));
  }
  CHECK(largest <= 1.06);
  CHECK(largest > 0.8);
}

TEST_CASE("log2 is exact at powers of two and defined everywhere", "[unit]") {
  for (int n = -149; n < 128; ++n) REQUIRE(log2f_exact(std::ldexp(1.0f, n)) == float(n));
  constexpr float inf = std::numeric_limits<float>::infinity();
  REQUIRE(log2f_exact(0.0f) == -inf);
  REQUIRE(log2f_exact(inf) == inf);
  REQUIRE(std::isnan(log2f_exact(-1.0f)));
}
