// The witness of the values: softmax(scale Q K^T + mask) V in float64, straight from the definition, row by row; and
// its gradients. Independent of schedules, tiles and the fp32 contract. Rows that see nothing give O = 0, L = +inf. L
// here is in the problem's own base: natural log for base e, log2 for base 2.
#pragma once

#include <vector>

#include "core/problem/inputs.h"

namespace tilewalk {

struct ReferenceRow {
  std::vector<double> o;  // d values
  double lse = 0;
  double max_score = 0;  // in the problem's base; -inf if the row sees nothing
};

ReferenceRow reference_row(const Inputs&, std::int64_t batch, std::int64_t head, std::int64_t row);

// Gradients of sum(dO o O) by Q, K and V, in float64 from the definition of softmax and the chain rule, for one KV head
// and all the query heads that share it. O(heads N_q N_kv d) time, O((heads N_q + N_kv) d) memory.
struct ReferenceGradients {
  std::vector<double> dq;      // query heads of the group x n_q x d
  std::vector<double> dk, dv;  // n_kv x d
  double largest_dp = 0;       // of dP = dO V^T, where the mask lets a query see
  double largest_lse = 0;      // of the rows' log-sum-exps, in natural units; both without sign
  // The most that a value of dQ and of dK can move where D = sum(dO o O) is taken from O rounded to the dtype. 0 in
  // fp32.
  double dq_by_rounded_o = 0, dk_by_rounded_o = 0;
};

ReferenceGradients reference_gradients(const Inputs&, std::int64_t batch, std::int64_t kv_head);

// The same, a query row at a time. The inputs must live as long.
class ReferenceBackward {
 public:
  ReferenceBackward(const Inputs&, std::int64_t batch, std::int64_t kv_head);
  bool work();  // one row; true once there is none left
  double progress() const;
  const ReferenceGradients& gradients() const { return out_; }

 private:
  void row(const double* q_i, const double* do_i, std::int64_t i);

  const Inputs& inputs_;
  const std::int64_t batch_, kv_head_;
  std::int64_t head_ = 0, row_ = 0;  // of the group, and in it
  std::vector<double> k_, v_, q_, d_o_;
  std::vector<double> dk_by_rounded_o_;  // of each key
  ReferenceGradients out_;
};

}  // namespace tilewalk
