// Online softmax for one row, in the paper's letters and plain scalar code: the running max m, the running sum l and
// the undivided output O (FA-2, arXiv 2307.08691, section 3.1). The replay does the same for whole tiles in vector
// lanes; this is its readable witness, operation for operation. Scores are in log2 units. A row that has seen nothing
// has m = -inf, l = 0, O = 0.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewalk {

struct SoftmaxRow {
  float m;
  float l = 0;
  float alpha = 0;       // of the last tile absorbed
  std::vector<float> O;  // d values, not divided by l

  explicit SoftmaxRow(std::int64_t d);

  // Absorbs one tile's scores s (cols of them) and values v (cols x d).
  void absorb(const float* s, std::int64_t cols, const float* v, std::int64_t d);
  std::vector<float> normalised() const;  // O / l, or zeros
  float logsumexp() const;                // m + log2 l, or +inf for a row that has seen nothing
};

// The state that has seen what both have: m = max, each side's l and O brought to it. Equal to absorbing both in real
// arithmetic; in fp32 up to rounding.
SoftmaxRow merge(const SoftmaxRow&, const SoftmaxRow&);

}  // namespace tilewalk
