// Every instruction set of this CPU gives the bits of the scalar functions. Uniforms and quantiles are compared as
// doubles, since rounding to float would hide a last bit.
#include "core/problem/normal_ops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "base/random_terms.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

constexpr std::size_t kCounts[] = {0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 4096 + 3};

// `make` fills a prefix and writes nothing behind it, for each of the counts.
template <class T, class Make>
bool fills_prefixes(const std::vector<T>& want, Make make) {
  const T untouched = T(-7.25);
  return std::all_of(std::begin(kCounts), std::end(kCounts), [&](std::size_t count) {
    std::vector<T> got(count + 16, untouched);
    make(count, got.data());
    return std::memcmp(got.data(), want.data(), count * sizeof(T)) == 0 &&
           std::all_of(got.begin() + std::ptrdiff_t(count), got.end(), [&](T x) { return x == untouched; });
  });
}

void check_quantiles(const std::vector<double>& p) {
  std::vector<double> want(p.size()), got(p.size());
  std::transform(p.begin(), p.end(), want.begin(), normal_quantile);
  for (const NamedNormalOps& set : all_normal_ops()) {
    INFO(set.name);
    set.ops.quantiles(p.data(), p.size(), got.data());
    REQUIRE(std::memcmp(got.data(), want.data(), p.size() * sizeof(double)) == 0);
  }
}

// The doubles around x, and 1 minus each of them.
void add_around(double x, std::vector<double>& p) {
  double below = x, above = x;
  for (int i = 0; i < 40; ++i) {
    for (const double y : {below, above, 1.0 - below, 1.0 - above}) p.push_back(y);
    below = std::nextafter(below, 0.0), above = std::nextafter(above, 1.0);
  }
}

}  // namespace

TEST_CASE("numbers in lanes have the bits of scalar ones for any seed, stream, start and count", "[unit]") {
  constexpr std::size_t kMost = 4096 + 3;
  std::vector<double> p(kMost), z(kMost);
  std::vector<float> rounded(kMost);
  for (const std::uint64_t seed : {0ull, 1ull, 7ull, ~0ull})
    for (const std::uint64_t stream : {0, 1, 3, 35})
      for (const std::uint64_t first : {0ull, 1ull, 4099ull, (1ull << 32) - 5, (1ull << 50) + 3, ~0ull - 70}) {
        for (std::size_t i = 0; i < kMost; ++i) {
          p[i] = uniform_from_bits(random_bits(seed, stream, first + i));
          z[i] = normal_quantile(p[i]);
          rounded[i] = float(z[i]);
        }
        for (const auto& [name, ops] : all_normal_ops()) {
          INFO(name << ", seed " << seed << " stream " << stream << " from " << first);
          const NormalOps& set = ops;
          REQUIRE(fills_prefixes(p, [&](std::size_t n, double* out) { set.uniforms(seed, stream, first, n, out); }));
          REQUIRE(fills_prefixes(z, [&](std::size_t n, double* out) { set.quantiles(p.data(), n, out); }));
          REQUIRE(fills_prefixes(rounded, [&](std::size_t n, float* out) { set.values(seed, stream, first, n, out); }));
        }
      }
}

TEST_CASE("millions of normal numbers in lanes have the bits of scalar ones, far into both tails", "[unit]") {
  constexpr std::size_t kMany = 3'000'017;
  std::vector<double> p(kMany), z(kMany), got(kMany);
  std::vector<float> rounded(kMany), values(kMany);
  for (std::size_t i = 0; i < kMany; ++i) {
    p[i] = uniform_from_bits(random_bits(11, 2, i));
    z[i] = normal_quantile(p[i]);
    rounded[i] = float(z[i]);
  }
  REQUIRE(*std::min_element(z.begin(), z.end()) < -4.9);
  REQUIRE(*std::max_element(z.begin(), z.end()) > 4.9);
  for (const NamedNormalOps& set : all_normal_ops()) {
    INFO(set.name);
    set.ops.quantiles(p.data(), kMany, got.data());
    REQUIRE(std::memcmp(got.data(), z.data(), kMany * sizeof(double)) == 0);
    set.ops.values(11, 2, 0, kMany, values.data());
    REQUIRE(std::memcmp(values.data(), rounded.data(), kMany * sizeof(float)) == 0);
  }
}

TEST_CASE("quantiles in lanes have the scalar bits where the formula changes and at the ends", "[unit]") {
  std::vector<double> p;
  for (const double x : {random_terms::kTail, 1.0 - random_terms::kTail, 0.5, 0.25, 0.02}) add_around(x, p);
  for (int k = 6; k <= 52; ++k)  // the logarithm's mantissa and exponent
    for (const double x : {1.0, random_terms::kSqrt2 / 2}) add_around(std::ldexp(x, -k), p);
  p.push_back(0x1p-53), p.push_back(1.0 - 0x1p-53), p.push_back(1e-300);
  for (std::size_t shift = 0; shift < 8; ++shift) {  // into every lane
    check_quantiles(p);
    p.insert(p.begin(), 0.3);
  }
}

TEST_CASE("quantiles in lanes have the scalar bits where all or none are in the tails", "[unit]") {
  std::vector<double> low, high, central, edges;
  for (int i = 1; i <= 1531; ++i) {
    const double x = i / 1532.0;
    low.push_back(0.024 * x), high.push_back(1.0 - 0.024 * x), central.push_back(0.03 + 0.94 * x);
    edges.push_back(0.0242 + 0.0001 * x), edges.push_back(1.0 - edges.back());
  }
  for (const std::vector<double>& p : {low, high, central, edges}) check_quantiles(p);
}

TEST_CASE("the instruction set chosen for this CPU generates the numbers too", "[unit]") {
  REQUIRE(all_normal_ops().size() >= 1);
  float by_lanes = 0;
  normal_ops().values(7, 1, 3, 1, &by_lanes);
  REQUIRE(by_lanes == float(normal_quantile(uniform_from_bits(random_bits(7, 1, 3)))));
}
