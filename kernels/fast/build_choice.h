// Which build of flash_v2 or flash_v3 runs a call, and whether it divides tiles (parts_plan.h). No CUDA here: a test
// checks the choice without a GPU.
#pragma once

#include <cstddef>
#include <optional>

#include "core/problem/fast_kernels.h"
#include "kernels/fast/parts_plan.h"

namespace tilewalk::fast {

struct BuildChoice {
  int variant = 0;  // of flash_v2_launch() and flash_v3_launch(), where tiles are whole
  BuildPace build{};
  PartsPlan plan{};

  std::size_t part_slots() const { return plan.divided() ? std::size_t(plan.tiles) * std::size_t(plan.each) : 0; }
  std::size_t workspace_bytes() const { return part_slots() * std::size_t(build.rows) * std::size_t(build.d + 1) * 4; }
};

// Times of a visit on an H100 and an H200 (kernels/NOTES.md: 4 rows keys d FLOPs at the measured rate).
inline BuildPace pace_of(Contender kernel, std::int64_t d, bool causal, bool fewer_rows = false) {
  const int built = (int)built_d(kernel, d);
  if (kernel == Contender::FlashV3) {
    switch (built) {
      case 64: return fewer_rows ? BuildPace{128, 128, 64, 1.27} : BuildPace{192, 128, 64, 1.44};
      case 128: return {128, 128, 128, 1.50};
      case 160: return {128, 112, 160, 1.72};
      case 192: return {128, 112, 192, 1.94};
      default: return {128, 64, 256, 1.34};
    }
  }
  switch (built) {
    case 64: return causal ? BuildPace{128, 128, 64, 3.5, 2} : BuildPace{128, 64, 64, 2.56, 3};
    case 128: return {128, 64, 128, 2.82, 2};
    case 160: return {64, 64, 160, 3.05, 3};
    case 192: return {64, 64, 192, 3.66, 3};
    default: return {64, 64, 256, 3.35, 2};
  }
}

inline BuildChoice choose_build(Contender kernel, std::int64_t d, const PartsShape& shape,
                                std::int64_t multiprocessors) {
  const auto with = [&](int variant, const BuildPace& build) {
    return BuildChoice{variant, build, plan_parts(shape, build, multiprocessors)};
  };
  BuildChoice best = with(0, pace_of(kernel, d, shape.causal));
  if (kernel == Contender::FlashV3 && best.build.d == 64) {
    const BuildChoice other = with(1, pace_of(kernel, d, shape.causal, true));
    if (other.plan.us < kWorthwhile * best.plan.us) best = other;
  }
  return best;
}

}  // namespace tilewalk::fast
