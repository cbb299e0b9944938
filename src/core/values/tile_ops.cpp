// Compiled once for each instruction set that Highway knows here; see tile_ops.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/values/tile_ops.cpp"
#include "core/values/tile_ops.h"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <bit>

#include "core/problem/each_target.h"
#include "core/values/exact_math.h"
#include "core/values/fused_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace tilewalk {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

// Always rounds once.
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#elif HWY_TARGET == HWY_SCALAR
  return V(exact::fused_by_double(a.raw, b.raw, c.raw));
#else
  using Lanes = exact::FloatLanes;
  return std::bit_cast<V>(
      exact::fused_lanes(std::bit_cast<Lanes>(a), std::bit_cast<Lanes>(b), std::bit_cast<Lanes>(c)));
#endif
}

HWY_INLINE V exp2_lanes(V x) {
  const D d;
  // Inputs whose result is 0, above all masked scores, are left out: a product that underflows costs some hundred
  // cycles.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  // VSCALEF rounds once too, and gives infinity from the bound up; a NaN passes through Min. Masks of the instructions
  // themselves cost nothing.
  const __mmask16 stays = _mm512_cmp_ps_mask(x.raw, hn::Set(d, exact::kExp2Underflow).raw, _CMP_NLE_UQ);
  const V within{_mm512_maskz_min_ps(stays, hn::Set(d, exact::kExp2Overflow).raw, x.raw)};
  const V shift = hn::Set(d, exact::kExp2Shift);
  const V n = hn::Sub(hn::Add(within, shift), shift);
  const V f = hn::Sub(within, n);
  V p = hn::Set(d, exact::kExp2Coefficients[6]);
  for (int k = 5; k >= 0; --k) p = fused(p, f, hn::Set(d, exact::kExp2Coefficients[k]));
  return V{_mm512_maskz_scalef_ps(stays, p.raw, n.raw)};
#else
  const hn::RebindToSigned<D> di;
  const auto underflows = hn::Le(x, hn::Set(d, exact::kExp2Underflow));
  const V shift = hn::Set(d, exact::kExp2Shift);
  const V within = hn::IfThenZeroElse(underflows, x);
  const V shifted = hn::Add(within, shift);
  const V n = hn::Sub(shifted, shift);
  const V f = hn::Sub(within, n);
  V p = hn::Set(d, exact::kExp2Coefficients[6]);
  for (int k = 5; k >= 0; --k) p = fused(p, f, hn::Set(d, exact::kExp2Coefficients[k]));
  const auto whole = hn::Sub(hn::BitCast(di, shifted), hn::Set(di, 0x4b400000));
  const auto half = hn::ShiftRight<1>(whole);
  const auto bias = hn::Set(di, 127);
  const V first = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
  const V second = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(whole, half), bias)));
  V y = hn::Mul(hn::Mul(p, first), second);
  y = hn::IfThenElse(hn::Ge(x, hn::Set(d, exact::kExp2Overflow)), hn::BitCast(d, hn::Set(di, 0x7f800000)), y);
  y = hn::IfThenZeroElse(underflows, y);
  return hn::IfThenElse(hn::Ne(x, x), x, y);
#endif
}

HWY_INLINE V minus_infinity() {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(D(), hn::Set(di, int(0xff800000u)));
}

// MR columns of K against NR vectors of rows.
template <int MR, int NR>
HWY_INLINE void scores_micro(const float* HWY_RESTRICT k, const float* HWY_RESTRICT qt, std::int64_t stride,
                             std::int64_t head_size, V factor, float* HWY_RESTRICT st) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  V acc[MR][NR];
  for (int a = 0; a < MR; ++a)
    for (int b = 0; b < NR; ++b) acc[a][b] = hn::Zero(d);
  for (std::int64_t x = 0; x < head_size; ++x) {
    hwy::Prefetch(k + MR * (head_size + x));  // of the next columns
    V q[NR];
    for (int b = 0; b < NR; ++b) q[b] = hn::LoadU(d, qt + x * stride + b * lanes);
    for (int a = 0; a < MR; ++a) {
      const V key = hn::Set(d, k[a * head_size + x]);
      for (int b = 0; b < NR; ++b) acc[a][b] = fused(q[b], key, acc[a][b]);
    }
  }
  for (int a = 0; a < MR; ++a)
    for (int b = 0; b < NR; ++b) hn::StoreU(hn::Mul(acc[a][b], factor), d, st + a * stride + b * lanes);
}

template <int MR, int NR>
HWY_INLINE std::int64_t scores_strip(const float* k, std::int64_t cols, const float* qt, std::int64_t stride,
                                     std::int64_t d, V factor, float* st, std::int64_t i) {
  const std::int64_t lanes = std::int64_t(hn::Lanes(D()));
  for (; i + NR * lanes <= stride; i += NR * lanes) {
    std::int64_t j = 0;
    if (HWY_MAX_BYTES >= 64 && NR == 4)
      for (; j + 6 <= cols; j += 6) scores_micro<6, NR>(k + j * d, qt + i, stride, d, factor, st + j * stride + i);
    for (; j + MR <= cols; j += MR) scores_micro<MR, NR>(k + j * d, qt + i, stride, d, factor, st + j * stride + i);
    for (; j < cols; ++j) scores_micro<1, NR>(k + j * d, qt + i, stride, d, factor, st + j * stride + i);
  }
  return i;
}

void scores(const float* k, std::int64_t cols, const float* qt, std::int64_t stride, std::int64_t d, float factor,
            float* st) {
  const V f = hn::Set(D(), factor);
  constexpr int kVectors = HWY_MAX_BYTES >= 64 ? 4 : 2, kColumns = HWY_MAX_BYTES >= 64 ? 8 : 4;
  std::int64_t i = scores_strip<4, kVectors>(k, cols, qt, stride, d, f, st, 0);
  if (kVectors > 2) i = scores_strip<kColumns, 2>(k, cols, qt, stride, d, f, st, i);
  scores_strip<kColumns, 1>(k, cols, qt, stride, d, f, st, i);
}

// s where it is greater; of equal values, and beside a NaN, `before`: VMAXPS does just that.
HWY_INLINE V larger(V s, V before) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  return V{_mm512_max_ps(s.raw, before.raw)};
#else
  return hn::IfThenElse(hn::Gt(s, before), s, before);
#endif
}

// NR vectors of rows side by side, so that one comparison need not wait for another.
template <int NR>
HWY_INLINE std::int64_t row_max_strip(const float* HWY_RESTRICT st, std::int64_t cols, std::int64_t stride,
                                      const float* m_in, float* m, std::int64_t i) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (; i + NR * lanes <= stride; i += NR * lanes) {
    V best[NR];
    for (int b = 0; b < NR; ++b) best[b] = hn::LoadU(d, m_in + i + b * lanes);
    for (std::int64_t j = 0; j < cols; ++j)
      for (int b = 0; b < NR; ++b) {
        const V s = hn::LoadU(d, st + j * stride + i + b * lanes);
        best[b] = larger(s, best[b]);
      }
    for (int b = 0; b < NR; ++b) hn::StoreU(best[b], d, m + i + b * lanes);
  }
  return i;
}

void row_max(const float* st, std::int64_t cols, std::int64_t stride, const float* m_in, float* m) {
  std::int64_t i = row_max_strip<4>(st, cols, stride, m_in, m, 0);
  i = row_max_strip<2>(st, cols, stride, m_in, m, i);
  row_max_strip<1>(st, cols, stride, m_in, m, i);
}

void alpha(const float* m_in, const float* m, std::int64_t stride, float* a) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (std::int64_t i = 0; i < stride; i += lanes) {
    const V before = hn::LoadU(d, m_in + i);
    const V factor = exp2_lanes(hn::Sub(before, hn::LoadU(d, m + i)));
    hn::StoreU(hn::IfThenElse(hn::Eq(before, minus_infinity()), hn::Zero(d), factor), d, a + i);
  }
}

// NR vectors of rows: weights, and their sum in the order of the columns.
template <int NR>
HWY_INLINE std::int64_t exponentiate_strip(const float* st, std::int64_t cols, std::int64_t stride, const float* m,
                                           float* pt, float* sum, std::int64_t i) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (; i + NR * lanes <= stride; i += NR * lanes) {
    V max[NR], total[NR];
    bool above = true;  // each max is: then exp2 itself gives 0 for -inf
    for (int b = 0; b < NR; ++b) {
      max[b] = hn::LoadU(d, m + i + b * lanes);
      total[b] = sum ? hn::LoadU(d, sum + i + b * lanes) : hn::Zero(d);
      above = above && hn::AllTrue(d, hn::Gt(max[b], minus_infinity()));
    }
    const auto weigh = [&](auto weight) HWY_ATTR {
      for (std::int64_t j = 0; j < cols; ++j)
        for (int b = 0; b < NR; ++b) {
          const V p = weight(hn::LoadU(d, st + j * stride + i + b * lanes), max[b]);
          hn::StoreU(p, d, pt + j * stride + i + b * lanes);
          total[b] = hn::Add(total[b], p);
        }
    };
    if (above)
      weigh([](V s, V row) HWY_ATTR { return exp2_lanes(hn::Sub(s, row)); });
    else
      weigh([](V s, V row) HWY_ATTR {
        return hn::IfThenElse(hn::Eq(s, minus_infinity()), hn::Zero(D()), exp2_lanes(hn::Sub(s, row)));
      });
    if (sum)
      for (int b = 0; b < NR; ++b) hn::StoreU(total[b], d, sum + i + b * lanes);
  }
  return i;
}

void exponentiate(const float* st, std::int64_t cols, std::int64_t stride, const float* m, float* pt, float* sum) {
  std::int64_t i = exponentiate_strip<4>(st, cols, stride, m, pt, sum, 0);
  i = exponentiate_strip<2>(st, cols, stride, m, pt, sum, i);
  exponentiate_strip<1>(st, cols, stride, m, pt, sum, i);
}

void rescale_sum(const float* l_in, const float* a, const float* sum, std::int64_t stride, float* l) {
  const D d;
  for (std::int64_t i = 0; i < stride; i += std::int64_t(hn::Lanes(d)))
    hn::StoreU(fused(hn::LoadU(d, l_in + i), hn::LoadU(d, a + i), hn::LoadU(d, sum + i)), d, l + i);
}

void scale_rows(float* o, std::int64_t rows, std::int64_t o_stride, const float* a) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (std::int64_t i = 0; i < rows; ++i) {
    if (a[i] == 1.0f) continue;  // changes no bit
    const V factor = hn::Set(d, a[i]);
    for (std::int64_t x = 0; x < o_stride; x += lanes)
      hn::StoreU(hn::Mul(hn::LoadU(d, o + i * o_stride + x), factor), d, o + i * o_stride + x);
  }
}

void blend_rows(float* o, const float* w, std::int64_t rows, std::int64_t o_stride, const float* old_weight,
                const float* weight, const float* l) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (std::int64_t i = 0; i < rows; ++i) {
    const V old_share = hn::Set(d, old_weight[i]), share = hn::Set(d, weight[i]), sum = hn::Set(d, l[i]);
    for (std::int64_t x = i * o_stride; x < (i + 1) * o_stride; x += lanes) {
      const V both = fused(old_share, hn::LoadU(d, o + x), hn::Mul(share, hn::LoadU(d, w + x)));
      hn::StoreU(l[i] == 0.0f ? hn::Zero(d) : hn::Div(both, sum), d, o + x);
    }
  }
}

// MR rows of o; the coefficient of row a at link j of the chain is pt[j * link + a * side]. Meanwhile prefetches
// `ahead` floats a link, starting at `soon`.
template <int MR, int NR>
HWY_INLINE void accumulate_micro(const float* HWY_RESTRICT pt, std::int64_t links, std::int64_t link, std::int64_t side,
                                 const float* HWY_RESTRICT v, std::int64_t o_stride, float* HWY_RESTRICT o,
                                 const float* soon, std::int64_t ahead) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  V acc[MR][NR];
  for (int a = 0; a < MR; ++a)
    for (int b = 0; b < NR; ++b) acc[a][b] = hn::LoadU(d, o + a * o_stride + b * lanes);
  for (std::int64_t j = 0; j < links; ++j) {
    hwy::Prefetch(soon + j * ahead);
    V value[NR];
    for (int b = 0; b < NR; ++b) value[b] = hn::LoadU(d, v + j * o_stride + b * lanes);
    for (int a = 0; a < MR; ++a) {
      const V p = hn::Set(d, pt[j * link + a * side]);
      for (int b = 0; b < NR; ++b) acc[a][b] = fused(p, value[b], acc[a][b]);
    }
  }
  for (int a = 0; a < MR; ++a)
    for (int b = 0; b < NR; ++b) hn::StoreU(acc[a][b], d, o + a * o_stride + b * lanes);
}

// `next`: the data behind v is needed next, for example the next tile's rows.
template <int NR>
HWY_INLINE std::int64_t accumulate_strip(bool next, const float* pt, std::int64_t links, std::int64_t link,
                                         std::int64_t side, std::int64_t rows, const float* v, std::int64_t o_stride,
                                         float* o, std::int64_t x) {
  const std::int64_t lanes = std::int64_t(hn::Lanes(D()));
  for (; x + NR * lanes <= o_stride; x += NR * lanes) {
    std::int64_t i = 0;
    // floats of it to prefetch while one row is summed
    const std::int64_t each = next && rows > 0 ? links * o_stride / rows : 0;
    const float* soon = next ? v + links * o_stride : v;
    for (; HWY_MAX_BYTES >= 64 && i + 6 <= rows; i += 6)
      accumulate_micro<6, NR>(pt + i * side, links, link, side, v + x, o_stride, o + i * o_stride + x, soon + i * each,
                              6 * each / links);
    for (; i + 4 <= rows; i += 4)
      accumulate_micro<4, NR>(pt + i * side, links, link, side, v + x, o_stride, o + i * o_stride + x, soon + i * each,
                              4 * each / links);
    for (; i < rows; ++i)
      accumulate_micro<1, NR>(pt + i * side, links, link, side, v + x, o_stride, o + i * o_stride + x, soon + i * each,
                              each / links);
  }
  return x;
}

void accumulate(const float* pt, std::int64_t cols, std::int64_t stride, std::int64_t rows, const float* v,
                std::int64_t o_stride, float* o) {
  constexpr int kVectors = HWY_MAX_BYTES >= 64 ? 4 : 2;
  std::int64_t x = accumulate_strip<kVectors>(true, pt, cols, stride, 1, rows, v, o_stride, o, 0);
  accumulate_strip<1>(true, pt, cols, stride, 1, rows, v, o_stride, o, x);
}

void accumulate_by_column(const float* pt, std::int64_t cols, std::int64_t stride, std::int64_t rows, const float* u,
                          std::int64_t o_stride, float* g) {
  constexpr int kVectors = HWY_MAX_BYTES >= 64 ? 4 : 2;
  std::int64_t x = accumulate_strip<kVectors>(false, pt, rows, 1, stride, cols, u, o_stride, g, 0);
  accumulate_strip<1>(false, pt, rows, 1, stride, cols, u, o_stride, g, x);
}

void divide_rows(float* pt, std::int64_t cols, std::int64_t stride, const float* l) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (std::int64_t i = 0; i < stride; i += lanes) {
    const V sum = hn::LoadU(d, l + i);
    for (std::int64_t j = 0; j < cols; ++j) {
      const V share = hn::Div(hn::LoadU(d, pt + j * stride + i), sum);
      hn::StoreU(hn::IfThenElse(hn::Eq(sum, hn::Zero(d)), hn::Zero(d), share), d, pt + j * stride + i);
    }
  }
}

void row_dot(const float* at, const float* bt, std::int64_t cols, std::int64_t stride, float* sum) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (std::int64_t i = 0; i < stride; i += lanes) {
    V total = hn::LoadU(d, sum + i);
    for (std::int64_t j = 0; j < cols; ++j)
      total = fused(hn::LoadU(d, at + j * stride + i), hn::LoadU(d, bt + j * stride + i), total);
    hn::StoreU(total, d, sum + i);
  }
}

void score_gradient(const float* pt, const float* dpt, std::int64_t cols, std::int64_t stride, const float* sum,
                    float* dst) {
  const D d;
  const std::int64_t lanes = std::int64_t(hn::Lanes(d));
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < stride; i += lanes) {
      const V above = hn::Sub(hn::LoadU(d, dpt + j * stride + i), hn::LoadU(d, sum + i));
      hn::StoreU(hn::Mul(hn::LoadU(d, pt + j * stride + i), above), d, dst + j * stride + i);
    }
}

const TileOps* table() {
  static const TileOps ops = {scores,     row_max,       alpha,      exponentiate,         rescale_sum,
                              scale_rows, blend_rows,    accumulate, accumulate_by_column, divide_rows,
                              row_dot,    score_gradient};
  return &ops;
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace tilewalk
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewalk {

HWY_EXPORT(table);
HWY_EXPORT(target_name);

const TileOps& tile_ops() {
  static const TileOps* const ops = HWY_DYNAMIC_DISPATCH(table)();
  return *ops;
}

const char* tile_ops_name() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

std::vector<NamedTileOps> all_tile_ops() {
  tile_ops();
  std::vector<NamedTileOps> all;
  on_each_target([&] { all.push_back({HWY_DYNAMIC_DISPATCH(target_name)(), *HWY_DYNAMIC_DISPATCH(table)()}); });
  return all;
}

}  // namespace tilewalk
#endif
