#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.h"
#include "core/problem/inputs.h"
#include "lab/judge/visit.h"

namespace tilewalk {
namespace {

enum Stream : std::uint64_t { kQ = 101, kK, kV, kSlope };

double normal(std::uint64_t seed, std::uint64_t stream, std::int64_t index) {
  return normal_quantile(uniform_from_bits(random_bits(seed, stream, std::uint64_t(index))));
}

}  // namespace

// Scores by construction, in natural units: slope x (place of the key, -1 to 1) - |slope| + 1 + noise. A row's slope is
// 5 to 9 upwards in two rows of three, so that the largest score comes late, and downwards in the third, for kernels
// that walk the keys backwards. The largest score is about 1: keys that do not exist, with a score of 0, weigh a third
// of it, and hidden keys behind the diagonal weigh most.
ExposingInputs exposing_inputs(const Problem& p, std::int64_t slack) {
  const Shape& s = p.shape;
  const double factor = p.scale_value() * (p.numerics.base == Base::Two ? std::numbers::ln2 : 1.0);
  const double per_score = factor == 0 ? 1 : 1 / factor;
  const std::uint64_t seed = p.numerics.seed;
  ExposingInputs out;
  const auto put = [&](std::vector<float>& to, double value) {
    to.push_back(round_to(p.numerics.dtype, float(value)));
  };
  for (std::int64_t row = 0; row < s.batch * s.heads * s.n_q; ++row) {
    const double size = 5 + 4 * uniform_from_bits(random_bits(seed, kSlope, std::uint64_t(row)));
    const double slope = row % 3 == 2 ? -size : size;
    for (std::int64_t x = 0; x < s.d; ++x) {
      const double noise = normal(seed, kQ, row * s.d + x) / std::sqrt(double(s.d));
      put(out.q, per_score * (x == 0 ? slope : x == 1 ? 1 - size : noise));
    }
  }
  for (std::int64_t row = 0; row < s.batch * s.kv_heads * s.n_kv; ++row) {
    const std::int64_t key = row % s.n_kv;
    const double place = s.n_kv == 1 ? 1 : 2 * double(key) / double(s.n_kv - 1) - 1;
    for (std::int64_t x = 0; x < s.d; ++x) {
      const double noise = normal(seed, kK, row * s.d + x);
      put(out.k, x == 0 ? place + noise / 16 : x == 1 ? 1 + noise / 64 : noise);
      put(out.v, normal(seed, kV, row * s.d + x));
    }
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::vector<float>* values : {&out.q, &out.k, &out.v})
    values->insert(values->end(), std::size_t(slack * s.d), nan);
  return out;
}

}  // namespace tilewalk
