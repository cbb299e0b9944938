#include "kernels/cpu/bf16_dot.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/cpu_attention.h"
#include "kernels/cpu/targets.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define TILEWALK_DOT __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

namespace tilewalk::cpu {
namespace {

constexpr int kLanes = 16, kStrip = 8;
constexpr float kSumBound = 0x1p20f, kNoBound = __builtin_inff(), kScoreBound = 8;

// exp2 by a polynomial of degree 3 (minimax on [0, 1), relative error 7.5e-5): a 25th of the error of rounding P to
// bf16.
TILEWALK_DOT inline __m512 exp2_lanes(__m512 x) {
  const __m512 f = _mm512_reduce_ps(x, 1);  // x - floor(x)
  __m512 p = _mm512_set1_ps(7.802452147e-2f);
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(2.260671556e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(6.958335638e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(9.999251962e-1f));
  return _mm512_scalef_ps(p, x);
}

TILEWALK_DOT inline __m512 dot(__m512 sum, __m512i a, __m512i b) {
  return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
}

TILEWALK_DOT inline __m512i broadcast_pair(const void* pair) {
  int bits;
  std::memcpy(&bits, pair, 4);
  return _mm512_set1_epi32(bits);
}

// Packs two keys' weights as one pair a lane, rounded to nearest; halves round up.
TILEWALK_DOT inline __m512i round_pair(__m512 even, __m512 odd) {
  const __m512i half = _mm512_set1_epi32(0x8000);
  const __m512i low = _mm512_srli_epi32(_mm512_add_epi32(_mm512_castps_si512(even), half), 16);
  return _mm512_mask_blend_epi16(0xAAAAAAAAu, low, _mm512_add_epi32(_mm512_castps_si512(odd), half));
}

// acc = dot products of kStrip keys, starting at `key`, with kVectors vectors of queries.
template <int kVectors>
TILEWALK_DOT inline void multiply_strip(const PanelVisit& visit, std::int64_t key, __m512 (&acc)[kStrip][kVectors]) {
  const auto* const k = static_cast<const std::uint16_t*>(visit.k) + key * visit.k_stride;
  const char* q = static_cast<const char*>(visit.q);
  const std::uint16_t* rows[kStrip];
  TILEWALK_UNROLL
  for (int r = 0; r < kStrip; ++r) {
    rows[r] = k + r * visit.k_stride;
    TILEWALK_UNROLL
    for (int c = 0; c < kVectors; ++c) acc[r][c] = _mm512_setzero_ps();
  }
  for (std::int64_t x = 0; x < visit.d; x += 2, q += kVectors * 64) {
    _mm_prefetch(reinterpret_cast<const char*>(k + kStrip * (visit.k_stride + x)), _MM_HINT_T0);
    __m512i side[kVectors];
    TILEWALK_UNROLL
    for (int c = 0; c < kVectors; ++c) side[c] = _mm512_load_si512(q + c * 64);
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      const __m512i pair = broadcast_pair(rows[r] + x);
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) acc[r][c] = dot(acc[r][c], pair, side[c]);
    }
  }
}

// One strip's scores, less m where `m` is given, masked where limits are given.
template <int kVectors, bool kMasked>
TILEWALK_DOT inline void score_strip(const PanelVisit& visit, std::int64_t key, const float* m,
                                     __m512 (&acc)[kStrip][kVectors]) {
  multiply_strip<kVectors>(visit, key, acc);
  const __m512 scale = _mm512_set1_ps(visit.scale);
  TILEWALK_UNROLL
  for (int c = 0; c < kVectors; ++c) {
    const __m512 base = m != nullptr ? _mm512_load_ps(m + c * kLanes) : _mm512_setzero_ps();
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      acc[r][c] = _mm512_fmsub_ps(acc[r][c], scale, base);
      if constexpr (kMasked) {
        const __m512 limit = _mm512_load_ps(visit.limits + c * kLanes);
        const __mmask16 hidden = _mm512_cmp_ps_mask(_mm512_set1_ps(float(key + r)), limit, _CMP_GE_OQ);
        acc[r][c] = _mm512_mask_mov_ps(acc[r][c], hidden, _mm512_set1_ps(-__builtin_inff()));
      }
    }
  }
}

template <int kVectors, bool kMasked>
TILEWALK_DOT bool weights_of(const PanelVisit& visit, float bound) {
  __m512 sums[kVectors];
  TILEWALK_UNROLL
  for (int c = 0; c < kVectors; ++c) sums[c] = _mm512_setzero_ps();
  char* p = static_cast<char*>(visit.p);
  for (std::int64_t j = 0; j < visit.keys; j += kStrip) {
    __m512 acc[kStrip][kVectors];
    score_strip<kVectors, kMasked>(visit, j, visit.m, acc);
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; r += 2, p += kVectors * 64) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) {
        const __m512 even = exp2_lanes(acc[r][c]), odd = exp2_lanes(acc[r + 1][c]);
        sums[c] = _mm512_add_ps(sums[c], _mm512_add_ps(even, odd));
        _mm512_store_si512(p + c * 64, round_pair(even, odd));
      }
    }
  }
  TILEWALK_UNROLL
  for (int c = 0; c < kVectors; ++c) {
    const bool within = _mm512_cmp_ps_mask(sums[c], _mm512_set1_ps(bound), _CMP_LE_OQ) == 0xffff;
    if (!within && bound < kNoBound) return false;
  }
  TILEWALK_UNROLL
  for (int c = 0; c < kVectors; ++c) {
    _mm512_store_ps(visit.l + c * kLanes, _mm512_add_ps(_mm512_load_ps(visit.l + c * kLanes), sums[c]));
  }
  return true;
}

template <int kVectors>
TILEWALK_DOT bool weights_within(const PanelVisit& visit, float bound) {
  return visit.limits == nullptr ? weights_of<kVectors, false>(visit, bound) : weights_of<kVectors, true>(visit, bound);
}

template <int kVectors>
TILEWALK_DOT bool weights(const PanelVisit& visit) {
  return weights_within<kVectors>(visit, kSumBound);
}

// First the largest scores, over all strips; then the weights, with m raised where necessary. The products are computed
// twice.
template <int kVectors>
TILEWALK_DOT void weights_careful(const PanelVisit& visit) {
  const __m512 lowest = _mm512_set1_ps(-__builtin_inff());
  __m512 largest[kVectors];
  for (int c = 0; c < kVectors; ++c) largest[c] = lowest;
  for (std::int64_t j = 0; j < visit.keys; j += kStrip) {
    __m512 acc[kStrip][kVectors];
    if (visit.limits == nullptr) {
      score_strip<kVectors, false>(visit, j, nullptr, acc);
    } else {
      score_strip<kVectors, true>(visit, j, nullptr, acc);
    }
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) largest[c] = _mm512_max_ps(largest[c], acc[r][c]);
    }
  }
  for (int c = 0; c < kVectors; ++c) {
    const __m512 m = _mm512_load_ps(visit.m + c * kLanes), l = _mm512_load_ps(visit.l + c * kLanes);
    const __mmask16 some = _mm512_cmp_ps_mask(largest[c], lowest, _CMP_GT_OQ);
    const __mmask16 first = _mm512_cmp_ps_mask(l, _mm512_setzero_ps(), _CMP_EQ_OQ);
    const __mmask16 outgrown =
        _mm512_cmp_ps_mask(largest[c], _mm512_add_ps(m, _mm512_set1_ps(kScoreBound)), _CMP_GT_OQ);
    const __mmask16 moves = __mmask16((first | outgrown) & some);
    const __m512 raised = _mm512_mask_mov_ps(m, moves, largest[c]);
    _mm512_store_ps(visit.m + c * kLanes, raised);
    const __mmask16 shrinks = __mmask16(moves & ~first);
    if (shrinks == 0) continue;
    const __m512 factor = _mm512_mask_mov_ps(_mm512_set1_ps(1), shrinks, exp2_lanes(_mm512_sub_ps(m, raised)));
    _mm512_store_ps(visit.l + c * kLanes, _mm512_mul_ps(l, factor));
    for (std::int64_t x = 0; x < visit.columns; ++x) {
      float* const at = visit.o + (x * kVectors + c) * kLanes;
      _mm512_store_ps(at, _mm512_mul_ps(_mm512_load_ps(at), factor));
    }
  }
  weights_within<kVectors>(visit, kNoBound);
}

template <int kVectors>
TILEWALK_DOT void accumulate(const PanelVisit& visit) {
  for (std::int64_t x = 0; x < visit.columns; x += kStrip) {
    float* const o = visit.o + x * kVectors * kLanes;
    __m512 acc[kStrip][kVectors];
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) acc[r][c] = _mm512_load_ps(o + (r * kVectors + c) * kLanes);
    }
    const char* p = static_cast<const char*>(visit.p);
    const auto* v = static_cast<const std::uint32_t*>(visit.v) + x;
    for (std::int64_t j = 0; j < visit.keys; j += 2, p += kVectors * 64, v += visit.v_stride) {
      __m512i side[kVectors];
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) side[c] = _mm512_load_si512(p + c * 64);
      TILEWALK_UNROLL
      for (int r = 0; r < kStrip; ++r) {
        const __m512i pair = broadcast_pair(v + r);
        TILEWALK_UNROLL
        for (int c = 0; c < kVectors; ++c) acc[r][c] = dot(acc[r][c], pair, side[c]);
      }
    }
    TILEWALK_UNROLL
    for (int r = 0; r < kStrip; ++r) {
      TILEWALK_UNROLL
      for (int c = 0; c < kVectors; ++c) _mm512_store_ps(o + (r * kVectors + c) * kLanes, acc[r][c]);
    }
  }
}

template <int kVectors>
constexpr PanelKernels table() {
  return {kVectors * kLanes, kStrip, kStrip, &weights<kVectors>, &weights_careful<kVectors>, &accumulate<kVectors>};
}
constexpr PanelKernels kWide = table<3>(), kNarrow = table<1>();

// FLOPs of `rounds` rounds: 24 chains, more than the instruction's latency needs.
TILEWALK_DOT double dots(long rounds, float* sink) {
  constexpr int kChains = 24;
  const __m512i factor = _mm512_set1_epi32(0x3f003f00);  // 0.5, 0.5
  __m512 chain[kChains];
  TILEWALK_UNROLL
  for (int i = 0; i < kChains; ++i) chain[i] = _mm512_set1_ps(sink[0] + float(i));
  for (long round = 0; round < rounds; ++round) {
    TILEWALK_UNROLL
    for (int i = 0; i < kChains; ++i) chain[i] = dot(chain[i], factor, factor);
  }
  TILEWALK_UNROLL
  for (int i = 1; i < kChains; ++i) chain[0] = _mm512_add_ps(chain[0], chain[i]);
  sink[0] += _mm512_cvtss_f32(chain[0]);
  return 4.0 * kChains * kLanes * double(rounds);
}

}  // namespace

const PanelKernels* bf16_dot_kernels(bool narrow) {
  if (!cpu_has_bf16_dot()) return nullptr;
  return narrow ? &kNarrow : &kWide;
}

double bf16_dots(long rounds, float* sink) { return cpu_has_bf16_dot() ? dots(rounds, sink) : 0; }

TILEWALK_DOT void pack_v_pairs(const std::uint16_t* from, std::int64_t d, std::int64_t count, std::int64_t columns,
                               std::uint32_t* to) {
  for (std::int64_t j = 0; j < count; j += 2, to += columns) {
    const std::uint16_t* const even = from + j * d;
    if (j + 1 < count) {
      for (std::int64_t x = 0; x < d; ++x) to[x] = even[x] | std::uint32_t(even[d + x]) << 16;
    } else {
      for (std::int64_t x = 0; x < d; ++x) to[x] = even[x];
    }
    for (std::int64_t x = d; x < columns; ++x) to[x] = 0;
  }
  if (const std::int64_t pairs = (count + 1) / 2 % (kStrip / 2); pairs != 0) {
    std::memset(to, 0, std::size_t((kStrip / 2 - pairs) * columns) * 4);
  }
}

void pack_q_pairs(const std::uint16_t* from, std::int64_t d, std::int64_t real_rows, std::int64_t rows,
                  std::uint32_t* to) {
  for (std::int64_t x = 0; x < d; x += 2, to += rows) {
    for (std::int64_t r = 0; r < real_rows; ++r) {
      const std::uint16_t* const at = from + r * d + x;
      to[r] = at[0] | (x + 1 < d ? std::uint32_t(at[1]) << 16 : 0);
    }
    std::memset(to + real_rows, 0, std::size_t(rows - real_rows) * 4);
  }
}

}  // namespace tilewalk::cpu

namespace tilewalk {

bool cpu_has_bf16_dot() {
  static const bool has = __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return has;
}

bool cpu_uses_bf16_dot() { return cpu_has_bf16_dot() && !__builtin_cpu_is("intel"); }

}  // namespace tilewalk

#else

namespace tilewalk::cpu {
const PanelKernels* bf16_dot_kernels(bool) { return nullptr; }
double bf16_dots(long, float*) { return 0; }
void pack_v_pairs(const std::uint16_t*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*) {}
void pack_q_pairs(const std::uint16_t*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*) {}
}  // namespace tilewalk::cpu

namespace tilewalk {
bool cpu_has_bf16_dot() { return false; }
bool cpu_uses_bf16_dot() { return false; }
}  // namespace tilewalk

#endif
