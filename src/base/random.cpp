#include "base/random.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "base/random_terms.h"

namespace tilewalk {

using namespace random_terms;

namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= kMixFirst;
  x ^= x >> 27;
  x *= kMixSecond;
  x ^= x >> 31;
  return x;
}

template <std::size_t N>
double polynomial(const double (&coefficients)[N], double x) {
  double sum = coefficients[0];
  for (std::size_t k = 1; k < N; ++k) sum = sum * x + coefficients[k];
  return sum;
}

// ln(x) for x in (0, 1): exponent by bits, mantissa by the series of artanh. Error below 1e-14 here.
double natural_log(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  int exponent = int(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  if (mantissa > kSqrt2) {
    mantissa *= 0.5;
    ++exponent;
  }
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  return exponent * kLn2 + 2.0 * s * polynomial(kLog, s * s);
}

}  // namespace

std::uint64_t random_key(std::uint64_t seed, std::uint64_t stream) {
  return mix(seed * 0x9e3779b97f4a7c15ull + stream * 0xd1342543de82ef95ull + 0x2545f4914f6cdd1dull);
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const std::uint64_t key = random_key(seed, stream);
  return mix(mix(index * kIndexStep + key) + key);
}

double uniform_from_bits(std::uint64_t bits) { return (double(bits >> 12) + 0.5) * 0x1p-52; }

double normal_quantile(double p) {
  if (p < kTail || p > 1.0 - kTail) {
    const double tail = p < kTail ? p : 1.0 - p;
    const double q = std::sqrt(-2.0 * natural_log(tail));
    const double z = polynomial(kTailOver, q) / polynomial(kTailUnder, q);
    return p < kTail ? z : -z;
  }
  const double q = p - 0.5;
  const double r = q * q;
  return polynomial(kCentralOver, r) * q / polynomial(kCentralUnder, r);
}

}  // namespace tilewalk
