#include "view/scores/score_sample.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "view/words/units.h"

namespace tilewalk {

std::vector<float> sample_scores(const Inputs& inputs, const HeadId& head, const std::vector<std::int64_t>& rows,
                                 const std::vector<std::int64_t>& cols) {
  const Problem& p = inputs.problem();
  const Band band = p.shape.band();
  const InputHead q_head = input_head(p, TensorId::Q, head), k_head = input_head(p, TensorId::K, head);
  const std::size_t width = cols.size();
  std::vector<float> scratch, keys(std::size_t(p.shape.d) * width), out(rows.size() * width), sums(width);
  for (std::size_t c = 0; c < width; ++c) {
    const float* key = inputs.rows(k_head, cols[c], 1, scratch);
    for (std::int64_t x = 0; x < p.shape.d; ++x) keys[std::size_t(x) * width + c] = key[x];
  }
  const float factor = p.score_factor();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const float* query = inputs.rows(q_head, rows[r], 1, scratch);
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::int64_t x = 0; x < p.shape.d; ++x) {
      const float q = query[x];
      const float* k = keys.data() + std::size_t(x) * width;
      for (std::size_t c = 0; c < width; ++c) sums[c] += q * k[c];
    }
    for (std::size_t c = 0; c < width; ++c)
      out[r * width + c] =
          band.allows(rows[r], cols[c]) ? display_score(p, sums[c] * factor) : -std::numeric_limits<float>::infinity();
  }
  return out;
}

ScoreRange score_range(const Inputs& inputs, const HeadId& head) {
  const Shape& shape = inputs.problem().shape;
  const auto all = [](std::int64_t count) {
    return spread(0, double(count), int(std::min(kMostSampled, count)), count);
  };
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float v : sample_scores(inputs, head, all(shape.n_q), all(shape.n_kv)))
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(low <= high)) low = 0, high = 1;
  if (high - low < 1e-6f) high = low + 1;
  return {low, high};
}

std::vector<std::int64_t> spread(double begin, double end, int count, std::int64_t limit) {
  std::vector<std::int64_t> out;
  out.reserve(std::size_t(std::max(0, count)));
  for (int i = 0; i < count; ++i)
    out.push_back(
        std::clamp<std::int64_t>(std::int64_t(std::floor(begin + (end - begin) * (i + 0.5) / count)), 0, limit - 1));
  return out;
}

}  // namespace tilewalk
