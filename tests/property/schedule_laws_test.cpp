// Laws that every schedule satisfies, on random problems. A failing problem is printed as flags.
#include <set>

#include "core/schedules/registry.h"
#include "core/schedules/validate.h"
#include "core/walk/schedule.h"
#include "core/walk/tile_walk.h"
#include "core/witness/formulas.h"
#include "tests/property/filled_backward.h"
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
    std::int64_t again = 0, pairs = 0;
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Step step = schedule->step(k);
      if (step.in_visit()) REQUIRE(step.tile_class != TileClass::Skipped);
      // The backward passes compute dS once for each pair; those that recompute P compute its score once too.
      if (is_backward(p.schedule) && step.phase == Phase::Scores) again += step.rows() * step.cols();
      if (step.phase != (is_backward(p.schedule) ? Phase::GradS : Phase::Scores)) continue;
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
    REQUIRE(
        (p.schedule == ScheduleKind::Backward || p.schedule == ScheduleKind::BackwardV1 ? again == pairs : again == 0));
    const std::int64_t products = p.schedule == ScheduleKind::BackwardStandard ? 4 : is_backward(p.schedule) ? 5 : 2;
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
      agrees &= schedule->first_step_of_group(s.section, s.batch, s.head, s.group) <= k;
      agrees &= schedule->end_step_of_group(s.section, s.batch, s.head, s.group) > k;
      if (!s.in_visit()) continue;
      agrees &= schedule->first_step_of_visit(s.section, s.batch, s.head, s.q_tile, s.kv_tile) == k - s.phase_in_visit;
      agrees &= schedule->end_step_of_visit(s.section, s.batch, s.head, s.q_tile, s.kv_tile) ==
                k - s.phase_in_visit + s.phases_in_visit;
      if (schedule->kv_outside(s.section) ==
          schedule->kv_outside(schedule->visit_section()))  // backward_standard has both
        agrees &= schedule->visit_index(s.batch, s.head, s.q_tile, s.kv_tile) == s.visit_index;
    }
    REQUIRE(agrees);
  }
}

namespace {

// Contents of SRAM and HBM during the steps; a read of data that no step wrote is an error.
struct Filled {
  std::set<std::pair<TensorId, std::int64_t>> sram;  // tensor, tile
  std::set<std::pair<std::int64_t, std::int64_t>> s_stored,
      p_stored;                     // (head x q_tile, kv_tile); p: kv_tile -1 for the row
  std::set<std::int64_t> o_stored;  // flash_v1: head x q_tile
  bool flash_v1 = false;

  bool step(const Problem& p, const Step& s) {
    const std::int64_t group = (s.batch * p.shape.heads + s.head) * p.q_tiles() + s.q_tile;
    const std::int64_t tile = s.in_visit() ? s.kv_tile : -1;
    auto has = [&](TensorId id, std::int64_t t) { return sram.count({id, t}) == 1; };
    auto fill = [&](TensorId id, std::int64_t t) { sram.insert({id, t}); };
    if (new_group(s)) sram.clear();
    switch (s.phase) {
      case Phase::Initialise: o_stored.insert(group); return true;
      case Phase::LoadO: fill(TensorId::O, group); return o_stored.count(group) == 1;
      case Phase::LoadQ:
        fill(TensorId::Q, group);
        if (flash_v1 && !(o_stored.count(group) && has(TensorId::K, s.kv_tile))) return false;
        fill(TensorId::O, group);
        fill(TensorId::m, -1);
        fill(TensorId::l, -1);
        return true;
      case Phase::LoadKV:
        drop_visit();
        fill(TensorId::K, s.kv_tile);
        fill(TensorId::V, s.kv_tile);
        return true;
      case Phase::LoadK:
        drop_visit();
        fill(TensorId::K, tile);
        return true;
      case Phase::Scores: fill(TensorId::S, tile); return has(TensorId::Q, group) && has(TensorId::K, tile);
      case Phase::Mask: return has(TensorId::S, tile);
      case Phase::StoreS: s_stored.insert({group, tile}); return has(TensorId::S, tile);
      case Phase::LoadS:
      case Phase::LoadSAgain: {
        fill(TensorId::S, -1);
        for (std::int64_t j = 0; j < p.kv_tiles(); ++j)
          if (!s_stored.count({group, j})) return false;
        return true;
      }
      case Phase::RowMax: fill(TensorId::m, -1); return has(TensorId::S, tile);
      case Phase::Rescale: fill(TensorId::L, tile); return has(TensorId::m, -1) && has(TensorId::O, group);
      case Phase::Exponentiate: fill(TensorId::P, tile); return has(TensorId::S, tile) && has(TensorId::m, -1);
      case Phase::RowSum: fill(TensorId::l, -1); return has(TensorId::P, tile);
      case Phase::Divide: return has(TensorId::P, tile) && has(TensorId::l, -1);
      case Phase::StoreP: p_stored.insert({group, -1}); return has(TensorId::P, -1);
      case Phase::LoadL: fill(TensorId::l, -1); return p_stored.count({group, -1}) == 1;
      case Phase::LoadPV:
        drop_visit();
        fill(TensorId::P, tile);
        fill(TensorId::V, tile);
        fill(TensorId::O, group);
        return p_stored.count({group, -1}) == 1;
      case Phase::Accumulate: return has(TensorId::P, tile) && has(TensorId::V, tile) && has(TensorId::O, group);
      case Phase::Normalise: return has(TensorId::O, group) && has(TensorId::l, -1);
      case Phase::Store: return has(TensorId::O, group);
      case Phase::StorePartial: s_stored.insert({group, -2 - s.split}); return has(TensorId::O, group);
      case Phase::LoadPartials:
        for (std::int64_t n = 0; n < p.tiling.splits; ++n)
          if (!s_stored.count({group, -2 - n})) return false;
        fill(TensorId::LPartial, -1);
        return true;
      case Phase::MergeMax: fill(TensorId::m, -1); return has(TensorId::LPartial, -1);
      case Phase::MergeWeights: fill(TensorId::l, -1); return has(TensorId::LPartial, -1) && has(TensorId::m, -1);
      case Phase::MergeO: fill(TensorId::O, group); return has(TensorId::l, -1);
      default: return false;  // the backward passes have a tracker of their own
    }
    return false;
  }

 private:
  bool new_group(const Step& s) {
    const auto now = std::make_tuple(s.section, s.batch, s.head, s.group);
    const bool changed = now != last_;
    last_ = now;
    return changed;
  }
  void drop_visit() {
    for (auto it = sram.begin(); it != sram.end();)
      it = it->first == TensorId::K || it->first == TensorId::V || it->first == TensorId::S || it->first == TensorId::P
               ? sram.erase(it)
               : std::next(it);
  }
  std::tuple<int, std::int64_t, std::int64_t, std::int64_t> last_{-1, 0, 0, 0};
};

}  // namespace

TEST_CASE("no step reads unwritten data, and residency never exceeds SRAM", "[property]") {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto schedule = make_schedule(p);
    Filled filled;
    FilledBackward backward(*schedule);
    filled.flash_v1 = p.schedule == ScheduleKind::FlashV1;
    std::int64_t most = 0;
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Step step = schedule->step(k);
      INFO("step " << k << " " << name_of(step.phase));
      if (!(is_backward(p.schedule) ? backward.step(step) : filled.step(p, step))) FAIL("reads what none filled");
      std::int64_t resident = 0;
      for (const Resident& r : schedule->residents(step)) resident += r.bytes;
      most = std::max(most, resident);
    }
    if (is_backward(p.schedule)) REQUIRE(backward.finished());
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
      for (std::int64_t v = 0; v < walk.visited(i).count(); ++v) {
        equal &= walk.cols_of_first(i, v + 1) - walk.cols_of_first(i, v) == p.kv_tile_cols(walk.kv_tile_of_visit(i, v));
        cols += p.kv_tile_cols(walk.kv_tile_of_visit(i, v));
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
    const std::int64_t first = schedule->first_step_of_visit(0, 0, 0, i, i);
    REQUIRE(schedule->step(first).q_tile == i);
    REQUIRE(schedule->step(first).kv_tile == i);
    REQUIRE(schedule->step(first).phase == Phase::LoadKV);
  }
}
