#include "view/views.h"

#include <fmt/format.h>

#include "core/schedules/fields/fields.h"
#include "core/schedules/registry.h"
#include "view/units.h"

namespace tilewalk {
namespace {

std::string speed_text(double speed) {
  return speed < 1 ? fmt::format("1/{}×", int(1 / speed + 0.5)) : fmt::format("{}×", int(speed + 0.5));
}

bool counts_otherwise(const Problem& a, const Problem& b) {
  const Changes changes = changes_between(a, b);
  return changes.steps || changes.bytes;
}

}  // namespace

const Views& ViewBuilder::build(const Session& session, const ViewRoom& room) {
  if (revision_ == session.revision() && room_ == room) return views_;
  revision_ = session.revision();
  room_ = room;
  ++builds_;
  const Schedule& schedule = session.schedule();
  const State& state = session.state();
  if (!runs_of_ || counts_otherwise(*runs_of_, session.problem())) {
    runs_of_ = session.problem();
    runs_ = whole_runs(schedule);
    views_.hardware.reset();
    if (hardware_)
      if (const auto found = compare_with_hardware(*hardware_, session.problem()))
        views_.hardware = build_hardware_model(*hardware_, *found);
  }

  views_.header = {};
  for (const ScheduleKind kind : all_schedules())
    views_.header.tabs.push_back({kind, schedule_row(kind).identity.tab, kind == session.problem().schedule,
                                  schedule_row(kind).family.backward});
  views_.header.problem = problem_titles(session.problem());
  views_.header.title = session.document().title;
  views_.verify = build_verify_model(session.check());
  views_.accuracy = build_accuracy_model(session.problem(), session.checks().accuracy());
  views_.memory = build_memory_model(schedule, state, room.chips);
  GridArea area;
  area.width = room.grid_width;
  area.height = room.grid_height;
  area.cell_min_px = room.cell_min_px;
  area.gap_px = room.grid_gap_px;
  area.zoom = session.walk().grid_view().zoom;
  area.centre_row = session.walk().grid_view().row;
  area.centre_col = session.walk().grid_view().col;
  views_.grid = build_tile_grid_model(schedule, session.inputs(), state, area, session.problem_revision(), grid_cache_);
  views_.softmax = build_softmax_model(schedule, state);
  views_.o_tile = build_o_tile_model(schedule, state, room.o_rows, room.o_cols, room.o_number_cols);
  const auto kernel = kernels_.find(session.problem().schedule);
  static const KernelText kNoKernel;
  views_.code = build_code_model(kernel == kernels_.end() ? kNoKernel : kernel->second, state);
  views_.transport = {session.walk().playback().playing,
                      session.cursor() == 0,
                      session.cursor() == schedule.step_count(),
                      session.document().view.unit,
                      speed_text(session.document().view.speed),
                      session.busy(),
                      session.walk().progress()};
  views_.timeline = build_timeline_model(schedule, state, session.check(), room.timeline_width);
  views_.counters = build_counters_model(schedule, runs_, state.cursor);
  views_.compare.reset();
  if (session.page() == Page::Compare)
    views_.compare = build_compare_page(session, room.lanes_width, room.waves_width, room.waves_height, compare_cache_);
  views_.race.reset();
  if (session.page() == Page::Race) views_.race = build_race_model(session.race(), session.checks().gpu_present());
  views_.problem.reset();
  if (session.view().dialog() == Dialog::Problem)
    views_.problem = build_problem_model(session.editing().draft(), session.editing().draft_issues(), session.problem(), session.inputs(),
                                         session.walk().batch_in_view(), session.walk().head_in_view());
  views_.selected.reset();
  if (session.walk().selection())
    views_.selected =
        build_inspector_model(schedule, session.inputs(), state, session.walk().selection()->row, session.walk().selection()->col);
  return views_;
}

}  // namespace tilewalk
