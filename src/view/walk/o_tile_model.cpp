#include "view/walk/o_tile_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"

namespace tilewalk {

namespace {

bool is_output(Quantity quantity) {  // rows × d that SRAM or HBM holds
  const QuantityRow& row = ledger_row(quantity);
  return row.tensor && (row.shape == QuantityShape::RowByHead || row.shape == QuantityShape::ColByHead);
}

// What the phase makes; for a load the one output that the visits of its section make; else the first result.
Quantity output_at(const Schedule& schedule, const State& state) {
  const ScheduleRow& row = row_of(schedule.problem());
  const Step& step = state.step;
  std::vector<Quantity> made;
  const auto add = [&](Phase phase) {
    for (const Made& each : made_by(row, step.section_name, phase))
      if (is_output(each.quantity) && !each.given) made.push_back(each.quantity);
  };
  if (state.started) {
    add(step.phase);
    if (!made.empty()) return made.front();
    for (const Phase phase : schedule.section(step.section).visit) add(phase);
    if (made.size() == 1) return made.front();
  }
  for (const Quantity result : results_of(row))
    if (is_output(result)) return result;
  return Quantity::O;
}

// True if the step, or an earlier one of its visit or edge, made the quantity in such a way.
template <class Way>
bool was_made(const Schedule& schedule, const Step& step, Quantity quantity, const Way& way) {
  for (const MadeAt& at : phases_that_make(schedule, quantity))
    if (at.section == step.section && at.in_visit == step.in_visit() && way(*at.made) &&
        has_reached(schedule, step, at.phase))
      return true;
  return false;
}

// True if this step makes the quantity in such a way.
template <class Way>
bool makes_now(const Schedule& schedule, const Step& step, Quantity quantity, const Way& way) {
  const auto made = made_by(row_of(schedule.problem()), step.section_name, step.phase);
  return std::any_of(made.begin(), made.end(),
                     [&](const Made& each) { return each.quantity == quantity && !each.given && way(each); });
}

}  // namespace

ShownTile shown_tile(const Schedule& schedule, const State& state, std::optional<Quantity> quantity) {
  const Step& step = state.step;
  ShownTile shown;
  shown.quantity = quantity ? *quantity : output_at(schedule, state);
  const QuantityRow& of = ledger_row(shown.quantity);
  const bool query = of.shape == QuantityShape::RowByHead;
  shown.tensor = *of.tensor;
  shown.tile = query ? step.q_tile : step.kv_tile;
  shown.row_begin = query ? step.row_begin : step.col_begin;
  shown.rows = query ? step.rows() : step.cols();
  if (state.started && !(state.*of.values).empty()) shown.values = &(state.*of.values);
  return shown;
}

OTileModel build_o_tile_model(const Schedule& schedule, const SeenState& seen, int most_rows, int most_cols,
                              int most_number_cols, std::optional<Quantity> quantity) {
  OTileModel model;
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  const Step& step = state.step;
  const ShownTile shown = shown_tile(schedule, state, quantity);
  const QuantityRow& of_row = ledger_row(shown.quantity);
  const bool gradient = shown.tensor != TensorId::O;
  const auto divides = [](const Made& made) { return made.reads(Quantity::L); };
  const auto leaves = [](const Made& made) { return made.result; };
  const std::vector<MadeAt> made = phases_that_make(schedule, shown.quantity);
  const auto division = std::find_if(made.begin(), made.end(), [&](const MadeAt& at) { return divides(*at.made); });
  // Naive attention divides P instead.
  const bool never_divided = division == made.end();
  // Captions are set in capitals, so a gradient is named in words.
  const std::string of = gradient ? fmt::format("Gradient of {}", name_of(shown.tensor) + 1) : "O";
  model.title = gradient ? of : "O tile";
  const std::int64_t tallest =
                         std::max<std::int64_t>(std::min(p.tiling.br, p.shape.n_q),
                                                // beside a small one stands what is multiplied into it
                                                gradient || is_hand_size(p) ? std::min(p.tiling.bc, p.shape.n_kv) : 1),
                     stride = std::max<std::int64_t>(1, (tallest + most_rows - 1) / std::max(1, most_rows));
  model.most_rows = (tallest + stride - 1) / stride;
  model.numbers = tallest <= std::min(16, most_rows) && p.shape.d <= std::min(most_number_cols, most_cols);
  if (!shown.values) {
    model.note = !state.started                                     ? "Nothing has been summed yet."
                 : !gradient && made.front().section > step.section ? "O is made in the third pass."
                 : state.sums_pending                               ? "Still being replayed."
                 : gradient                                         ? "This step has no gradient tile."
                                                                    : "No O tile is on chip.";
    if (!state.started) {
      const bool of_keys = of_row.shape == QuantityShape::ColByHead;
      model.title += gradient ? ", tile 0, to come" : " 0, to come";
      model.rows_to_come =
          std::min(model.most_rows, of_keys ? std::min(p.tiling.bc, p.shape.n_kv) : std::min(p.tiling.br, p.shape.n_q));
    }
    return model;
  }
  const bool divided = was_made(schedule, step, shown.quantity, divides),
             finished = was_made(schedule, step, shown.quantity, leaves);
  if (gradient) {
    model.title = fmt::format("{}, tile {}, {}", of, shown.tile,
                              finished                       ? "finished"
                              : shown.tensor == TensorId::dV ? "so far"
                                                             : "so far, not yet scaled");
  } else if (!never_divided && division->in_visit) {
    model.title = fmt::format("O tile {}, {}", shown.tile,
                              !step.in_visit() ? "as HBM holds it"
                              : divided        ? "divided by ℓ so far"
                                               : "as it came from HBM");
  } else {
    model.title = fmt::format("O tile {}{}", shown.tile,
                              never_divided                             ? (finished ? "" : " so far")
                              : divided                                 ? ", divided"
                              : step.section_name == SectionName::Merge ? ", merged, not yet divided"
                                                                        : " so far, not yet divided by ℓ");
    if (divided && step.section_name == SectionName::Walk) model.title += " by ℓ";
  }
  if (!gradient && makes_now(schedule, step, shown.quantity, divides))
    model.title_on_way = fmt::format("O tile {}, being divided by ℓ", shown.tile);
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
