#include "view/walk/walk_page.h"

namespace tilewalk {
namespace {

ScoresArea scores_area_of(const GridView& view, const ViewRoom& room) {
  return {.width = room.scores_width,
          .height = room.scores_height,
          .zoom = view.zoom,
          .centre_row = view.row,
          .centre_col = view.col,
          .cell_min_px = room.cell_min_px,
          .gap_px = room.tile_gap_px};
}

}  // namespace

WalkPage build_walk_page(const Session& session, const ViewRoom& room, const KernelTexts& kernels, ScoresCache& cache) {
  const Schedule& schedule = session.schedule();
  const State& state = session.state();
  WalkPage page;
  page.memory = build_memory_model(schedule, state, room.chips);
  page.scores = build_scores_model(schedule, session.inputs(), state, scores_area_of(session.walk().grid_view(), room),
                                   session.problem_revision(), cache);
  page.softmax = build_softmax_model(schedule, state);
  page.o_tile = build_o_tile_model(schedule, state, room.o_rows, room.o_cols, room.o_number_cols);
  const auto kernel = kernels.find(session.problem().schedule);
  static const KernelText kNoKernel;
  page.code = build_code_model(kernel == kernels.end() ? kNoKernel : kernel->second, state);
  page.transport = build_transport_model(session, room.timeline_width);
  page.heads = build_head_choice(session);
  if (const auto& selection = session.walk().selection())
    page.selected = build_inspector_model(schedule, session.inputs(), state, selection->row, selection->col);
  return page;
}

}  // namespace tilewalk
