// Laws of thread blocks over SMs, on random problems.
#include <map>

#include "core/chip/waves.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

TEST_CASE("every thread block runs once, never two in one place, and no place waits between two", "[property]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Problem p = random_problem(seed);
    Draw draw(seed + 600);
    p.shape.heads *= draw.upto(1, 40);
    p.machine.device = draw.upto(0, 1) ? "h200" : "t4";
    INFO(as_text(p));
    const WavesOptions options{.order = draw.upto(0, 1) ? BlockOrder::LongestFirst : BlockOrder::FirstToLast,
                               .sections = draw.upto(1, p.shape.heads * p.shape.batch),
                               .most_spans = 1 << 20};
    const Waves w = build_waves(*make_schedule(p), options);
    REQUIRE(std::int64_t(w.spans.size()) == thread_blocks(p));
    std::map<std::pair<int, int>, double> free_at;
    double first_end = w.cycles;
    bool back_to_back = true;
    for (const BlockSpan& s : w.spans) {
      double& free = free_at[{s.sm, s.place}];
      back_to_back &= s.start == free;
      free = s.end;
    }
    REQUIRE(back_to_back);
    std::int64_t blocks = 0;
    double longest = 0;
    for (const SmLoad& load : w.loads) {
      blocks += load.blocks;
      longest = std::max(longest, load.end);
      first_end = std::min(first_end, load.end);
      REQUIRE(load.busy <= w.cycles + 1e-6);
    }
    REQUIRE(blocks == w.blocks);
    REQUIRE(longest == w.cycles);
    REQUIRE(w.tail == Approx(w.cycles - first_end));
    REQUIRE(w.busy_fraction <= 1 + 1e-9);
  }
}
