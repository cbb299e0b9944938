// The kernels' own conversions between fp32 and 16 bits, compared with the independent base/small_float.
#include "kernels/emulated/cpu_block.h"
// After the header that defines CUDA's names.
#include <bit>
#include <cmath>

#include "base/random.h"
#include "base/small_float.h"
#include "kernels/common/element.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("every 16-bit pattern converts to the same fp32 value on both sides") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const std::uint16_t half = std::uint16_t(bits);
    const float ours = cpu::to_float(cpu::Fp16{half}), theirs = float_from_fp16(half);
    REQUIRE(std::isnan(ours) == std::isnan(theirs));
    if (!std::isnan(ours)) REQUIRE(std::bit_cast<unsigned>(ours) == std::bit_cast<unsigned>(theirs));
    const float brain = cpu::to_float(cpu::Bf16{half});
    REQUIRE(std::bit_cast<unsigned>(brain) == std::bit_cast<unsigned>(float_from_bf16(half)));
  }
}

TEST_CASE("fp32 values round to the same 16 bits on both sides: at random, and on and beside every tie") {
  const auto check = [](float x) {
    if (std::isnan(x)) return;
    const unsigned short half = cpu::from_float<cpu::Fp16>(x).bits, brain = cpu::from_float<cpu::Bf16>(x).bits;
    if (half != fp16_from_float(x) || brain != bf16_from_float(x)) FAIL("x = " << x);
  };
  for (std::uint64_t i = 0; i < 400000; ++i) check(std::bit_cast<float>(unsigned(random_bits(3, 1, i))));
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const float low = float_from_fp16(std::uint16_t(bits)),
                high = bits == 0x7bff ? 65536.0f : float_from_fp16(std::uint16_t(bits + 1));
    const float tie = low + (high - low) / 2;
    for (float x : {low, tie, std::nextafterf(tie, 0.0f), std::nextafterf(tie, 1e9f)}) {
      check(x);
      check(-x);
    }
  }
}

TEST_CASE("NaN stays NaN in 16 bits") {
  REQUIRE(std::isnan(cpu::rounded_to<cpu::Fp16>(std::nanf(""))));
  REQUIRE(std::isnan(cpu::rounded_to<cpu::Bf16>(std::nanf(""))));
}
