#include "core/schedules/backward/backward_tile.h"

#include <algorithm>

#include "core/values/exact_math.h"

namespace tilewalk {

BackwardTile::BackwardTile(const Problem& p, const Inputs& inputs)
    : p_(p), softmax_(row_of(p).walk.softmax), tile_(p, inputs) {}

void BackwardTile::open(const QTileId& id, const ForwardRows& left) {
  tile_.open(id);
  left_ = left;
  auto widened = [&](TensorId tensor, std::vector<float>& wide) {
    const float* rows = tile_.inputs->rows({tensor, id.batch, id.head}, tile_.row_begin, tile_.rows, scratch_);
    wide.assign(std::size_t(tile_.rows * tile_.o_stride), 0.0f);
    for (std::int64_t i = 0; i < tile_.rows; ++i)
      std::copy_n(rows + i * p_.shape.d, p_.shape.d, wide.begin() + i * tile_.o_stride);
  };
  widened(TensorId::Q, q_rows_);
  widened(TensorId::dO, do_rows_);
  do_t_.assign(std::size_t(p_.shape.d * tile_.stride), 0.0f);
  for (std::int64_t i = 0; i < tile_.rows; ++i)
    for (std::int64_t x = 0; x < p_.shape.d; ++x)
      do_t_[std::size_t(x * tile_.stride + i)] = do_rows_[std::size_t(i * tile_.o_stride + x)];
}

void BackwardTile::scores(std::int64_t kv_tile) {
  cols_ = p_.kv_tile_cols(kv_tile);
  tile_.scores(kv_tile, st_);
}

void BackwardTile::exponentiate() {
  pt_.resize(std::size_t(cols_ * tile_.stride));
  const std::vector<float>& from = softmax_ == SoftmaxKind::FromL ? left_.lse : left_.m;
  tile_ops().exponentiate(st_.data(), cols_, tile_.stride, from.data(), pt_.data(), nullptr);
}

void BackwardTile::divide() {
  tile_ops().divide_rows(pt_.data(), cols_, tile_.stride, left_.l.data());
  if (softmax_ == SoftmaxKind::Stored) round_all(p_.numerics.dtype, pt_);
}

void BackwardTile::grad_p(std::int64_t kv_tile) {
  cols_ = p_.kv_tile_cols(kv_tile);
  dpt_.resize(std::size_t(cols_ * tile_.stride));
  tile_ops().scores(tile_.rows_of(TensorId::V, kv_tile), cols_, do_t_.data(), tile_.stride, p_.shape.d, 1.0f,
                    dpt_.data());
}

void BackwardTile::grad_s() {
  dst_.resize(std::size_t(cols_ * tile_.stride));
  tile_ops().score_gradient(pt_.data(), dpt_.data(), cols_, tile_.stride, left_.D.data(), dst_.data());
}

void BackwardTile::probabilities(std::int64_t kv_tile) {
  scores(kv_tile);
  mask(kv_tile);
  exponentiate();
  if (softmax_ != SoftmaxKind::FromL) divide();
}

void BackwardTile::complete(std::int64_t kv_tile) {
  probabilities(kv_tile);
  grad_p(kv_tile);
  grad_s();
}

const float* BackwardTile::for_product(const std::vector<float>& st) {
  if (p_.numerics.dtype == DType::Fp32) return st.data();
  rounded_.assign(st.begin(), st.begin() + cols_ * tile_.stride);
  round_all(p_.numerics.dtype, rounded_);
  return rounded_.data();
}

void BackwardTile::add_dv(std::vector<float>& dv) {
  tile_ops().accumulate_by_column(for_product(pt_), cols_, tile_.stride, tile_.rows, do_rows_.data(), tile_.o_stride,
                                  dv.data());
}

void BackwardTile::add_dk(std::vector<float>& dk) {
  tile_ops().accumulate_by_column(for_product(dst_), cols_, tile_.stride, tile_.rows, q_rows_.data(), tile_.o_stride,
                                  dk.data());
}

void BackwardTile::add_dq(std::int64_t kv_tile, std::vector<float>& dq) {
  const float* ds = for_product(dst_);
  tile_ops().accumulate(ds, cols_, tile_.stride, tile_.rows, tile_.wide_rows(TensorId::K, kv_tile), tile_.o_stride,
                        dq.data());
}

void BackwardTile::add_row_dot(std::vector<float>& D) const {
  tile_ops().row_dot(pt_.data(), dpt_.data(), cols_, tile_.stride, D.data());
}

std::vector<float> BackwardTile::output_dot(const std::vector<float>& o) const {
  std::vector<float> D(std::size_t(tile_.stride), 0.0f);
  for (std::int64_t i = 0; i < tile_.rows; ++i)
    for (std::int64_t x = 0; x < p_.shape.d; ++x)
      D[std::size_t(i)] = exact::fma32(do_rows_[std::size_t(i * tile_.o_stride + x)],
                                       o[std::size_t(i * p_.shape.d + x)], D[std::size_t(i)]);
  return D;
}

}  // namespace tilewalk
