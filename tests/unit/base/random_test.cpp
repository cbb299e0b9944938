#include "base/random.h"

#include <cmath>
#include <set>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("random bits are a pure function that separates seed, stream and index") {
  CHECK(random_bits(7, 0, 0) == random_bits(7, 0, 0));
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed : {0, 1, 7})
    for (std::uint64_t stream : {0, 1, 2})
      for (std::uint64_t index = 0; index < 1000; ++index) seen.insert(random_bits(seed, stream, index));
  CHECK(seen.size() == 9000);
}

TEST_CASE("uniform numbers stay inside (0, 1), even at the ends of the bits") {
  CHECK(uniform_from_bits(0) > 0.0);
  CHECK(uniform_from_bits(~0ull) < 1.0);
}

TEST_CASE("the normal quantile is the inverse of the normal distribution") {
  for (double z : {-7.5, -5.0, -2.3, -1.0, -0.1, 0.0, 0.1, 0.7, 2.0, 4.0}) {
    const double p = 0.5 * std::erfc(-z / std::sqrt(2.0));
    CHECK(std::fabs(normal_quantile(p) - z) < 1e-7);
  }
}

TEST_CASE("normal numbers have the mean and spread they should") {
  double sum = 0, squares = 0;
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) {
    const double z = normal_quantile(uniform_from_bits(random_bits(7, 3, std::uint64_t(i))));
    sum += z;
    squares += z * z;
  }
  CHECK(std::fabs(sum / kCount) < 0.02);
  CHECK(std::fabs(squares / kCount - 1.0) < 0.02);
}
