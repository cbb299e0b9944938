// Order-free 64-bit digests (trace/state_hash.h) of the state after a visit, of a Q tile's final output, and of inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem/inputs.h"
#include "core/replay/replay.h"
#include "trace/traced.h"

namespace tilewalk {

// Of the arrays, after a visit, that the visit's hash covers (hashed_arrays).
std::uint64_t digest_of_visit(const std::vector<const TracedRow*>& hashed, const VisitState&);

// Final O (rows x d) and L (rows; empty where the schedule has none) of one Q tile.
std::uint64_t digest_of_output(const float* o, const float* lse, std::int64_t rows, std::int64_t d);

// The same for whole tensors: one digest per (batch, head, Q tile). `lse` may be empty.
std::vector<std::uint64_t> digests_of_outputs(const Problem&, const std::vector<float>& o,
                                              const std::vector<float>& lse);

// The same for a backward pass: final dQ (rows x d) of one Q tile; final dK and dV (cols x d) of one KV tile.
std::uint64_t digest_of_q_gradient(const float* dq, std::int64_t rows, std::int64_t d);
std::uint64_t digest_of_kv_gradients(const float* dk, const float* dv, std::int64_t cols, std::int64_t d);
std::vector<std::uint64_t> digests_of_q_gradients(const Problem&, const std::vector<float>& dq);
std::vector<std::uint64_t> digests_of_kv_gradients(const Problem&, const std::vector<float>& dk,
                                                   const std::vector<float>& dv);

// A digest of the bits of Q, K and V, and dO in a backward pass: it ties a trace to its inputs. O(inputs).
std::uint64_t digest_of_inputs(const Inputs&);

// The same in slices, so that the caller stays responsive. The inputs must outlive it.
class InputsDigest {
 public:
  explicit InputsDigest(const Inputs&);
  bool work(std::int64_t& max_rows);  // subtracts the rows that it read; true: the value is complete
  std::uint64_t value() const { return sum_; }

 private:
  const Inputs& inputs_;
  std::vector<TensorId> tensors_;  // that the schedule reads
  std::size_t tensor_ = 0;
  std::int64_t head_ = 0, row_ = 0;
  std::uint64_t sum_ = 0, run_ = 0;  // run_: of the current run of rows
  std::vector<float> scratch_;
};

}  // namespace tilewalk
