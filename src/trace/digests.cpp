#include "trace/digests.h"

#include <algorithm>
#include <bit>

#include "trace/state_hash.h"

namespace tilewalk {
namespace {

enum Quantity : unsigned { kM, kL, kAlpha, kO, kOutput, kLse, kInputs };

std::uint64_t digest_of(unsigned quantity, const float* values, std::int64_t count) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i)
    sum += state_hash_word(quantity, unsigned(i), std::bit_cast<unsigned>(values[i]));
  return sum;
}

}  // namespace

std::uint64_t digest_of_visit(const VisitState& visit) {
  return digest_of(kM, visit.m.data(), std::int64_t(visit.m.size())) +
         digest_of(kL, visit.l.data(), std::int64_t(visit.l.size())) +
         digest_of(kAlpha, visit.alpha.data(), std::int64_t(visit.alpha.size())) +
         digest_of(kO, visit.o.data(), std::int64_t(visit.o.size()));
}

std::uint64_t digest_of_output(const float* o, const float* lse, std::int64_t rows, std::int64_t d) {
  return digest_of(kOutput, o, rows * d) + (lse ? digest_of(kLse, lse, rows) : 0);
}

std::vector<std::uint64_t> digests_of_outputs(const Problem& p, const std::vector<float>& o,
                                              const std::vector<float>& lse) {
  std::vector<std::uint64_t> digests;
  for (std::int64_t head = 0; head < p.batch * p.heads; ++head) {
    for (std::int64_t q_tile = 0; q_tile < p.q_tiles(); ++q_tile) {
      const std::int64_t first = head * p.n_q + q_tile * p.br;
      digests.push_back(digest_of_output(o.data() + first * p.d, lse.empty() ? nullptr : lse.data() + first,
                                         p.q_tile_rows(q_tile), p.d));
    }
  }
  return digests;
}

std::uint64_t digest_of_inputs(const Inputs& inputs) {
  constexpr std::int64_t kRowsAtOnce = 1024;
  const Problem& p = inputs.problem();
  std::uint64_t sum = 0;
  std::vector<float> scratch;
  for (TensorId id : {TensorId::Q, TensorId::K, TensorId::V}) {
    const std::int64_t heads = id == TensorId::Q ? p.heads : p.kv_heads, length = id == TensorId::Q ? p.n_q : p.n_kv;
    for (std::int64_t head = 0; head < p.batch * heads; ++head) {
      for (std::int64_t row = 0; row < length; row += kRowsAtOnce) {
        const std::int64_t count = std::min(kRowsAtOnce, length - row);
        const float* const values = inputs.rows(id, head / heads, head % heads, row, count, scratch);
        // Each run of rows of each head of each tensor mixes its words in a way of its own.
        const std::uint64_t place =
            (std::uint64_t(head) * std::uint64_t(length) + std::uint64_t(row)) * 3 + std::uint64_t(id);
        sum += digest_of(kInputs, values, count * p.d) * (place * 0x9e3779b97f4a7c15ull | 1u);
      }
    }
  }
  return sum;
}

}  // namespace tilewalk
