#include "view/present/present_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/words/mask_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::vector<std::string> facts_of(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  const VisitCounts counts = schedule.visit_counts();
  const std::int64_t skipped = counts.skipped / (p.shape.batch * p.shape.heads), all = p.q_tiles() * p.kv_tiles();
  std::vector<std::string> facts = {"A row of Q times a row of K is one score."};
  facts.push_back(skipped == 0 ? fmt::format("All {} are visited.", counted(all, "tile"))
                               : fmt::format("{} of {} are skipped: {}.", format_count(skipped), counted(all, "tile"),
                                             mask_rule(p)));
  facts.push_back(row_of(p).memory.scores_in_hbm ? "Every score is written to HBM and read again."
                                                 : "A tile's scores are used on chip and never stored.");
  return facts;
}

std::vector<std::string> names(TensorId tensor, std::int64_t tiles, int boxes) {
  std::vector<std::string> out;
  if (tiles == boxes)
    for (std::int64_t i = 0; i < tiles; ++i) out.push_back(tile_name(tensor, i));
  return out;
}

}  // namespace

PresentMap build_present_map(const Schedule& schedule, const State& state) {
  const Problem& p = schedule.problem();
  PresentMap map;
  map.title = fmt::format("{}×{} scores in tiles of {}×{}", format_count(p.shape.n_q), format_count(p.shape.n_kv),
                          p.tiling.br, p.tiling.bc);
  map.high = int(std::min(PresentMap::kMostOnASide, p.q_tiles()));
  map.wide = int(std::min(PresentMap::kMostOnASide, p.kv_tiles()));
  if (map.high < p.q_tiles() || map.wide < p.kv_tiles()) map.title += " · a box is several tiles";
  map.rows = names(TensorId::Q, p.q_tiles(), map.high);
  map.cols = names(TensorId::K, p.kv_tiles(), map.wide);
  for (int row = 0; row < map.high; ++row)
    for (int col = 0; col < map.wide; ++col)
      map.boxes.push_back(tile_state(schedule, state, row * p.q_tiles() / map.high, col * p.kv_tiles() / map.wide));
  if (state.started && state.step.q_tile >= 0) map.now_row = int(state.step.q_tile * map.high / p.q_tiles());
  if (!state.started) map.facts = facts_of(schedule);
  return map;
}

}  // namespace tilewalk
