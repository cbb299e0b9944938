#include "core/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {

ReferenceRow reference_row(const Inputs& inputs, std::int64_t batch, std::int64_t head, std::int64_t row) {
  const Problem& p = inputs.problem();
  const Band band = p.band();
  const std::int64_t first = band.first_col(row), end = band.end_col(row, p.n_kv), kv_head = p.kv_head_of(head);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ReferenceRow out{std::vector<double>(std::size_t(p.d), 0.0), kInfinity, -kInfinity};
  if (first >= end) return out;

  std::vector<float> q_scratch, scratch;
  const float* q = inputs.rows(TensorId::Q, batch, head, row, 1, q_scratch);
  const std::vector<float> q_row(q, q + p.d);
  std::vector<double> scores(std::size_t(end - first));
  constexpr std::int64_t kChunk = 256;
  for (std::int64_t j0 = first; j0 < end; j0 += kChunk) {
    const std::int64_t count = std::min(kChunk, end - j0);
    const float* k = inputs.rows(TensorId::K, batch, kv_head, j0, count, scratch);
    for (std::int64_t j = 0; j < count; ++j) {
      double dot = 0;
      for (std::int64_t x = 0; x < p.d; ++x) dot += double(q_row[std::size_t(x)]) * double(k[j * p.d + x]);
      scores[std::size_t(j0 - first + j)] = dot * p.scale_value();
    }
  }
  out.max_score = *std::max_element(scores.begin(), scores.end());
  const bool natural = p.base == Base::E;
  double sum = 0;
  for (double& s : scores) {
    s = natural ? std::exp(s - out.max_score) : std::exp2(s - out.max_score);
    sum += s;
  }
  for (std::int64_t j0 = first; j0 < end; j0 += kChunk) {
    const std::int64_t count = std::min(kChunk, end - j0);
    const float* v = inputs.rows(TensorId::V, batch, kv_head, j0, count, scratch);
    for (std::int64_t j = 0; j < count; ++j)
      for (std::int64_t x = 0; x < p.d; ++x)
        out.o[std::size_t(x)] += scores[std::size_t(j0 - first + j)] / sum * double(v[j * p.d + x]);
  }
  out.lse = out.max_score + (natural ? std::log(sum) : std::log2(sum));
  return out;
}

}  // namespace tilewalk
