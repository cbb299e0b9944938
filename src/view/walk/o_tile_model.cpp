#include "view/walk/o_tile_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"

namespace tilewalk {

ShownTile shown_tile(const State& state, const ScheduleRow& row) {
  const Step& step = state.step;
  ShownTile shown;
  const auto take = [&](Quantity quantity) {
    const QuantityRow& of = ledger_row(quantity);
    const bool query = of.shape == QuantityShape::RowByHead;
    shown.quantity = quantity;
    shown.tensor = *of.tensor;
    shown.tile = query ? step.q_tile : step.kv_tile;
    shown.row_begin = query ? step.row_begin : step.col_begin;
    shown.rows = query ? step.rows() : step.cols();
    if (state.started && !(state.*of.values).empty()) shown.values = &(state.*of.values);
    return shown;
  };
  if (!row.family.backward) return take(Quantity::O);
  switch (step.phase) {
    case Phase::LoadPDO:
    case Phase::GradV:
    case Phase::StoreDV: return take(Quantity::DV);
    case Phase::LoadKV:
    case Phase::LoadDSQ:
    case Phase::GradK:
    case Phase::StoreDK:
    case Phase::StoreDKV: return take(Quantity::DK);
    default: return take(Quantity::DQ);
  }
}

OTileModel build_o_tile_model(const Schedule& schedule, const SeenState& seen, int most_rows, int most_cols,
                              int most_number_cols) {
  OTileModel model;
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  const Step& step = state.step;
  const ScheduleRow& row = row_of(p);
  const ShownTile shown = shown_tile(state, row);
  const bool backward = row.family.backward, whole_rows = row.walk.softmax == SoftmaxKind::WholeRows;
  // Captions are in capitals, so a gradient is named in words.
  const std::string of = backward ? fmt::format("Gradient of {}", name_of(shown.tensor) + 1) : "O";
  model.title = backward ? of : "O tile";
  const std::int64_t tallest =
                         std::max<std::int64_t>(std::min(p.tiling.br, p.shape.n_q),
                                                // a small tile is shown beside its operand
                                                backward || is_hand_size(p) ? std::min(p.tiling.bc, p.shape.n_kv) : 1),
                     stride = std::max<std::int64_t>(1, (tallest + most_rows - 1) / std::max(1, most_rows));
  model.most_rows = (tallest + stride - 1) / stride;
  model.numbers = tallest <= std::min(16, most_rows) && p.shape.d <= std::min(most_number_cols, most_cols);
  if (!shown.values) {
    model.note = !state.started                                                 ? "Nothing has been summed yet."
                 : whole_rows && state.step.section_name != SectionName::Output ? "O is made in the third pass."
                 : state.sums_pending                                           ? "Still being replayed."
                 : backward                                                     ? "No gradient tile is at hand."
                                                                                : "No O tile is on chip.";
    return model;
  }
  const bool per_tile = row.walk.softmax == SoftmaxKind::PerTile;
  const bool divided =
      whole_rows || step.phase == Phase::Normalise || step.phase == Phase::Store || step.phase == Phase::StorePartial;
  if (backward) {
    const bool finished = step.phase == Phase::StoreDV || step.phase == Phase::StoreDKV ||
                          step.phase == Phase::StoreDK || step.phase == Phase::ScaleDQ ||
                          (step.phase == Phase::StoreDQ && !step.in_visit());
    model.title = fmt::format("{}, tile {}, {}", of, shown.tile,
                              finished                       ? "finished"
                              : shown.tensor == TensorId::dV ? "so far"
                                                             : "so far, not yet scaled");
  } else if (per_tile) {
    model.title = fmt::format("O tile {}, {}", shown.tile,
                              !step.in_visit()                                ? "as HBM holds it"
                              : has_reached(schedule, step, Phase::Normalise) ? "divided by ℓ so far"
                                                                              : "as it came from HBM");
  } else {
    model.title = fmt::format("O tile {}{}", shown.tile,
                              whole_rows                                ? (step.phase == Phase::Store ? "" : ", so far")
                              : divided                                 ? ", divided"
                              : step.section_name == SectionName::Merge ? ", merged, not yet divided"
                                                                        : ", not yet divided by ℓ");
    if (divided && step.section_name == SectionName::Walk) model.title += " by ℓ";
  }
  const std::int64_t rows = shown.rows, cols = p.shape.d;
  model.row_begin = shown.row_begin;
  model.row_stride = std::max<std::int64_t>(1, (rows + most_rows - 1) / std::max(1, most_rows));
  model.col_stride = std::max<std::int64_t>(1, (cols + most_cols - 1) / std::max(1, most_cols));
  model.rows = (rows + model.row_stride - 1) / model.row_stride;
  model.cols = (cols + model.col_stride - 1) / model.col_stride;
  for (const float v : *shown.values)
    if (std::isfinite(v)) model.largest = std::max(model.largest, std::fabs(v));
  for (std::int64_t r = 0; r < model.rows; ++r)
    for (std::int64_t c = 0; c < model.cols; ++c) {
      const std::size_t at = std::size_t(r * model.row_stride * cols + c * model.col_stride);
      const bool held = at < shown.values->size(), hidden = held && seen.hides(shown.quantity, at);
      model.values.push_back(held && !hidden ? (*shown.values)[at] : 0.0f);
      if (seen.hides_any()) model.hidden.push_back(hidden);
    }
  return model;
}

}  // namespace tilewalk
