#include "trace/digests.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/schedules/registry.h"
#include "trace/gradient_hash.h"
#include "trace/state_hash.h"

namespace tilewalk {
namespace {

std::uint64_t digest_of(unsigned quantity, const float* values, std::int64_t count, std::int64_t first = 0) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i)
    sum += state_hash_word(quantity, unsigned(first + i), std::bit_cast<unsigned>(values[i]));
  return sum;
}

}  // namespace

std::uint64_t digest_of_visit(const std::vector<const TracedRow*>& hashed, const VisitState& visit) {
  std::uint64_t sum = 0;
  for (const TracedRow* traced : hashed) {
    const std::vector<float>& values = visit.*traced->visit;
    sum += digest_of(*traced->hash, values.data(), std::int64_t(values.size()));
  }
  return sum;
}

std::uint64_t digest_of_output(const float* o, const float* lse, std::int64_t rows, std::int64_t d) {
  return digest_of(kFinalO, o, rows * d) + (lse ? digest_of(kFinalLse, lse, rows) : 0);
}

std::vector<std::uint64_t> digests_of_outputs(const Problem& p, const std::vector<float>& o,
                                              const std::vector<float>& lse) {
  std::vector<std::uint64_t> digests;
  for (std::int64_t head = 0; head < p.shape.batch * p.shape.heads; ++head) {
    for (std::int64_t q_tile = 0; q_tile < p.q_tiles(); ++q_tile) {
      const std::int64_t first = head * p.shape.n_q + q_tile * p.tiling.br;
      digests.push_back(digest_of_output(o.data() + first * p.shape.d, lse.empty() ? nullptr : lse.data() + first,
                                         p.q_tile_rows(q_tile), p.shape.d));
    }
  }
  return digests;
}

std::uint64_t digest_of_q_gradient(const float* dq, std::int64_t rows, std::int64_t d) {
  return digest_of(kFinalDQ, dq, rows * d);
}

std::uint64_t digest_of_kv_gradients(const float* dk, const float* dv, std::int64_t cols, std::int64_t d) {
  return digest_of(kFinalDK, dk, cols * d) + digest_of(kFinalDV, dv, cols * d);
}

std::vector<std::uint64_t> digests_of_q_gradients(const Problem& p, const std::vector<float>& dq) {
  std::vector<std::uint64_t> digests;
  for (std::int64_t head = 0; head < p.shape.batch * p.shape.heads; ++head)
    for (std::int64_t i = 0; i < p.q_tiles(); ++i)
      digests.push_back(digest_of_q_gradient(dq.data() + (head * p.shape.n_q + i * p.tiling.br) * p.shape.d,
                                             p.q_tile_rows(i), p.shape.d));
  return digests;
}

std::vector<std::uint64_t> digests_of_kv_gradients(const Problem& p, const std::vector<float>& dk,
                                                   const std::vector<float>& dv) {
  std::vector<std::uint64_t> digests;
  for (std::int64_t head = 0; head < p.shape.batch * p.shape.kv_heads; ++head) {
    for (std::int64_t j = 0; j < p.kv_tiles(); ++j) {
      const std::int64_t first = (head * p.shape.n_kv + j * p.tiling.bc) * p.shape.d;
      digests.push_back(digest_of_kv_gradients(dk.data() + first, dv.data() + first, p.kv_tile_cols(j), p.shape.d));
    }
  }
  return digests;
}

InputsDigest::InputsDigest(const Inputs& inputs) : inputs_(inputs), tensors_(inputs_of(row_of(inputs.problem()))) {}

std::uint64_t digest_of_inputs(const Inputs& inputs) {
  InputsDigest digest(inputs);
  std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  digest.work(no_limit);
  return digest.value();
}

bool InputsDigest::work(std::int64_t& max_rows) {
  constexpr std::int64_t kRun = 1024;  // rows
  const Problem& p = inputs_.problem();
  for (; tensor_ < tensors_.size(); ++tensor_, head_ = 0) {
    const TensorId id = tensors_[tensor_];
    const bool of_keys = !is_by_query(id);
    const std::int64_t heads = of_keys ? p.shape.kv_heads : p.shape.heads,
                       length = of_keys ? p.shape.n_kv : p.shape.n_q;
    for (; head_ < p.shape.batch * heads; ++head_, row_ = 0) {
      while (row_ < length) {
        if (max_rows <= 0) return false;
        const std::int64_t begin = row_ / kRun * kRun, end = std::min(begin + kRun, length),
                           count = std::min(max_rows, end - row_);
        const float* const values = inputs_.rows({id, head_ / heads, head_ % heads}, row_, count, scratch_);
        run_ += digest_of(kInputBits, values, count * p.shape.d, (row_ - begin) * p.shape.d);
        row_ += count;
        max_rows -= count;
        if (row_ < end) continue;
        // Each run of rows of each head of each tensor mixes its words differently.
        const std::uint64_t place =
            (std::uint64_t(head_) * std::uint64_t(length) + std::uint64_t(begin)) * 3 + std::uint64_t(id);
        sum_ += std::exchange(run_, 0) * (place * 0x9e3779b97f4a7c15ull | 1u);
      }
    }
  }
  return true;
}

}  // namespace tilewalk
