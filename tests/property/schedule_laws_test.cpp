// Laws that every schedule satisfies, on random problems. A failing problem is printed as flags.
#include <set>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "core/walk/tile_walk.h"
#include "core/witness/formulas.h"
#include "tests/property/filled.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {
constexpr std::uint64_t kProblems = 400;
}

TEST_CASE("each unmasked pair is computed exactly once, and no skipped tile is touched", "[property]") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    REQUIRE(validate(p).empty());
    const auto schedule = make_schedule(p);
    std::vector<int> computed(std::size_t(p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.n_kv), 0);
    const ScheduleRow& row = row_of(p);
    const bool gradients = !phases_that_make(*schedule, Quantity::DS).empty(),
               again_made = gradients && !phases_that_make(*schedule, Quantity::S).empty();
    const auto makes = [&](const Step& step, Quantity quantity) {
      const Made* made = made_by(row, step, quantity);
      return made && !made->is_of_itself();  // as S by its mask
    };
    std::int64_t again = 0, pairs = 0;
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Step step = schedule->step(k);
      if (step.in_visit()) REQUIRE(step.tile_class != TileClass::Skipped);
      // The last cells that a pass makes by products or from them: S going forward, dS going back.
      if (gradients && makes(step, Quantity::S)) again += step.rows() * step.cols();
      if (!makes(step, gradients ? Quantity::DS : Quantity::S)) continue;
      pairs += step.rows() * step.cols();
      for (std::int64_t i = step.row_begin; i < step.row_end; ++i)
        for (std::int64_t j = step.col_begin; j < step.col_end; ++j)
          ++computed[std::size_t(((step.batch * p.shape.heads + step.head) * p.shape.n_q + i) * p.shape.n_kv + j)];
    }
    bool once = true, twice = false;
    std::int64_t visible = 0;
    for (std::int64_t bh = 0; bh < p.shape.batch * p.shape.heads; ++bh)
      for (std::int64_t i = 0; i < p.shape.n_q; ++i)
        for (std::int64_t j = 0; j < p.shape.n_kv; ++j) {
          const int times = computed[std::size_t((bh * p.shape.n_q + i) * p.shape.n_kv + j)];
          if (p.shape.band().allows(i, j)) once &= times == 1, ++visible;
          twice |= times > 1;
        }
    REQUIRE(once);
    REQUIRE_FALSE(twice);
    REQUIRE(again == (again_made ? pairs : 0));
    std::int64_t products = 0;
    for (const Quantity made : {Quantity::S, Quantity::O, Quantity::DV, Quantity::DP, Quantity::DQ, Quantity::DK}) {
      const auto at = phases_that_make(*schedule, made);
      products +=
          std::any_of(at.begin(), at.end(), [](const MadeAt& each) { return each.in_visit && !each.made->given; });
    }
    REQUIRE(textbook(p).flops == 2 * products * p.shape.d * visible);
  }
}

TEST_CASE("counters before every step equal the sum over steps, and the whole run equals the closed formula",
          "[property]") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto schedule = make_schedule(p);
    Cost sum;
    std::set<std::int64_t> visits;
    bool equal = true;
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Totals totals = schedule->totals_before(k);
      equal &= totals.cost == sum && totals.visits_done == std::int64_t(visits.size());
      const Step step = schedule->step(k);
      if (step.section == schedule->visit_section() && step.in_visit()) visits.insert(step.visit_index);
      sum += schedule->cost_of(step);
    }
    REQUIRE(equal);
    REQUIRE(schedule->totals_before(schedule->step_count()).cost == sum);
    REQUIRE(whole_run_cost(p) == sum);
    REQUIRE(schedule->visit_counts().visited() == std::int64_t(visits.size()));
  }
}

TEST_CASE("a step's visit, group and index agree with the schedule", "[property]") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto schedule = make_schedule(p);
    VisitCounts counts;
    for (std::int64_t b = 0; b < p.shape.batch * p.shape.heads; ++b)
      for (std::int64_t i = 0; i < p.q_tiles(); ++i)
        for (std::int64_t j = 0; j < p.kv_tiles(); ++j) switch (schedule->tile_class(i, j)) {
            case TileClass::Full: ++counts.full; break;
            case TileClass::Partial: ++counts.partial; break;
            default: ++counts.skipped;
          }
    REQUIRE(counts == schedule->visit_counts());
    bool agrees = true;
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Step s = schedule->step(k);
      agrees &= s.index == k;
      agrees &= schedule->first_step_of_group(s.section, s.group_id()) <= k;
      agrees &= schedule->end_step_of_group(s.section, s.group_id()) > k;
      if (!s.in_visit()) continue;
      agrees &= schedule->first_step_of_visit(s.section, s.tile()) == k - s.phase_in_visit;
      agrees &= schedule->end_step_of_visit(s.section, s.tile()) == k - s.phase_in_visit + s.phases_in_visit;
      if (schedule->kv_outside(s.section) ==
          schedule->kv_outside(schedule->visit_section()))  // backward_standard has both
        agrees &= schedule->visit_index(s.tile()) == s.visit_index;
    }
    REQUIRE(agrees);
  }
}

TEST_CASE("no step reads what none filled, and residency never exceeds SRAM", "[property]") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto schedule = make_schedule(p);
    Filled filled(*schedule);
    std::int64_t most = 0;
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Step step = schedule->step(k);
      INFO("step " << k << " " << name_of(step.phase));
      if (const std::string lacks = filled.step(step); !lacks.empty()) FAIL(lacks);
      std::int64_t resident = 0;
      for (const Resident& r : schedule->residents(step)) resident += r.bytes;
      most = std::max(most, resident);
    }
    if (p.shape.n_q > 0 && p.shape.n_kv > 0) REQUIRE(filled.unfinished() == "");
    REQUIRE(most <= p.machine.sram_bytes);
    REQUIRE(most <= schedule->sram_peak_bytes());
  }
}

TEST_CASE("closed forms of the walk equal counting, for long lengths and odd bands", "[property]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Draw draw(seed + 5000);
    Problem p;
    p.shape.n_q = draw.upto(1, 3000);
    p.shape.n_kv = draw.upto(1, 3000);
    p.tiling.br = draw.upto(1, 200);
    p.tiling.bc = draw.upto(1, 200);
    p.shape.mask = random_mask(draw, 1500);
    p.tiling.order = KvOrder(draw.upto(0, 1));
    INFO(as_text(p));
    const TileWalk walk(p, p.shape.band());
    std::int64_t visits = 0, cols = 0, pairs = 0;
    bool equal = true;
    for (std::int64_t i = 0; i <= p.q_tiles(); ++i) {
      equal &= walk.visits_before(i) == visits && walk.cols_before(i) == cols;
      if (i == p.q_tiles()) break;
      const TileRange range = walk.visited(i);
      for (std::int64_t v = 0; v < range.count(); ++v) {
        const std::int64_t kv_tile = p.tiling.order == KvOrder::Reverse ? range.end - 1 - v : range.begin + v;
        equal &= walk.cols_of_first(i, v + 1) - walk.cols_of_first(i, v) == p.kv_tile_cols(kv_tile);
        cols += p.kv_tile_cols(kv_tile);
        ++visits;
      }
    }
    for (std::int64_t i = 0; i < p.shape.n_q; ++i)
      pairs += std::max<std::int64_t>(0, p.shape.band().end_col(i, p.shape.n_kv) - p.shape.band().first_col(i));
    REQUIRE(equal);
    REQUIRE(visible_pairs(p.shape.band(), p.shape.n_q, p.shape.n_kv) == pairs);
  }
}

TEST_CASE("a schedule of sixteen million rows opens, counts and finds its steps", "[property]") {
  Problem p;
  p.shape.n_q = p.shape.n_kv = 16777216;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 232448;
  p.shape.mask.kind = MaskKind::Causal;
  REQUIRE(validate(p).empty());
  const auto schedule = make_schedule(p);
  const std::int64_t tiles = p.q_tiles();
  REQUIRE(schedule->visit_counts().visited() == tiles * (tiles + 1) / 2);
  REQUIRE(schedule->step_count() == tiles * 3 + tiles * (tiles + 1) / 2 * 8);
  REQUIRE(schedule->totals_before(schedule->step_count()).cost == whole_run_cost(p));
  for (std::int64_t i : {std::int64_t(0), std::int64_t(1), tiles / 3, tiles - 1}) {
    const std::int64_t first = schedule->first_step_of_visit(0, {.q_tile = i, .kv_tile = i});
    REQUIRE(schedule->step(first).q_tile == i);
    REQUIRE(schedule->step(first).kv_tile == i);
    REQUIRE(schedule->step(first).phase == Phase::LoadKV);
  }
}
