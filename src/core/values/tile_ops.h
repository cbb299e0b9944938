// The inner loops of the replay, in vector lanes (Highway, chosen at run time for this CPU).
//
// Score tiles are transposed, [col][row] with rows padded to `stride`, so that lanes lie across rows: each row's max
// and sum then run over increasing columns in their own order, and each score is one chain of fused multiply-adds over
// the head size. O is [row][x] with x padded to `o_stride`; lanes lie across x, and the chain runs over columns.
// Padding is computed too and never read. Every lane width, and the scalar path, gives the same bits.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tilewalk {

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

inline constexpr std::int64_t kLanePad = 16;  // strides are multiples of this many floats
inline std::int64_t padded(std::int64_t n) { return (n + kLanePad - 1) / kLanePad * kLanePad; }

struct TileOps {
  // st[j * stride + i] = (chain over x of fma(k[j * d + x], qt[x * stride + i], acc)) * factor
  void (*scores)(const float* k, std::int64_t cols, const float* qt, std::int64_t stride, std::int64_t d, float factor,
                 float* st);
  // m[i] = max of m_in[i] and st[., i], increasing column; the first of equal values stays
  void (*row_max)(const float* st, std::int64_t cols, std::int64_t stride, const float* m_in, float* m);
  // a[i] = m_in[i] is -inf ? 0 : exp2(m_in[i] - m[i])
  void (*alpha)(const float* m_in, const float* m, std::int64_t stride, float* a);
  // pt = st is -inf ? 0 : exp2(st - m); pt may be st. sum[i] += pt[0, i] + pt[1, i] + … one by one, if not null
  void (*exponentiate)(const float* st, std::int64_t cols, std::int64_t stride, const float* m, float* pt, float* sum);
  // l[i] = fma(l_in[i], a[i], sum[i]); l may be l_in
  void (*rescale_sum)(const float* l_in, const float* a, const float* sum, std::int64_t stride, float* l);
  // o[i, x] *= a[i]
  void (*scale_rows)(float* o, std::int64_t rows, std::int64_t o_stride, const float* a);
  // o[i, x] = l[i] is 0 ? 0 : fma(old_weight[i], o[i, x], weight[i] * w[i, x]) / l[i]
  void (*blend_rows)(float* o, const float* w, std::int64_t rows, std::int64_t o_stride, const float* old_weight,
                     const float* weight, const float* l);
  // o[i, x] = chain over j of fma(pt[j, i], v[j, x], o[i, x]); v rows are o_stride apart
  void (*accumulate)(const float* pt, std::int64_t cols, std::int64_t stride, std::int64_t rows, const float* v,
                     std::int64_t o_stride, float* o);
  // The same along the tile's other side: g[j, x] = chain over i of fma(pt[j, i], u[i, x], g[j, x]); u and g rows are
  // o_stride apart. It computes dV and dK. Only real rows are added.
  void (*accumulate_by_column)(const float* pt, std::int64_t cols, std::int64_t stride, std::int64_t rows,
                               const float* u, std::int64_t o_stride, float* g);
  // pt[j, i] = l[i] is 0 ? 0 : pt[j, i] / l[i]
  void (*divide_rows)(float* pt, std::int64_t cols, std::int64_t stride, const float* l);
  // sum[i] = chain over j of fma(at[j, i], bt[j, i], sum[i])
  void (*row_dot)(const float* at, const float* bt, std::int64_t cols, std::int64_t stride, float* sum);
  // dst[j, i] = pt[j, i] * (dpt[j, i] - sum[i]); dst may be dpt
  void (*score_gradient)(const float* pt, const float* dpt, std::int64_t cols, std::int64_t stride, const float* sum,
                         float* dst);
};

const TileOps& tile_ops();    // of the widest instruction set this CPU has
const char* tile_ops_name();  // "AVX3", "AVX2", …

struct NamedTileOps {
  std::string name;
  TileOps ops;
};
std::vector<NamedTileOps> all_tile_ops();  // one for each instruction set of this CPU; the tests compare their results

}  // namespace tilewalk
