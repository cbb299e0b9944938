// One visit of the backward pass: P, dP and dS of a score tile, and what they add to dV, dK and dQ (kernels/README.md,
// "backward"). The three passes differ in the source of P: backward computes it from L, backward_v1 from m and l;
// backward_standard reads it from HBM, as the standard forward pass stored it. Tiles have the layout of tile_ops: score
// tiles [col][row], sums [row][x]. In 16 bits P and dS are rounded for their products alone; backward_standard stores
// them rounded. Internal to core.
#pragma once

#include "core/schedules/registry.h"
#include "core/values/group_replay.h"

namespace tilewalk {

// Results of the forward pass for one Q tile, and D; each has one value a row, padded to the tile's stride.
struct ForwardRows {
  std::vector<float> lse;   // L: backward
  std::vector<float> m, l;  // backward_v1, backward_standard
  std::vector<float> D;     // rowsum(dO o O); backward_standard: rowsum(P o dP)
};

class BackwardTile {
 public:
  BackwardTile(const Problem&, const Inputs&);

  // Q and dO of a Q tile, with what the forward pass left of it (empty where only dP is wanted).
  void open(const QTileId&, const ForwardRows&);

  // The phases of a visit, in order.
  void scores(std::int64_t kv_tile);
  void mask(std::int64_t kv_tile) { tile_.mask(kv_tile, st_.data()); }
  void exponentiate();
  void divide();  // backward_v1, backward_standard
  void grad_p(std::int64_t kv_tile);
  void grad_s();
  void probabilities(std::int64_t kv_tile);  // computes P
  void complete(std::int64_t kv_tile);       // computes dS
  void add_dv(std::vector<float>& dv);
  void add_dk(std::vector<float>& dk);
  void add_dq(std::int64_t kv_tile, std::vector<float>& dq);
  void add_row_dot(std::vector<float>& D) const;  // this tile's part of rowsum(P o dP)
  bool left_out(std::int64_t kv_tile) const { return tile_.left_out(kv_tile); }

  // rowsum(dO o O) of the open Q tile: o is rows x d.
  std::vector<float> output_dot(const std::vector<float>& o) const;

  std::vector<float> s() const { return shown(st_); }
  std::vector<float> p() const { return shown(pt_); }
  std::vector<float> dp() const { return shown(dpt_); }
  std::vector<float> ds() const { return shown(dst_); }
  const ForwardRows& left() const { return left_; }
  std::int64_t rows() const { return tile_.rows; }
  std::int64_t o_stride() const { return tile_.o_stride; }

 private:
  std::vector<float> shown(const std::vector<float>& st) const {
    return untransposed(st.data(), tile_.rows, cols_, tile_.stride);
  }
  const float* for_product(const std::vector<float>& st);
  const Problem& p_;
  SoftmaxKind softmax_;
  QTileValues tile_;
  ForwardRows left_;
  std::int64_t cols_ = 0;
  std::vector<float> scratch_, do_t_, do_rows_, q_rows_, st_, pt_, dpt_, dst_, rounded_;
};

}  // namespace tilewalk
