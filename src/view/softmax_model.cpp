#include "view/softmax_model.h"

#include <fmt/format.h>

#include <cmath>

#include "view/sentence.h"
#include "view/units.h"

namespace tilewalk {

SoftmaxModel build_softmax_model(const Schedule& schedule, const State& state) {
  const Problem& p = schedule.problem();
  const bool online = p.schedule != ScheduleKind::Standard;
  SoftmaxModel model;
  model.sentence = step_sentence(schedule, state);
  if (online) {
    model.columns = {"row", "m", "tile max", "m new", "α", "ℓ", "ℓ new"};
    model.alpha_column = 4;
    model.new_columns = {3, 6};
  } else {
    model.columns = {"row", "max", "sum"};
    model.new_columns = {1, 2};
  }
  model.title = online ? "Online softmax" : "Softmax of whole rows";
  if (!state.started) return model;
  const Step& step = state.step;
  model.title += step.kv_tile >= 0 ? fmt::format(" · Q tile {} meets KV tile {}", step.q_tile, step.kv_tile)
                                   : fmt::format(" · Q tile {}", step.q_tile);

  const auto score = [&](const std::vector<float>& values, std::int64_t r) {
    return r < std::int64_t(values.size()) ? compact_number(display_score(p, values[r])) : std::string();
  };
  const auto plain = [&](const std::vector<float>& values, std::int64_t r) {
    return r < std::int64_t(values.size()) ? compact_number(values[r]) : std::string();
  };
  const bool has_max = step.phase != Phase::LoadKV && step.phase != Phase::Scores && step.phase != Phase::Mask;
  const std::int64_t spoken = spoken_row(state);
  for (std::int64_t r = 0; r < step.rows(); ++r) {
    SoftmaxRow row;
    row.row = step.row_begin + r;
    row.cells.push_back(fmt::format("{}", row.row));
    if (!online) {
      row.cells.push_back(score(state.m, r));
      row.cells.push_back(plain(state.l, r));
    } else if (step.in_visit()) {
      const bool summed = step.phase == Phase::RowSum || step.phase == Phase::Accumulate;
      row.cells.push_back(score(has_max && !state.m_old.empty() ? state.m_old : state.m, r));
      row.cells.push_back(has_max ? score(state.tile_max, r) : "");
      row.cells.push_back(has_max ? score(state.m, r) : "");
      row.cells.push_back(plain(state.alpha, r));
      row.cells.push_back(plain(!state.l_old.empty() ? state.l_old : state.l, r));
      row.cells.push_back(summed ? plain(state.l, r) : "");
      row.rescaled = r < std::int64_t(state.alpha.size()) && state.alpha[r] < 1.0f;
    } else {
      row.cells.insert(row.cells.end(), {score(state.m, r), "", "", "", plain(state.l, r), ""});
    }
    row.spoken = r == spoken && step.phase != Phase::LoadQ && step.phase != Phase::LoadKV && step.phase != Phase::Mask;
    model.rows.push_back(std::move(row));
  }
  return model;
}

}  // namespace tilewalk
