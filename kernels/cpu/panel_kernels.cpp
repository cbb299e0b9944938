// Compiled once for each instruction set; see panel_kernels.h.
#include "kernels/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/panel_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/cpu/fast_exp2-inl.h"
#include "kernels/cpu/panel_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tilewalk::cpu {
namespace HWY_NAMESPACE {

constexpr std::int64_t kLanes = std::int64_t(hn::MaxLanes(D()));
constexpr int kStrip = HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM_A64 ? 8 : 4;  // 3 kStrip + 4 registers at most
constexpr float kSumBound = 0x1p20f;
constexpr float kScoreBound = 8;

HWY_INLINE V minus_infinity() {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(D(), hn::Set(di, int(0xff800000u)));
}

// acc[r][c] += sum over x of k[r][x] q[x][c], for kStrip keys against kVectors vectors of queries.
template <int kVectors>
HWY_INLINE void multiply_strip(const PanelVisit& visit, std::int64_t key, V (&acc)[kStrip][kVectors]) {
  const D d;
  const float* HWY_RESTRICT k = static_cast<const float*>(visit.k) + key * visit.k_stride;
  const float* HWY_RESTRICT next_k = k + kStrip * visit.k_stride;
  const float* HWY_RESTRICT next_v = static_cast<const float*>(visit.v) + key * visit.v_stride;
  const float* HWY_RESTRICT q = static_cast<const float*>(visit.q);
  const float* HWY_RESTRICT rows[kStrip];
  TILEWALK_UNROLL
  for (int r = 0; r < kStrip; ++r) rows[r] = k + r * visit.k_stride;
  for (std::int64_t x = 0; x < visit.d; ++x, q += kVectors * kLanes) {
    hwy::Prefetch(next_k + kStrip * x);
    hwy::Prefetch(next_v + kStrip * x);
    V side[kVectors];
    TILEWALK_UNROLL
    for (int c = 0; c < kVectors; ++c) side[c] = hn::Load(d, q + c * kLanes);
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      const V element = hn::Set(d, rows[r][x]);
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) acc[r][c] = hn::MulAdd(element, side[c], acc[r][c]);
    }
  }
}

template <int kVectors, bool kMasked>
HWY_INLINE bool weights_of(const PanelVisit& visit) {
  const D d;
  V sums[kVectors];
  TILEWALK_UNROLL
  for (int c = 0; c < kVectors; ++c) sums[c] = hn::Zero(d);
  float* HWY_RESTRICT p = static_cast<float*>(visit.p);
  for (std::int64_t j = 0; j < visit.keys; j += kStrip) {
    V acc[kStrip][kVectors];
    TILEWALK_UNROLL
    for (int c = 0; c < kVectors; ++c) {
      const V start = hn::Neg(hn::Load(d, visit.m + c * kLanes));  // so that the sums are s - m
      TILEWALK_UNROLL
      for (int r = 0; r < kStrip; ++r) acc[r][c] = start;
    }
    multiply_strip<kVectors>(visit, j, acc);
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) {
        V score = acc[r][c];
        if constexpr (kMasked) {
          const auto seen = hn::Lt(hn::Set(d, float(j + r)), hn::Load(d, visit.limits + c * kLanes));
          score = hn::IfThenElse(seen, score, minus_infinity());
        }
        const V weight = fast_exp2_lanes(score);
        sums[c] = hn::Add(sums[c], weight);
        hn::Store(weight, d, p + ((j + r) * kVectors + c) * kLanes);
      }
    }
  }
  auto bounded = hn::Le(sums[0], hn::Set(d, kSumBound));  // false for NaN
  TILEWALK_UNROLL
  for (int c = 1; c < kVectors; ++c) bounded = hn::And(bounded, hn::Le(sums[c], hn::Set(d, kSumBound)));
  if (!hn::AllTrue(d, bounded)) return false;
  TILEWALK_UNROLL
  for (int c = 0; c < kVectors; ++c) {
    hn::Store(hn::Add(hn::Load(d, visit.l + c * kLanes), sums[c]), d, visit.l + c * kLanes);
  }
  return true;
}

template <int kVectors>
bool weights(const PanelVisit& visit) {
  return visit.limits == nullptr ? weights_of<kVectors, false>(visit) : weights_of<kVectors, true>(visit);
}

template <int kVectors>
void weights_careful(const PanelVisit& visit) {
  const D d;
  float* HWY_RESTRICT p = static_cast<float*>(visit.p);
  for (std::int64_t j = 0; j < visit.keys; j += kStrip) {
    V acc[kStrip][kVectors];
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) acc[r][c] = hn::Zero(d);
    }
    multiply_strip<kVectors>(visit, j, acc);
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) hn::Store(acc[r][c], d, p + ((j + r) * kVectors + c) * kLanes);
    }
  }
  for (int c = 0; c < kVectors; ++c) {
    float* const column = p + c * kLanes;
    if (visit.limits != nullptr) {
      const V limit = hn::Load(d, visit.limits + c * kLanes);
      for (std::int64_t j = 0; j < visit.keys; ++j) {
        float* const at = column + j * kVectors * kLanes;
        const auto seen = hn::Lt(hn::Set(d, float(j)), limit);
        hn::Store(hn::IfThenElse(seen, hn::Load(d, at), minus_infinity()), d, at);
      }
    }
    V largest = minus_infinity();
    for (std::int64_t j = 0; j < visit.keys; ++j) {
      largest = hn::Max(largest, hn::Load(d, column + j * kVectors * kLanes));
    }
    const V m = hn::Load(d, visit.m + c * kLanes), l = hn::Load(d, visit.l + c * kLanes);
    const auto first = hn::Eq(l, hn::Zero(d));
    const auto some = hn::Gt(largest, minus_infinity());
    const auto outgrown = hn::Gt(largest, hn::Add(m, hn::Set(d, kScoreBound)));
    const V raised = hn::IfThenElse(hn::And(hn::Or(first, outgrown), some), largest, m);
    const V alpha = fast_exp2_lanes(hn::Sub(m, raised));
    V sum = hn::Zero(d);
    for (std::int64_t j = 0; j < visit.keys; ++j) {
      float* const at = column + j * kVectors * kLanes;
      const V weight = fast_exp2_lanes(hn::Sub(hn::Load(d, at), raised));
      sum = hn::Add(sum, weight);
      hn::Store(weight, d, at);
    }
    hn::Store(raised, d, visit.m + c * kLanes);
    const auto same = hn::Eq(raised, m);
    const V factor = hn::IfThenElse(hn::Or(same, first), hn::Set(d, 1.0f), alpha);  // a first O and l are 0
    hn::Store(hn::MulAdd(l, factor, sum), d, visit.l + c * kLanes);
    if (hn::AllTrue(d, hn::Or(same, first))) continue;
    for (std::int64_t x = 0; x < visit.columns; ++x) {
      float* const at = visit.o + (x * kVectors + c) * kLanes;
      hn::Store(hn::Mul(hn::Load(d, at), factor), d, at);
    }
  }
}

template <int kVectors>
void accumulate(const PanelVisit& visit) {
  const D d;
  for (std::int64_t x = 0; x < visit.columns; x += kStrip) {
    float* HWY_RESTRICT o = visit.o + x * kVectors * kLanes;
    V acc[kStrip][kVectors];
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) acc[r][c] = hn::Load(d, o + (r * kVectors + c) * kLanes);
    }
    const float* HWY_RESTRICT p = static_cast<const float*>(visit.p);
    const float* HWY_RESTRICT v = static_cast<const float*>(visit.v) + x;
    for (std::int64_t j = 0; j < visit.keys; ++j, p += kVectors * kLanes, v += visit.v_stride) {
      V side[kVectors];
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) side[c] = hn::Load(d, p + c * kLanes);
      TILEWALK_UNROLL
      for (int r = 0; r < kStrip; ++r) {
        const V element = hn::Set(d, v[r]);
        TILEWALK_UNROLL
        for (int c = 0; c < kVectors; ++c) acc[r][c] = hn::MulAdd(element, side[c], acc[r][c]);
      }
    }
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) hn::Store(acc[r][c], d, o + (r * kVectors + c) * kLanes);
    }
  }
}

template <int kVectors>
constexpr PanelKernels table() {
  return {kVectors * kLanes, kStrip, kStrip, &weights<kVectors>, &weights_careful<kVectors>, &accumulate<kVectors>};
}

const PanelKernels* choose_panel(bool narrow) {
  static constexpr PanelKernels kWide = table<3>(), kNarrow = table<1>();
  return narrow ? &kNarrow : &kWide;
}

// to[x][r] = from[r][x] factors[x], in squares of four.
void transpose_scaled(const float* from, std::int64_t from_stride, std::int64_t rows, std::int64_t columns,
                      const float* factors, float* to, std::int64_t to_stride) {
  std::int64_t done_rows = 0, done_columns = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::FixedTag<float, 4> d;
  const hn::Repartition<double, decltype(d)> d64;
  done_rows = rows / 4 * 4, done_columns = columns / 4 * 4;
  for (std::int64_t x = 0; x < done_columns; x += 4) {
    for (std::int64_t r = 0; r < done_rows; r += 4) {
      const float* const at = from + r * from_stride + x;
      const auto a = hn::LoadU(d, at), b = hn::LoadU(d, at + from_stride);
      const auto c = hn::LoadU(d, at + 2 * from_stride), e = hn::LoadU(d, at + 3 * from_stride);
      const auto ab_low = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
      const auto ce_low = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
      const auto ab_high = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
      const auto ce_high = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
      float* const out = to + x * to_stride + r;
      const auto put = [&](auto row, int i) HWY_ATTR {
        hn::StoreU(hn::Mul(hn::BitCast(d, row), hn::Set(d, factors[x + i])), d, out + i * to_stride);
      };
      put(hn::InterleaveLower(d64, ab_low, ce_low), 0);
      put(hn::InterleaveUpper(d64, ab_low, ce_low), 1);
      put(hn::InterleaveLower(d64, ab_high, ce_high), 2);
      put(hn::InterleaveUpper(d64, ab_high, ce_high), 3);
    }
  }
#endif
  for (std::int64_t x = 0; x < columns; ++x) {
    for (std::int64_t r = x < done_columns ? done_rows : 0; r < rows; ++r) {
      to[x * to_stride + r] = from[r * from_stride + x] * factors[x];
    }
  }
}

void widen_lanes(const std::uint16_t* from, std::int64_t count, float* to) {
  const D d;
  const hn::Rebind<std::uint16_t, D> d16;
  const hn::RebindToUnsigned<D> d32;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    hn::StoreU(hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, hn::LoadU(d16, from + i)))), d, to + i);
  }
  for (; i < count; ++i) {
    const std::uint32_t bits = std::uint32_t(from[i]) << 16;
    hwy::CopyBytes<4>(&bits, to + i);
  }
}

void exp2_of(const float* x, std::int64_t count, float* y) {
  const D d;
  HWY_ALIGN float some[kLanes];
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const std::int64_t n = count - i < kLanes ? count - i : kLanes;
    for (std::int64_t e = 0; e < n; ++e) some[e] = x[i + e];
    for (std::int64_t e = n; e < kLanes; ++e) some[e] = 0;
    hn::Store(fast_exp2_lanes(hn::Load(d, some)), d, some);
    for (std::int64_t e = 0; e < n; ++e) y[i + e] = some[e];
  }
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace tilewalk::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewalk::cpu {

HWY_EXPORT(choose_panel);
HWY_EXPORT(transpose_scaled);
HWY_EXPORT(widen_lanes);
HWY_EXPORT(exp2_of);
HWY_EXPORT(target_name);

const PanelKernels& fp32_kernels(bool narrow) { return *HWY_DYNAMIC_DISPATCH(choose_panel)(narrow); }
const char* fp32_target_name() { return HWY_DYNAMIC_DISPATCH(target_name)(); }
void transpose(const float* from, std::int64_t from_stride, std::int64_t rows, std::int64_t columns,
               const float* factors, float* to, std::int64_t to_stride) {
  HWY_DYNAMIC_DISPATCH(transpose_scaled)(from, from_stride, rows, columns, factors, to, to_stride);
}
void widen(const std::uint16_t* from, std::int64_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(widen_lanes)(from, count, to);
}
void fast_exp2(const float* x, std::int64_t count, float* y) { HWY_DYNAMIC_DISPATCH(exp2_of)(x, count, y); }

}  // namespace tilewalk::cpu
#endif
