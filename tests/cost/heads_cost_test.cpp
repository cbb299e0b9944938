// The cost of inputs with many heads, counted and not timed.
#include "core/problem/inputs.h"
#include "tests/cost/counted.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("the cost of finding a head does not depend on the number of cached heads") {
  double each = 0;
  for (const std::int64_t heads : {512, 4096}) {
    Problem p;
    p.shape.n_q = p.shape.n_kv = p.shape.d = 1;
    p.shape.batch = heads;
    const Inputs inputs(p);
    float sum = 0;
    const test::Cost cost = test::cost_of([&] {
      for (int round = 0; round < 2; ++round)
        for (std::int64_t batch = 0; batch < heads; ++batch) sum += inputs.at({TensorId::K, batch}, 0, 0);
    });
    const double now = double(cost.edges) / double(heads);
    CAPTURE(heads, cost.edges, now, each, sum);
    REQUIRE(cost.edges > 0);
    if (each > 0) CHECK(now < 1.7 * each + 1);
    each = now;
  }
}
