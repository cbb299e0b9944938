#include "core/walk/sectioned_schedule.h"

#include <algorithm>

#include "core/walk/group_walk.h"
#include "core/walk/tile_walk.h"

namespace tilewalk {
namespace {

// The cost of one visit's phases as a rows cols + b rows + c cols + e.
struct Bilinear {
  Cost rows_cols, rows, cols, one;

  Cost sum(std::int64_t row_count, std::int64_t visits, std::int64_t col_sum) const {
    return rows_cols.scaled(row_count * col_sum) + rows.scaled(row_count * visits) + cols.scaled(col_sum) +
           one.scaled(visits);
  }
};

struct Section {
  std::vector<Phase> prologue, visit, epilogue;
  GroupWalk walk;
  bool kv_outside = false;
  std::int64_t turns = 1;  // query heads that a group serves, one after the other
  std::int64_t steps_per_head = 0;
  std::int64_t first_step = 0;
  std::int64_t visits_per_head = 0;
  Cost cost_per_head{};
  Cost cost_before{};     // of all earlier sections, over all heads
  Bilinear visit_cost{};  // in (outer, inner)
  Cost edge_full{};       // prologue and epilogue of a group with a full outer tile
  Cost edge_last{};       // the same for the last group

  std::int64_t edges() const { return std::int64_t(prologue.size() + epilogue.size()); }
  std::int64_t phases() const { return std::int64_t(visit.size()); }
  std::int64_t visits_of_turn(std::int64_t group) const { return visit.empty() ? 0 : walk.visits(group); }
  std::int64_t visits(std::int64_t group) const { return visits_of_turn(group) * turns; }
  // The query head of the group that a visit serves, and the inner tile of that visit.
  std::int64_t turn(std::int64_t group, std::int64_t at) const { return turns == 1 ? 0 : at / visits_of_turn(group); }
  std::int64_t inner_tile(std::int64_t group, std::int64_t at) const {
    return walk.inner_tile(group, turns == 1 ? at : at % visits_of_turn(group));
  }
  std::int64_t inner_sum_of_first(std::int64_t group, std::int64_t count) const {
    const std::int64_t each = visits_of_turn(group);
    if (turns == 1 || each == 0) return walk.inner_sum_of_first(group, count);
    return count / each * walk.inner_sum_of_first(group, each) + walk.inner_sum_of_first(group, count % each);
  }
};

class SectionedSchedule final : public Schedule {
 public:
  SectionedSchedule(const Problem& p, SchedulePlan plan)
      : p_(p), plan_(std::move(plan)), band_(p.shape.band()), walk_(p, plan_.visits_masked_tiles ? Band{} : band_) {
    Cost before;
    for (std::size_t i = 0; i < plan_.sections.size(); ++i) {
      const SectionPlan& from = plan_.sections[i];
      const Outside outside = from.kv_outside ? Outside::KvTiles : from.splits ? Outside::Splits : Outside::QTiles;
      const GroupWalk walk(p, plan_.visits_masked_tiles ? Band{} : band_, outside, from.shares_heads);
      Section s{.prologue = from.prologue,
                .visit = from.visit,
                .epilogue = from.epilogue,
                .walk = walk,
                .kv_outside = from.kv_outside,
                .turns = from.shares_heads ? p.shape.head_group() : 1,
                .cost_before = before};
      s.visit_cost = visit_coefficients(from);
      s.edge_full = edge_cost(from, from.kv_outside ? p.tiling.bc : p.tiling.br);
      s.edge_last = edge_cost(from, s.walk.outer_size(s.walk.groups() - 1));
      s.first_step = step_count_;
      s.visits_per_head = s.visit.empty() ? 0 : visits_below(s, s.walk.groups());
      s.steps_per_head = steps_below(s, s.walk.groups());
      s.cost_per_head = cost_below(s, s.walk.groups());
      before += s.cost_per_head.scaled(p_.shape.batch * heads(s));
      step_count_ += s.steps_per_head * p_.shape.batch * heads(s);
      if (visit_section_ < 0 && !s.visit.empty()) visit_section_ = int(i);
      sections_.push_back(std::move(s));
    }
    whole_ = before;
    for (const Resident& r : largest_residents(p_, plan_)) sram_peak_ += r.bytes;
  }

  const Problem& problem() const override { return p_; }
  const SchedulePlan& plan() const override { return plan_; }
  std::int64_t step_count() const override { return step_count_; }
  int visit_section() const override { return visit_section_; }
  TileRange visited(std::int64_t q_tile) const override { return walk_.visited(q_tile); }
  std::int64_t sram_peak_bytes() const override { return sram_peak_; }

  Step step(std::int64_t k) const override {
    const Place at = place_of(k);
    const Section& s = sections_[std::size_t(at.section)];
    Step step;
    step.index = k;
    step.section = at.section;
    step.section_name = section_name(at.section);
    step.batch = at.bh / heads(s);
    step.head = at.bh % heads(s) * s.turns;
    step.group = at.group;
    step.split = s.walk.split(at.group);
    const std::int64_t outer_tile = s.walk.outer_tile(at.group);
    step.q_tile = s.kv_outside ? -1 : outer_tile;
    step.row_end = p_.shape.n_q;
    step.col_end = p_.shape.n_kv;
    step.visits_in_group = s.visits(at.group);
    if (at.visit < 0) {
      const std::int64_t prologue = std::int64_t(s.prologue.size());
      step.phase = at.edge < prologue ? s.prologue[std::size_t(at.edge)] : s.epilogue[std::size_t(at.edge - prologue)];
      step.phase_in_visit = int(at.edge);
      step.phases_in_visit = int(s.edges());
      if (at.edge >= prologue) step.head += s.turns - 1;
      if (s.kv_outside)
        set_kv_tile(step, outer_tile);
      else
        set_q_tile(step, outer_tile);
      return step;
    }
    const std::int64_t inner = s.inner_tile(at.group, at.visit);
    step.head += s.turn(at.group, at.visit);
    step.visit = at.visit;
    set_q_tile(step, s.kv_outside ? inner : outer_tile);
    set_kv_tile(step, s.kv_outside ? outer_tile : inner);
    step.phase = s.visit[std::size_t(at.phase)];
    step.phase_in_visit = int(at.phase);
    step.phases_in_visit = int(s.phases());
    step.tile_class = tile_class(step.q_tile, step.kv_tile);
    step.visit_index = at.bh * s.visits_per_head + visits_before(s, at.group) + at.visit;
    return step;
  }

  Totals totals_before(std::int64_t k) const override {
    if (k >= step_count_) return {whole_, all_visits()};
    const Place at = place_of(k);
    const Section& s = sections_[std::size_t(at.section)];
    const std::int64_t outer = s.walk.outer_size(at.group);
    Totals totals{s.cost_before + s.cost_per_head.scaled(at.bh) + cost_before(s, at.group), 0};
    const std::int64_t prologue = std::int64_t(s.prologue.size());
    const std::int64_t edges_done = at.visit >= 0 ? prologue : at.edge;
    const std::int64_t visits_done = at.visit >= 0 ? at.visit : at.edge >= prologue ? s.visits(at.group) : 0;
    for (std::int64_t e = 0; e < edges_done; ++e) {
      const Phase phase = e < prologue ? s.prologue[std::size_t(e)] : s.epilogue[std::size_t(e - prologue)];
      totals.cost += edge_phase_cost(section(at.section), phase, outer);
    }
    if (!s.visit.empty())
      totals.cost += s.visit_cost.sum(outer, visits_done, s.inner_sum_of_first(at.group, visits_done));
    if (at.visit >= 0) {
      const std::int64_t inner = s.walk.inner_size(s.inner_tile(at.group, at.visit));
      for (std::int64_t f = 0; f < at.phase; ++f)
        totals.cost += cost_at(section(at.section), s.visit[std::size_t(f)], outer, inner);
    }
    if (at.section < visit_section_) return totals;
    if (at.section > visit_section_)
      totals.visits_done = all_visits();
    else
      totals.visits_done = at.bh * s.visits_per_head + visits_before(s, at.group) + visits_done +
                           (at.visit >= 0 && at.phase > 0 ? 1 : 0);
    return totals;
  }

  Cost cost_of(const Step& step) const override {
    return plan_.cost(step.section_name, step.phase, step.rows(), step.cols());
  }

  std::vector<Resident> residents(const Step& step) const override {
    return plan_.residents(step.section_name, step.phase, step.rows(), step.cols());
  }

  TileClass tile_class(std::int64_t q_tile, std::int64_t kv_tile) const override {
    const std::int64_t rows = p_.q_tile_rows(q_tile), cols = p_.kv_tile_cols(kv_tile);
    const TileClass found =
        classify_tile(band_, q_tile * p_.tiling.br, q_tile * p_.tiling.br + rows, kv_tile * p_.tiling.bc,
                      kv_tile * p_.tiling.bc + cols, rows < p_.tiling.br || cols < p_.tiling.bc);
    return found == TileClass::Skipped && plan_.visits_masked_tiles ? TileClass::Partial : found;
  }

  VisitCounts visit_counts() const override {
    VisitCounts counts;
    for (std::int64_t i = 0; i < p_.q_tiles(); ++i) {
      const TileRange range = walk_.visited(i);
      counts.full += full_tiles(i);
      counts.partial += range.count() - full_tiles(i);
      counts.skipped += p_.kv_tiles() - range.count();
    }
    const std::int64_t heads = p_.shape.batch * p_.shape.heads;
    return {counts.full * heads, counts.partial * heads, counts.skipped * heads};
  }

  std::int64_t first_step_of_group(int section, const GroupId& id) const override {
    const Section& s = sections_[std::size_t(section)];
    return s.first_step + place_of_head(s, id.batch, id.head) * s.steps_per_head + steps_before(s, id.group);
  }

  std::int64_t end_step_of_group(int section, const GroupId& id) const override {
    return first_step_of_group(section, id) + steps_of(sections_[std::size_t(section)], id.group);
  }

  std::int64_t first_step_of_visit(int section, const TileId& tile) const override {
    const Section& s = sections_[std::size_t(section)];
    if (s.visit.empty()) return -1;
    const auto [group, visit] = visit_of(s, tile);
    if (visit < 0) return -1;
    return first_step_of_group(section, {tile.batch, tile.head, group}) + std::int64_t(s.prologue.size()) +
           visit * s.phases();
  }

  std::int64_t end_step_of_visit(int section, const TileId& tile) const override {
    const std::int64_t first = first_step_of_visit(section, tile);
    return first < 0 ? -1 : first + sections_[std::size_t(section)].phases();
  }

  std::int64_t visit_index(const TileId& tile) const override {
    const Section& s = sections_[std::size_t(visit_section_)];
    const auto [group, visit] = visit_of(s, tile);
    if (visit < 0) return -1;
    return place_of_head(s, tile.batch, tile.head) * s.visits_per_head + visits_before(s, group) + visit;
  }

 private:
  // The position of a step. edge counts prologue and epilogue steps of the group; visit is -1 on them.
  struct Place {
    int section = 0;
    std::int64_t bh = 0, group = 0, edge = 0, visit = -1, phase = 0;
  };

  Place place_of(std::int64_t k) const {
    Place at;
    while (at.section + 1 < int(sections_.size()) && k >= sections_[std::size_t(at.section) + 1].first_step)
      ++at.section;
    const Section& s = sections_[std::size_t(at.section)];
    std::int64_t rest = k - s.first_step;
    at.bh = rest / s.steps_per_head;
    rest %= s.steps_per_head;
    std::int64_t low = 0, high = s.walk.groups();  // the last place whose first step is <= rest
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (steps_before(s, s.walk.group_at(middle)) <= rest ? low : high) = middle;
    }
    at.group = s.walk.group_at(low);
    rest -= steps_before(s, at.group);
    const std::int64_t prologue = std::int64_t(s.prologue.size()), in_visits = s.visits(at.group) * s.phases();
    if (rest < prologue)
      at.edge = rest;
    else if (rest < prologue + in_visits) {
      at.visit = (rest - prologue) / s.phases();
      at.phase = (rest - prologue) % s.phases();
      at.edge = prologue;
    } else
      at.edge = rest - in_visits;
    return at;
  }

  void set_q_tile(Step& step, std::int64_t tile) const {
    step.q_tile = tile;
    step.row_begin = tile * p_.tiling.br;
    step.row_end = step.row_begin + p_.q_tile_rows(tile);
  }

  void set_kv_tile(Step& step, std::int64_t tile) const {
    step.kv_tile = tile;
    step.col_begin = tile * p_.tiling.bc;
    step.col_end = step.col_begin + p_.kv_tile_cols(tile);
  }

  // Heads that a section walks one after the other: KV heads where a group serves all query heads that share one.
  std::int64_t heads(const Section& s) const { return p_.shape.heads / s.turns; }
  std::int64_t place_of_head(const Section& s, std::int64_t batch, std::int64_t head) const {
    return batch * heads(s) + head / s.turns;
  }

  // The group that visits a tile, and which of its visits that is; -1 where it never does.
  struct GroupVisit {
    std::int64_t group = 0, visit = -1;
  };
  GroupVisit visit_of(const Section& s, const TileId& tile) const {
    const std::int64_t outer = s.kv_outside ? tile.kv_tile : tile.q_tile,
                       inner = s.kv_outside ? tile.q_tile : tile.kv_tile, group = s.walk.group_of(outer, inner),
                       visit = s.walk.visit_of(group, inner);
    return {group, visit < 0 ? -1 : tile.head % s.turns * s.visits_of_turn(group) + visit};
  }

  std::int64_t all_visits() const {
    const Section& s = sections_[std::size_t(visit_section_)];
    return s.visits_per_head * p_.shape.batch * heads(s);
  }

  // "below": over groups [0, group). "before": over everything that the walk does before that group.
  std::int64_t steps_below(const Section& s, std::int64_t group) const {
    return s.walk.occurring_below(group) * s.edges() + (s.visit.empty() ? 0 : s.phases() * visits_below(s, group));
  }

  std::int64_t visits_below(const Section& s, std::int64_t group) const { return s.walk.visits_below(group) * s.turns; }

  std::int64_t steps_of(const Section& s, std::int64_t group) const {
    return s.walk.occurs(group) ? s.edges() + s.visits(group) * s.phases() : 0;
  }

  std::int64_t steps_before(const Section& s, std::int64_t group) const {
    return s.walk.backwards() ? steps_below(s, s.walk.groups()) - steps_below(s, group + 1) : steps_below(s, group);
  }

  std::int64_t visits_before(const Section& s, std::int64_t group) const {
    return s.walk.backwards() ? s.visits_per_head - visits_below(s, group + 1) : visits_below(s, group);
  }

  Cost cost_before(const Section& s, std::int64_t group) const {
    return s.walk.backwards() ? s.cost_per_head + cost_below(s, group + 1).scaled(-1) : cost_below(s, group);
  }

  Cost cost_below(const Section& s, std::int64_t group) const {
    const std::int64_t whole = std::min(group, s.walk.groups_of_one_size());
    Cost cost = s.edge_full.scaled(s.walk.occurring_below(whole));
    if (!s.visit.empty())
      cost += s.visit_cost.sum(s.walk.outer_size(0), visits_below(s, whole), s.walk.inner_sum_below(whole) * s.turns);
    for (std::int64_t last = whole; last < group; ++last) {
      if (!s.walk.occurs(last)) continue;
      cost += s.edge_last;
      const std::int64_t visits = s.visits(last);
      if (visits > 0) cost += s.visit_cost.sum(s.walk.outer_size(last), visits, s.inner_sum_of_first(last, visits));
    }
    return cost;
  }

  Cost cost_at(const SectionPlan& s, Phase phase, std::int64_t outer, std::int64_t inner) const {
    return s.kv_outside ? plan_.cost(s.name, phase, inner, outer) : plan_.cost(s.name, phase, outer, inner);
  }

  Cost edge_phase_cost(const SectionPlan& s, Phase phase, std::int64_t outer) const {
    return cost_at(s, phase, outer, s.kv_outside ? p_.shape.n_q : p_.shape.n_kv);
  }

  Bilinear visit_coefficients(const SectionPlan& from) const {
    Cost c00, c10, c01, c11;
    for (Phase phase : from.visit) {
      c00 += cost_at(from, phase, 0, 0);
      c10 += cost_at(from, phase, 1, 0);
      c01 += cost_at(from, phase, 0, 1);
      c11 += cost_at(from, phase, 1, 1);
    }
    Bilinear out;
    out.one = c00;
    out.rows = c10 + c00.scaled(-1);
    out.cols = c01 + c00.scaled(-1);
    out.rows_cols = c11 + c10.scaled(-1) + c01.scaled(-1) + c00;
    return out;
  }

  Cost edge_cost(const SectionPlan& from, std::int64_t outer) const {
    Cost cost;
    for (Phase phase : from.prologue) cost += edge_phase_cost(from, phase, outer);
    for (Phase phase : from.epilogue) cost += edge_phase_cost(from, phase, outer);
    return cost;
  }

  std::int64_t full_tiles(std::int64_t q_tile) const {
    const std::int64_t rows = p_.q_tile_rows(q_tile);
    if (rows < p_.tiling.br) return 0;
    const std::int64_t row_begin = q_tile * p_.tiling.br;
    const std::int64_t first = band_.first_col(row_begin + rows - 1);
    const std::int64_t end = band_.end_col(row_begin, p_.shape.n_kv);
    if (end <= 0) return 0;
    return std::max<std::int64_t>(0, end / p_.tiling.bc - (first + p_.tiling.bc - 1) / p_.tiling.bc);
  }

  Problem p_;
  SchedulePlan plan_;
  Band band_;
  TileWalk walk_;
  std::vector<Section> sections_;
  int visit_section_ = -1;
  std::int64_t step_count_ = 0;
  std::int64_t sram_peak_ = 0;
  Cost whole_;
};

}  // namespace

std::unique_ptr<const Schedule> make_sectioned_schedule(const Problem& p, SchedulePlan plan) {
  return std::make_unique<SectionedSchedule>(p, std::move(plan));
}

}  // namespace tilewalk
