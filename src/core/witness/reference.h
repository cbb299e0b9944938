// The reference values: softmax(scale Q K^T + mask) V in float64, straight from the definition, row by row; and its
// gradients. Independent of schedules, tiles and the fp32 contract. A row without visible columns gives O = 0, L =
// +inf. L here is in the problem's own base: natural log for base e, log2 for base 2. It also bounds how far two right
// results may differ by rounding (core/witness/roundings.h).
#pragma once

#include <vector>

#include "core/problem/inputs.h"
#include "core/witness/roundings.h"

namespace tilewalk {

struct ReferenceRow {
  std::vector<double> o;  // d values
  double lse = 0;
  double max_score = 0;   // in the problem's base; -inf for a row without visible columns
  double o_rounding = 0;  // the largest bound of a value of O; 0 where no roundings are given
};

ReferenceRow reference_row(const Inputs&, const RowId&, const Roundings* = nullptr);

// Gradients of sum(dO o O) with respect to Q, K and V, in float64 from the definition of softmax and the chain rule,
// for one KV head and all the query heads that share it. O(heads N_q N_kv d) time, O((heads N_q + N_kv) d) memory.
struct ReferenceGradients {
  std::vector<double> dq;                                    // query heads of the group x n_q x d
  std::vector<double> dk, dv;                                // n_kv x d
  double dq_rounding = 0, dk_rounding = 0, dv_rounding = 0;  // the largest bound of a value of each
};

// Computes them a query row at a time. The inputs must live as long.
class ReferenceBackward {
 public:
  ReferenceBackward(const Inputs&, std::int64_t batch, std::int64_t kv_head, const Roundings& = {});
  bool work();  // one row; true once all rows are done
  double progress() const;
  const ReferenceGradients& gradients() const { return out_; }

 private:
  struct Pair;  // a query and a key
  void row(const double* q_i, const double* do_i, std::int64_t i);
  double moves_of_mean(const std::vector<Pair>&, const double* do_i, std::int64_t first, double mean) const;
  void end();

  const Inputs& inputs_;
  const std::int64_t batch_, kv_head_;
  const Roundings roundings_;
  std::int64_t head_ = 0, row_ = 0;  // head in the group, and row in the head
  std::vector<double> k_, v_, q_, d_o_;
  BoundedSums dk_, dv_;
  ReferenceGradients out_;
};

}  // namespace tilewalk
