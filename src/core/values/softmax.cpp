#include "core/values/softmax.h"

#include <limits>

#include "core/values/exact_math.h"
#include "core/values/tile_ops.h"

namespace tilewalk {
namespace {


float weight(float from, float to) { return from == kMinusInfinity ? 0.0f : exact::exp2f_exact(from - to); }

}  // namespace

SoftmaxRow::SoftmaxRow(std::int64_t d) : m(kMinusInfinity), O(std::size_t(d), 0.0f) {}

void SoftmaxRow::absorb(const float* s, std::int64_t cols, const float* v, std::int64_t d) {
  float m_new = m;
  for (std::int64_t j = 0; j < cols; ++j) m_new = s[j] > m_new ? s[j] : m_new;
  alpha = weight(m, m_new);
  for (float& o : O) o *= alpha;
  float sum = 0;
  for (std::int64_t j = 0; j < cols; ++j) {
    const float p = weight(s[j], m_new);
    sum += p;
    for (std::int64_t x = 0; x < d; ++x) O[std::size_t(x)] = exact::fma32(p, v[j * d + x], O[std::size_t(x)]);
  }
  l = exact::fma32(l, alpha, sum);
  m = m_new;
}

std::vector<float> SoftmaxRow::normalised() const {
  std::vector<float> out = O;
  for (float& o : out) o = l == 0.0f ? 0.0f : o / l;
  return out;
}

float SoftmaxRow::logsumexp() const { return l == 0.0f ? -kMinusInfinity : m + exact::log2f_exact(l); }

SoftmaxRow merge(const SoftmaxRow& a, const SoftmaxRow& b) {
  SoftmaxRow out(std::int64_t(a.O.size()));
  out.m = b.m > a.m ? b.m : a.m;
  const float from_a = weight(a.m, out.m), from_b = weight(b.m, out.m);
  out.l = exact::fma32(a.l, from_a, b.l * from_b);
  for (std::size_t x = 0; x < a.O.size(); ++x) out.O[x] = exact::fma32(a.O[x], from_a, b.O[x] * from_b);
  return out;
}

}  // namespace tilewalk
