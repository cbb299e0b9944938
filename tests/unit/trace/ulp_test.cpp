#include "trace/ulp.h"

#include <limits>

#include "tests/support/catch.h"

using tilewalk::ulp_distance;

TEST_CASE("ULP distance counts representable values") {
  const float tiny = std::numeric_limits<float>::denorm_min(), most = std::numeric_limits<float>::max();
  REQUIRE(ulp_distance(1.0f, 1.0f) == 0);
  REQUIRE(ulp_distance(1.0f, std::nextafterf(1.0f, 2.0f)) == 1);
  REQUIRE(ulp_distance(1.0f, 2.0f) == 1 << 23);
  REQUIRE(ulp_distance(-tiny, tiny) == 2);
  REQUIRE(ulp_distance(0.0f, -0.0f) == 0);
  REQUIRE(ulp_distance(most, std::numeric_limits<float>::infinity()) == 1);
}

TEST_CASE("the distance from x to -x is twice that from x to 0, and it is symmetric") {
  for (float x : {1.0f, 3.5f, 1e-40f, 1e30f}) {
    REQUIRE(*ulp_distance(x, -x) == 2 * *ulp_distance(x, 0.0f));
    REQUIRE(ulp_distance(x, 7.0f) == ulp_distance(7.0f, x));
  }
}

TEST_CASE("NaN has no distance to any value, including itself") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  REQUIRE_FALSE(ulp_distance(nan, 1.0f).has_value());
  REQUIRE_FALSE(ulp_distance(1.0f, nan).has_value());
  REQUIRE_FALSE(ulp_distance(nan, nan).has_value());
}
