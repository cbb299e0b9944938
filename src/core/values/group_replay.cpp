#include "core/values/group_replay.h"

#include <algorithm>
#include <limits>

#include "core/problem/fault_effects.h"
#include "core/values/exact_math.h"

namespace tilewalk {

QTileValues::QTileValues(const Problem& problem, const Inputs& in, RowShare share)
    : p(&problem), inputs(&in), band(masked_band(problem)), share_(share) {}

void QTileValues::open(const QTileId& id) {
  at = id;
  tile_begin = id.q_tile * p->tiling.br;
  tile_rows = p->q_tile_rows(id.q_tile);
  const std::int64_t vectors = padded(tile_rows) / kLanePad;
  const std::int64_t first = vectors * share_.index / share_.of * kLanePad;
  row_begin = tile_begin + first;
  rows = std::min(tile_rows, vectors * (share_.index + 1) / share_.of * kLanePad) - first;
  lent_k_ = lent_v_ = nullptr;
  stride = padded(rows);
  o_stride = padded(p->shape.d);
  const float* q = inputs->rows({TensorId::Q, id.batch, id.head}, row_begin, rows, scratch_);
  qt.assign(std::size_t(p->shape.d * stride), 0.0f);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t x = 0; x < p->shape.d; ++x) qt[std::size_t(x * stride + r)] = q[r * p->shape.d + x];
}

std::int64_t QTileValues::cols_of(std::int64_t kv_tile) const {
  return p->fault == Fault::RaggedRead ? p->tiling.bc : p->kv_tile_cols(kv_tile);
}

bool QTileValues::left_out(std::int64_t kv_tile) const { return leaves_out(*p, at.q_tile, kv_tile); }

const float* QTileValues::rows_of(TensorId id, std::int64_t kv_tile) {
  const std::int64_t real = p->kv_tile_cols(kv_tile), cols = cols_of(kv_tile);
  const float* lent = id == TensorId::K ? lent_k_ : lent_v_;
  const float* found =
      lent ? lent + kv_tile * p->tiling.bc * p->shape.d
           : inputs->rows({id, at.batch, p->shape.kv_head_of(at.head)}, kv_tile * p->tiling.bc, real, scratch_);
  if (cols == real) return found;
  padded_rows_.assign(std::size_t(cols * p->shape.d), 0.0f);
  std::copy_n(found, real * p->shape.d, padded_rows_.begin());
  return padded_rows_.data();
}

void QTileValues::scores(std::int64_t kv_tile, std::vector<float>& st) {
  st.resize(std::max(st.size(), std::size_t(cols_of(kv_tile) * stride)));
  scores(kv_tile, st.data());
}

void QTileValues::scores(std::int64_t kv_tile, float* st) {
  const float* k = rows_of(TensorId::K, kv_tile);
  tile_ops().scores(k, cols_of(kv_tile), qt.data(), stride, p->shape.d, p->score_factor(), st);
}

void QTileValues::mask(std::int64_t kv_tile, float* st) const {
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  const std::int64_t cols = cols_of(kv_tile), first_col = kv_tile * p->tiling.bc;
  if (classify_tile(band, row_begin, row_begin + rows, first_col, first_col + cols, false) == TileClass::Full) return;
  for (std::int64_t j = 0; j < cols; ++j) {
    float* column = st + j * stride;
    const std::int64_t begin = std::clamp<std::int64_t>(first_col + j - band.high - row_begin, 0, rows);
    const std::int64_t end = std::clamp<std::int64_t>(first_col + j - band.low + 1 - row_begin, begin, rows);
    std::fill(column, column + begin, kMasked);
    std::fill(column + end, column + rows, kMasked);
  }
}

const float* QTileValues::wide_rows(TensorId id, std::int64_t kv_tile) {
  const float* rows_in = rows_of(id, kv_tile);
  if (o_stride == p->shape.d) return rows_in;
  const std::int64_t cols = cols_of(kv_tile);
  wide_.assign(std::size_t(cols * o_stride), 0.0f);
  for (std::int64_t j = 0; j < cols; ++j)
    std::copy_n(rows_in + j * p->shape.d, p->shape.d, wide_.begin() + j * o_stride);
  return wide_.data();
}

TileRange tiles_of_visits(const TileRange& walked, KvOrder order, std::int64_t first, std::int64_t end) {
  if (order == KvOrder::Reverse) return {walked.end - end, walked.end - first};
  return {walked.begin + first, walked.begin + end};
}

std::vector<float> untransposed(const float* st, std::int64_t rows, std::int64_t cols, std::int64_t stride) {
  std::vector<float> out(std::size_t(rows * cols));
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i) out[std::size_t(i * cols + j)] = st[j * stride + i];
  return out;
}

void pack_rows(const std::vector<float>& o, std::int64_t rows, std::int64_t d, std::int64_t o_stride,
               std::vector<float>& out) {
  if (o_stride == d) return take_first(o, rows * d, out);
  out.resize(std::size_t(rows * d));
  for (std::int64_t i = 0; i < rows; ++i) std::copy_n(o.begin() + i * o_stride, d, out.begin() + i * d);
}

std::vector<float> packed_rows(const std::vector<float>& o, std::int64_t rows, std::int64_t d, std::int64_t o_stride) {
  std::vector<float> out;
  pack_rows(o, rows, d, o_stride, out);
  return out;
}

void take_first(const std::vector<float>& from, std::int64_t count, std::vector<float>& out) {
  out.assign(from.begin(), from.begin() + count);
}

std::vector<float> first_of(const std::vector<float>& from, std::int64_t count) {
  return {from.begin(), from.begin() + count};
}

std::vector<float> lse_of(const std::vector<float>& m, const std::vector<float>& l, std::int64_t rows) {
  std::vector<float> lse(std::size_t(rows), std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < lse.size(); ++i)
    if (l[i] != 0.0f) lse[i] = m[i] + exact::log2f_exact(l[i]);
  return lse;
}

}  // namespace tilewalk
