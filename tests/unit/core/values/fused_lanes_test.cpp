// The multiply-add by way of float64 compared with std::fma: random bits, and bits that make rounding difficult.
#include "core/values/fused_lanes.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/random.h"
#include "tests/support/catch.h"

using namespace tilewalk;
using namespace tilewalk::exact;

namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
float value(std::uint32_t bits) { return std::bit_cast<float>(bits); }
bool same(float a, float b) { return bits(a) == bits(b) || (std::isnan(a) && std::isnan(b)); }

class LaneDraw {
 public:
  std::uint32_t below(std::uint32_t n) { return std::uint32_t(random_bits(11, 0, next_++) % n); }
  float any() { return value(std::uint32_t(random_bits(11, 0, next_++) >> 32)); }
  // Few bits set, or few clear, and often near the smallest exponents.
  float sparse() {
    const std::uint32_t one = 1u << below(23), other = 1u << below(23), last = below(16);
    const std::array<std::uint32_t, 6> mantissas{0, one, one | other, 0x7fffff ^ one, 0x7fffff, last};
    const std::array<std::uint32_t, 3> exponents{below(256), below(40), 100 + below(60)};
    return value(below(2) << 31 | exponents[below(3)] << 23 | mantissas[below(6)]);
  }
  // Close to -(a b), or that times some powers of two: much cancels, or little is left over.
  float against(float a, float b) {
    const double product = double(a) * double(b);
    const float close = float(std::ldexp(-product, below(2) ? 0 : int(below(80)) - 40));
    const float moved = value(bits(close) + below(5) - 2);
    return below(2) ? moved : -moved;
  }

 private:
  std::uint64_t next_ = 0;
};

void check(float a, float b, float c) {
  const float want = std::fma(a, b, c);
  const FloatLanes lanes = fused_lanes(FloatLanes{a, a, b, 0}, FloatLanes{b, -b, a, 0}, FloatLanes{c, -c, c, 0});
  if (same(want, fused_by_double(a, b, c)) && same(want, lanes[0]) && same(std::fma(a, -b, -c), lanes[1]) &&
      same(want, lanes[2]))
    return;
  CAPTURE(bits(a), bits(b), bits(c), bits(want), bits(lanes[0]));
  FAIL("rounded more than once");
}

}  // namespace

TEST_CASE("a multiply-add by way of float64 is rounded once", "[unit]") {
  LaneDraw draw;
  for (int i = 0; i < 100'000; ++i) {
    check(draw.any(), draw.any(), draw.any());
    const float a = draw.sparse(), b = draw.sparse();
    check(a, b, draw.sparse());
    check(a, b, draw.against(a, b));
  }
}

TEST_CASE("a multiply-add by way of float64 rounds once where float64 alone would not", "[unit]") {
  const float above = value(0x3f800001u);                   // 1 + 2^-23
  check(above, above, std::ldexp(1.0f, 60));                // far apart
  check(above, value(0x3f800800u), std::ldexp(1.0f, -46));  // a tie except for the last bits
  check(std::ldexp(1.0f, -75), std::ldexp(above, -75),
        std::ldexp(1.0f, -127));  // a tie among subnormals, except for one bit
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::array<float, 9> edges{0.0f,
                                   -0.0f,
                                   1.0f,
                                   std::numeric_limits<float>::max(),
                                   inf,
                                   -inf,
                                   nan,
                                   std::numeric_limits<float>::denorm_min(),
                                   std::numeric_limits<float>::min()};
  for (const float a : edges)
    for (const float b : edges)
      for (const float c : edges) check(a, b, c);
}
