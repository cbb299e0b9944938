#include "view/o_tile_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {

OTileModel build_o_tile_model(const Schedule& schedule, const State& state, int most_rows, int most_cols,
                              int most_number_cols) {
  OTileModel model;
  const Problem& p = schedule.problem();
  model.title = "O tile";
  if (!state.started || state.o.empty()) {
    model.note = !state.started                                                   ? "Nothing has been summed yet."
                 : p.schedule == ScheduleKind::Standard && state.step.section < 2 ? "O is made in the third pass."
                                                                                  : "No O tile is on chip.";
    return model;
  }
  const Step& step = state.step;
  const bool divided =
      p.schedule == ScheduleKind::Standard || step.phase == Phase::Normalise || step.phase == Phase::Store;
  model.title = fmt::format("O tile {}{}", step.q_tile,
                            p.schedule == ScheduleKind::Standard ? (step.phase == Phase::Store ? "" : ", so far")
                            : divided                            ? ", divided by ℓ"
                                                                 : ", not yet divided by ℓ");
  const std::int64_t rows = step.rows(), cols = p.d;
  model.row_begin = step.row_begin;
  model.row_stride = std::max<std::int64_t>(1, (rows + most_rows - 1) / std::max(1, most_rows));
  model.col_stride = std::max<std::int64_t>(1, (cols + most_cols - 1) / std::max(1, most_cols));
  model.rows = (rows + model.row_stride - 1) / model.row_stride;
  model.cols = (cols + model.col_stride - 1) / model.col_stride;
  model.numbers = model.row_stride == 1 && model.col_stride == 1 && cols <= most_number_cols && rows <= 16;
  for (const float v : state.o)
    if (std::isfinite(v)) model.largest = std::max(model.largest, std::fabs(v));
  for (std::int64_t r = 0; r < model.rows; ++r)
    for (std::int64_t c = 0; c < model.cols; ++c) {
      const std::size_t at = std::size_t(r * model.row_stride * cols + c * model.col_stride);
      model.values.push_back(at < state.o.size() ? state.o[at] : 0.0f);
    }
  return model;
}

}  // namespace tilewalk
