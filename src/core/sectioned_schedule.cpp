#include "core/sectioned_schedule.h"

#include <algorithm>

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
  std::int64_t steps_per_head = 0;
  std::int64_t first_step = 0;
  Cost cost_per_head;
  Cost cost_before;      // of all earlier sections, over all heads
  Bilinear visit_cost;
  Cost edge_full, edge_last;  // prologue and epilogue of a full Q tile, and of the last one
};

class SectionedSchedule final : public Schedule {
 public:
  SectionedSchedule(const Problem& p, SchedulePlan plan)
      : p_(p), plan_(std::move(plan)), band_(p.band()), walk_(p, plan_.visits_masked_tiles ? Band{} : band_),
        q_tiles_(p.q_tiles()), last_rows_(p.q_tile_rows(q_tiles_ - 1)) {
    Cost before;
    for (std::size_t i = 0; i < plan_.sections.size(); ++i) {
      const SectionPlan& from = plan_.sections[i];
      Section s;
      s.prologue = from.prologue;
      s.visit = from.visit;
      s.epilogue = from.epilogue;
      s.visit_cost = visit_coefficients(int(i), from.visit);
      s.edge_full = edge_cost(int(i), from, p_.br);
      s.edge_last = edge_cost(int(i), from, last_rows_);
      s.first_step = step_count_;
      sections_.push_back(std::move(s));
      Section& kept = sections_.back();
      kept.steps_per_head = steps_before_group(kept, q_tiles_);
      kept.cost_per_head = cost_before_group(kept, q_tiles_);
      kept.cost_before = before;
      before += kept.cost_per_head.scaled(p_.batch * p_.heads);
      step_count_ += kept.steps_per_head * p_.batch * p_.heads;
    }
    whole_ = before;
    for (const Resident& r : largest_residents(p_, plan_)) sram_peak_ += r.bytes;
  }

  const Problem& problem() const override { return p_; }
  std::int64_t step_count() const override { return step_count_; }
  int section_count() const override { return int(sections_.size()); }
  TileRange visited(std::int64_t q_tile) const override { return walk_.visited(q_tile); }
  std::int64_t sram_peak_bytes() const override { return sram_peak_; }

  Step step(std::int64_t k) const override {
    Place at = place_of(k);
    const Section& s = sections_[std::size_t(at.section)];
    Step step;
    step.index = k;
    step.section = at.section;
    step.batch = at.bh / p_.heads;
    step.head = at.bh % p_.heads;
    step.q_tile = at.group;
    step.row_begin = at.group * p_.br;
    step.row_end = step.row_begin + p_.q_tile_rows(at.group);
    step.col_end = p_.n_kv;
    step.visits_in_q_tile = s.visit.empty() ? 0 : walk_.visited(at.group).count();
    if (at.visit < 0) {
      const auto& steps = at.edge < std::int64_t(s.prologue.size()) ? s.prologue : s.epilogue;
      const std::int64_t in = at.edge < std::int64_t(s.prologue.size()) ? at.edge : at.edge - std::int64_t(s.prologue.size());
      step.phase = steps[std::size_t(in)];
      step.phase_in_visit = int(at.edge);
      step.phases_in_visit = int(s.prologue.size() + s.epilogue.size());
      return step;
    }
    step.visit = at.visit;
    step.kv_tile = walk_.kv_tile_of_visit(at.group, at.visit);
    step.col_begin = step.kv_tile * p_.bc;
    step.col_end = step.col_begin + p_.kv_tile_cols(step.kv_tile);
    step.phase = s.visit[std::size_t(at.phase)];
    step.phase_in_visit = int(at.phase);
    step.phases_in_visit = int(s.visit.size());
    step.tile_class = tile_class(at.group, step.kv_tile);
    step.visit_index = at.bh * walk_.visits_before(q_tiles_) + walk_.visits_before(at.group) + at.visit;
    return step;
  }

  Totals totals_before(std::int64_t k) const override {
    const std::int64_t visits_per_head = walk_.visits_before(q_tiles_);
    if (k >= step_count_) return {whole_, visits_per_head * p_.batch * p_.heads};
    const Place at = place_of(k);
    const Section& s = sections_[std::size_t(at.section)];
    const std::int64_t rows = p_.q_tile_rows(at.group);
    Totals totals{s.cost_before + s.cost_per_head.scaled(at.bh) + cost_before_group(s, at.group), 0};
    const std::int64_t prologue = std::int64_t(s.prologue.size());
    const std::int64_t visits = s.visit.empty() ? 0 : walk_.visited(at.group).count();
    const std::int64_t edges_done = at.visit >= 0 ? prologue : at.edge;
    const std::int64_t visits_done = at.visit >= 0 ? at.visit : at.edge >= prologue ? visits : 0;
    for (std::int64_t e = 0; e < edges_done; ++e) {
      const Phase phase = e < prologue ? s.prologue[std::size_t(e)] : s.epilogue[std::size_t(e - prologue)];
      totals.cost += plan_.cost(at.section, phase, rows, p_.n_kv);
    }
    totals.cost += s.visit_cost.sum(rows, visits_done, walk_.cols_of_first(at.group, visits_done));
    if (at.visit >= 0) {
      const std::int64_t cols = p_.kv_tile_cols(walk_.kv_tile_of_visit(at.group, at.visit));
      for (std::int64_t f = 0; f < at.phase; ++f)
        totals.cost += plan_.cost(at.section, s.visit[std::size_t(f)], rows, cols);
    }
    if (at.section == 0) {
      totals.visits_done = at.bh * visits_per_head + walk_.visits_before(at.group) + visits_done;
      if (at.visit >= 0 && at.phase > 0) ++totals.visits_done;
    } else {
      totals.visits_done = visits_per_head * p_.batch * p_.heads;
    }
    return totals;
  }

  Cost cost_of(const Step& step) const override {
    return plan_.cost(step.section, step.phase, step.rows(), step.cols());
  }

  std::vector<Resident> residents(const Step& step) const override {
    return plan_.residents(step.section, step.phase, step.rows(), step.cols());
  }

  TileClass tile_class(std::int64_t q_tile, std::int64_t kv_tile) const override {
    const std::int64_t rows = p_.q_tile_rows(q_tile), cols = p_.kv_tile_cols(kv_tile);
    const TileClass found = classify_tile(band_, q_tile * p_.br, q_tile * p_.br + rows, kv_tile * p_.bc,
                                          kv_tile * p_.bc + cols, rows < p_.br || cols < p_.bc);
    return found == TileClass::Skipped && plan_.visits_masked_tiles ? TileClass::Partial : found;
  }

  VisitCounts visit_counts() const override {
    VisitCounts counts;
    for (std::int64_t i = 0; i < q_tiles_; ++i) {
      const TileRange range = walk_.visited(i);
      counts.full += full_tiles(i);
      counts.partial += range.count() - full_tiles(i);
      counts.skipped += p_.kv_tiles() - range.count();
    }
    const std::int64_t heads = p_.batch * p_.heads;
    return {counts.full * heads, counts.partial * heads, counts.skipped * heads};
  }

  std::int64_t first_step_of_group(int section, std::int64_t batch, std::int64_t head, std::int64_t q_tile) const override {
    const Section& s = sections_[std::size_t(section)];
    return s.first_step + (batch * p_.heads + head) * s.steps_per_head + steps_before_group(s, q_tile);
  }

  std::int64_t end_step_of_group(int section, std::int64_t batch, std::int64_t head, std::int64_t q_tile) const override {
    return first_step_of_group(section, batch, head, q_tile + 1);
  }

  std::int64_t first_step_of_visit(int section, std::int64_t batch, std::int64_t head, std::int64_t q_tile,
                                   std::int64_t kv_tile) const override {
    const Section& s = sections_[std::size_t(section)];
    const std::int64_t visit = s.visit.empty() ? -1 : walk_.visit_of_kv_tile(q_tile, kv_tile);
    if (visit < 0) return -1;
    return first_step_of_group(section, batch, head, q_tile) + std::int64_t(s.prologue.size()) +
           visit * std::int64_t(s.visit.size());
  }

  std::int64_t end_step_of_visit(int section, std::int64_t batch, std::int64_t head, std::int64_t q_tile,
                                 std::int64_t kv_tile) const override {
    const std::int64_t first = first_step_of_visit(section, batch, head, q_tile, kv_tile);
    return first < 0 ? -1 : first + std::int64_t(sections_[std::size_t(section)].visit.size());
  }

  std::int64_t visit_index(std::int64_t batch, std::int64_t head, std::int64_t q_tile, std::int64_t kv_tile) const override {
    const std::int64_t visit = walk_.visit_of_kv_tile(q_tile, kv_tile);
    if (visit < 0) return -1;
    return (batch * p_.heads + head) * walk_.visits_before(q_tiles_) + walk_.visits_before(q_tile) + visit;
  }

 private:
  // Where a step lies. edge counts prologue and epilogue steps of the group; visit is -1 on them.
  struct Place {
    int section = 0;
    std::int64_t bh = 0, group = 0, edge = 0, visit = -1, phase = 0;
  };

  Place place_of(std::int64_t k) const {
    Place at;
    while (at.section + 1 < int(sections_.size()) && k >= sections_[std::size_t(at.section) + 1].first_step) ++at.section;
    const Section& s = sections_[std::size_t(at.section)];
    std::int64_t rest = k - s.first_step;
    at.bh = rest / s.steps_per_head;
    rest %= s.steps_per_head;
    std::int64_t low = 0, high = q_tiles_;  // the last group whose first step is <= rest
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (steps_before_group(s, middle) <= rest ? low : high) = middle;
    }
    at.group = low;
    rest -= steps_before_group(s, low);
    const std::int64_t prologue = std::int64_t(s.prologue.size()), phases = std::int64_t(s.visit.size());
    const std::int64_t in_visits = phases == 0 ? 0 : walk_.visited(low).count() * phases;
    if (rest < prologue) at.edge = rest;
    else if (rest < prologue + in_visits) {
      at.visit = (rest - prologue) / phases;
      at.phase = (rest - prologue) % phases;
      at.edge = prologue;
    } else at.edge = rest - in_visits;
    return at;
  }

  std::int64_t steps_before_group(const Section& s, std::int64_t group) const {
    const std::int64_t edges = group * std::int64_t(s.prologue.size() + s.epilogue.size());
    return s.visit.empty() ? edges : edges + std::int64_t(s.visit.size()) * walk_.visits_before(group);
  }

  Cost cost_before_group(const Section& s, std::int64_t group) const {
    const bool past_last = group == q_tiles_;
    const std::int64_t whole = past_last ? group - 1 : group;
    Cost cost = s.edge_full.scaled(whole);
    if (!s.visit.empty()) cost += s.visit_cost.sum(p_.br, walk_.visits_before(whole), walk_.cols_before(whole));
    if (past_last) {
      cost += s.edge_last;
      const std::int64_t visits = s.visit.empty() ? 0 : walk_.visited(whole).count();
      cost += s.visit_cost.sum(last_rows_, visits, walk_.cols_of_first(whole, visits));
    }
    return cost;
  }

  Bilinear visit_coefficients(int section, const std::vector<Phase>& phases) const {
    Cost c00, c10, c01, c11;
    for (Phase phase : phases) {
      c00 += plan_.cost(section, phase, 0, 0);
      c10 += plan_.cost(section, phase, 1, 0);
      c01 += plan_.cost(section, phase, 0, 1);
      c11 += plan_.cost(section, phase, 1, 1);
    }
    Bilinear out;
    out.one = c00;
    out.rows = c10 + c00.scaled(-1);
    out.cols = c01 + c00.scaled(-1);
    out.rows_cols = c11 + c10.scaled(-1) + c01.scaled(-1) + c00;
    return out;
  }

  Cost edge_cost(int section, const SectionPlan& from, std::int64_t rows) const {
    Cost cost;
    for (Phase phase : from.prologue) cost += plan_.cost(section, phase, rows, p_.n_kv);
    for (Phase phase : from.epilogue) cost += plan_.cost(section, phase, rows, p_.n_kv);
    return cost;
  }

  std::int64_t full_tiles(std::int64_t q_tile) const {
    const std::int64_t rows = p_.q_tile_rows(q_tile);
    if (rows < p_.br) return 0;
    const std::int64_t row_begin = q_tile * p_.br;
    const std::int64_t first = band_.first_col(row_begin + rows - 1);
    const std::int64_t end = band_.end_col(row_begin, p_.n_kv);
    if (end <= 0) return 0;
    return std::max<std::int64_t>(0, end / p_.bc - (first + p_.bc - 1) / p_.bc);
  }

  Problem p_;
  SchedulePlan plan_;
  Band band_;
  TileWalk walk_;
  std::int64_t q_tiles_, last_rows_;
  std::vector<Section> sections_;
  std::int64_t step_count_ = 0;
  std::int64_t sram_peak_ = 0;
  Cost whole_;
};

}  // namespace

std::unique_ptr<const Schedule> make_sectioned_schedule(const Problem& p, SchedulePlan plan) {
  return std::make_unique<SectionedSchedule>(p, std::move(plan));
}

std::vector<Resident> largest_residents(const Problem& p, const SchedulePlan& plan) {
  const std::int64_t rows = std::min(p.br, p.n_q), tile_cols = std::min(p.bc, p.n_kv);
  std::vector<Resident> largest;
  std::int64_t most = -1;
  auto consider = [&](int section, const std::vector<Phase>& phases, std::int64_t cols) {
    for (Phase phase : phases) {
      std::vector<Resident> now = plan.residents(section, phase, rows, cols);
      std::int64_t sum = 0;
      for (const Resident& r : now) sum += r.bytes;
      if (sum > most) most = sum, largest = std::move(now);
    }
  };
  for (std::size_t i = 0; i < plan.sections.size(); ++i) {
    consider(int(i), plan.sections[i].prologue, p.n_kv);
    consider(int(i), plan.sections[i].visit, tile_cols);
    consider(int(i), plan.sections[i].epilogue, p.n_kv);
  }
  return largest;
}

SchedulePlan plan_for(const Problem& p) {
  switch (p.schedule) {
    case ScheduleKind::Standard: return standard_plan(p);
    case ScheduleKind::FlashV2: return flash_v2_plan(p);
  }
  return {};
}

std::unique_ptr<const Schedule> make_schedule(const Problem& p) { return make_sectioned_schedule(p, plan_for(p)); }

std::vector<Resident> peak_residents(const Problem& p) { return largest_residents(p, plan_for(p)); }

}  // namespace tilewalk
