#include "core/walk/schedule_plan.h"

#include <algorithm>

namespace tilewalk {
namespace {

int place_in(const std::vector<Phase>& phases, Phase phase) {
  const auto at = std::find(phases.begin(), phases.end(), phase);
  return at == phases.end() ? -1 : int(at - phases.begin());
}

}  // namespace

int SectionPlan::place_in_visit(Phase phase) const { return place_in(visit, phase); }

int SectionPlan::place_on_edge(Phase phase) const {
  if (const int before = place_in(prologue, phase); before >= 0) return before;
  const int after = place_in(epilogue, phase);
  return after < 0 ? -1 : int(prologue.size()) + after;
}

std::vector<Resident> largest_residents(const Problem& p, const SchedulePlan& plan) {
  const std::int64_t tile_rows = std::min(p.tiling.br, p.shape.n_q), tile_cols = std::min(p.tiling.bc, p.shape.n_kv);
  std::vector<Resident> largest;
  std::int64_t most = -1;
  auto consider = [&](SectionName section, const std::vector<Phase>& phases, std::int64_t r, std::int64_t c) {
    for (Phase phase : phases) {
      std::vector<Resident> now = plan.residents(section, phase, r, c);
      std::int64_t sum = 0;
      for (const Resident& each : now) sum += each.bytes;
      if (sum > most) most = sum, largest = std::move(now);
    }
  };
  for (const SectionPlan& section : plan.sections) {
    // Where KV tiles are outside, a prologue or epilogue step covers a KV tile over all rows.
    const std::int64_t edge_rows = section.kv_outside ? p.shape.n_q : tile_rows,
                       edge_cols = section.kv_outside ? tile_cols : p.shape.n_kv;
    consider(section.name, section.prologue, edge_rows, edge_cols);
    consider(section.name, section.visit, tile_rows, tile_cols);
    consider(section.name, section.epilogue, edge_rows, edge_cols);
  }
  return largest;
}

}  // namespace tilewalk
