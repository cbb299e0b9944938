// Online softmax for one row, with the article's letters and plain scalar code: the running max m, the running sum l
// and the undivided output O (FA-2, arXiv 2307.08691, section 3.1). The replay does the same for whole tiles in vector
// lanes; this is its readable reference, operation for operation. Scores are in log2 units. A row that has seen no key
// has m = -inf, l = 0, O = 0.
#pragma once

#include <cstdint>
#include <vector>

#include "core/values/exact_math.h"
#include "core/values/tile_ops.h"

namespace tilewalk::test {

inline float softmax_weight(float from, float to) {
  return from == kMinusInfinity ? 0.0f : exact::exp2f_exact(from - to);
}

struct OnlineSoftmax {
  float m = kMinusInfinity;
  float l = 0;
  float alpha = 0;       // of the last tile
  std::vector<float> O;  // d values, not divided by l

  explicit OnlineSoftmax(std::int64_t d) : O(std::size_t(d), 0.0f) {}

  // Processes one tile's scores s (cols of them) and values v (cols x d).
  void absorb(const float* s, std::int64_t cols, const float* v, std::int64_t d) {
    float m_new = m;
    for (std::int64_t j = 0; j < cols; ++j) m_new = s[j] > m_new ? s[j] : m_new;
    alpha = softmax_weight(m, m_new);
    for (float& o : O) o *= alpha;
    float sum = 0;
    for (std::int64_t j = 0; j < cols; ++j) {
      const float p = softmax_weight(s[j], m_new);
      sum += p;
      for (std::int64_t x = 0; x < d; ++x) O[std::size_t(x)] = exact::fma32(p, v[j * d + x], O[std::size_t(x)]);
    }
    l = exact::fma32(l, alpha, sum);
    m = m_new;
  }

  std::vector<float> normalised() const {  // O / l, or zeros
    std::vector<float> out = O;
    for (float& o : out) o = l == 0.0f ? 0.0f : o / l;
    return out;
  }
};

// The state after the keys of both: m = max, each side's l and O rescaled to it. Equal to processing both in one walk
// in real arithmetic; in fp32 up to rounding.
inline OnlineSoftmax merge(const OnlineSoftmax& a, const OnlineSoftmax& b) {
  OnlineSoftmax out(std::int64_t(a.O.size()));
  out.m = b.m > a.m ? b.m : a.m;
  const float from_a = softmax_weight(a.m, out.m), from_b = softmax_weight(b.m, out.m);
  out.l = exact::fma32(a.l, from_a, b.l * from_b);
  for (std::size_t x = 0; x < a.O.size(); ++x) out.O[x] = exact::fma32(a.O[x], from_a, b.O[x] * from_b);
  return out;
}

}  // namespace tilewalk::test
