// Compiled once for each instruction set; see row_softmax.h.
#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/row_softmax.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "kernels/cpu/fast_exp2-inl.h"
#include "kernels/cpu/row_softmax.h"

HWY_BEFORE_NAMESPACE();
namespace tilewalk::cpu {
namespace HWY_NAMESPACE {

HWY_INLINE float largest_of(const float* scores, std::int64_t keys) {
  const D d;
  const auto lanes = std::int64_t(hn::Lanes(d));
  float largest = -std::numeric_limits<float>::infinity();
  std::int64_t j = 0;
  if (keys >= 2 * lanes) {
    V a = hn::LoadU(d, scores), b = hn::LoadU(d, scores + lanes);
    for (j = 2 * lanes; j + 2 * lanes <= keys; j += 2 * lanes) {
      a = hn::Max(a, hn::LoadU(d, scores + j));
      b = hn::Max(b, hn::LoadU(d, scores + j + lanes));
    }
    largest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(a, b)));
  }
  for (; j < keys; ++j) largest = scores[j] > largest ? scores[j] : largest;
  return largest;
}

float softmax_of(float* scores, std::int64_t keys, std::int64_t row) {
  constexpr float kLog2E = 1.44269504f;
  const D d;
  const auto lanes = std::int64_t(hn::Lanes(d));
  for (std::int64_t j = keys; j < row; ++j) scores[j] = 0;
  if (keys == 0) return -std::numeric_limits<float>::infinity();
  const float largest = largest_of(scores, keys);
  const V top = hn::Set(d, largest), log2_e = hn::Set(d, kLog2E);
  V a = hn::Zero(d), b = hn::Zero(d);
  std::int64_t j = 0;
  for (; j + 2 * lanes <= keys; j += 2 * lanes) {
    const V x = fast_exp2_lanes(hn::Mul(hn::Sub(hn::LoadU(d, scores + j), top), log2_e));
    const V y = fast_exp2_lanes(hn::Mul(hn::Sub(hn::LoadU(d, scores + j + lanes), top), log2_e));
    a = hn::Add(a, x), b = hn::Add(b, y);
    hn::StoreU(x, d, scores + j);
    hn::StoreU(y, d, scores + j + lanes);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
  for (; j < keys; ++j) {
    scores[j] = hn::GetLane(fast_exp2_lanes(hn::Set(d, (scores[j] - largest) * kLog2E)));
    sum += scores[j];
  }
  const V inverse = hn::Set(d, 1 / sum);
  for (j = 0; j + lanes <= keys; j += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, scores + j), inverse), d, scores + j);
  for (; j < keys; ++j) scores[j] *= 1 / sum;
  return largest + std::log(sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace tilewalk::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewalk::cpu {

HWY_EXPORT(softmax_of);

float softmax_row(float* scores, std::int64_t keys, std::int64_t row) {
  return HWY_DYNAMIC_DISPATCH(softmax_of)(scores, keys, row);
}

}  // namespace tilewalk::cpu
#endif
