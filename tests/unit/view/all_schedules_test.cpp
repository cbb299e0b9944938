// Properties of every view model for every schedule, at every step.
#include <cmath>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "tests/support/random_problem.h"
#include "tests/support/well_written.h"
#include "tests/unit/view/view_fixture.h"
#include "view/scores/inspector_model.h"
#include "view/scores/scores_model.h"
#include "view/sentence/sentence.h"
#include "view/walk/memory_model.h"
#include "view/walk/o_tile_model.h"
#include "view/walk/softmax_model.h"
#include "view/walk/timeline_model.h"
#include "view/walk/traffic_model.h"

using namespace tilewalk;
using tilewalk::test::Walk;

namespace {

Problem small_problem(ScheduleKind kind, std::uint64_t seed) {
  Problem p = test::random_problem(seed);
  p.schedule = kind;
  p.tiling.splits = kind == ScheduleKind::SplitKv ? 1 + std::int64_t(seed % 3) : 1;
  p.shape.batch = 1;
  p.shape.kv_heads = 1;
  p.shape.heads = 1 + std::int64_t(seed % 2);
  p.shape.n_q = 1 + p.shape.n_q % 9;
  p.shape.n_kv = 1 + p.shape.n_kv % 9;
  p.shape.d = 1 + p.shape.d % 3;
  p.tiling.br = 1 + p.tiling.br % 4;
  p.tiling.bc = 1 + p.tiling.bc % 4;
  p.machine.sram_bytes = 1 << 20;
  return p;
}

void check_memory(const MemoryModel& memory, const Problem& p, const State& state) {
  CHECK_FALSE(memory.purpose.empty());
  CHECK(memory.cost.empty() == !state.started);
  for (const MemoryRow& row : memory.hbm) {
    CHECK_FALSE(row.label.empty());
    CHECK(row.tiles.empty() != row.note.empty());
    for (const MemoryTile& shown : row.tiles) CHECK(shown.tile < std::max(p.q_tiles(), p.kv_tiles()));
  }
  for (const MemoryResident& r : memory.residents) CHECK_FALSE(r.label.empty());
}

void check_grid(const ScoresModel& grid, const Schedule& schedule, const State& state) {
  int now = 0;
  for (const ScoreTile& tile : grid.tiles) {
    now += tile.state == TileState::Now;
    const bool skipped = schedule.tile_class(tile.q_tile, tile.kv_tile) == TileClass::Skipped;
    if (tile.state == TileState::Skipped) CHECK(skipped);
  }
  if (state.started && state.step.in_visit()) CHECK(now == 1);
  for (const ScoreCell& cell : grid.cells) CHECK_FALSE(std::isnan(cell.value));
}

}  // namespace

TEST_CASE("every schedule has a sentence and a picture at every step") {
  for (const ScheduleKind kind : all_schedules())
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Problem p = small_problem(kind, seed * 31);
      INFO(test::as_text(p));
      if (!validate(p).empty()) continue;
      Walk walk(p);
      const Schedule& schedule = *walk.schedule;
      const WholeRuns runs = whole_runs(schedule);
      ScoresArea area;
      area.width = area.height = 400;
      ScoresCache cache;
      for (std::int64_t k = 0; k <= schedule.step_count(); ++k) {
        const State& state = walk.at(k);
        INFO("step " << k << ": " << (k ? name_of(state.step.phase) : "start"));
        const std::string sentence = step_sentence(schedule, state);
        CHECK(sentence.ends_with("."));
        CHECK(sentence.find(" -1") == std::string::npos);
        CHECK(sentence.find("nan") == std::string::npos);
        CHECK(sentence.find("The step \"") == std::string::npos);
        if (k) CHECK(phase_purpose(schedule, state.step).ends_with("."));
        check_memory(build_memory_model(schedule, state, 6), p, state);
        const ScoresModel grid = build_scores_model(schedule, walk.replay.inputs(), state, area, 1, cache);
        check_grid(grid, schedule, state);
        const SoftmaxModel table = build_softmax_model(schedule, state);
        for (const SoftmaxRow& row : table.rows) CHECK(row.cells.size() == table.columns.size());
        const OTileModel o = build_o_tile_model(schedule, state, 16, 16);
        CHECK(o.values.size() == std::size_t(o.rows * o.cols));
        CHECK(o.values.empty() != o.note.empty());
        CHECK(o.title.find("-1") == std::string::npos);
        const TimelineModel timeline = build_timeline_model(schedule, state, {}, 1e7);
        REQUIRE_FALSE(timeline.folded);
        CHECK(timeline.visit_text.find("-1") == std::string::npos);
        int now = 0;
        for (std::size_t b = 0; b < timeline.boxes.size(); ++b) {
          now += timeline.boxes[b].now;
          if (b) CHECK(timeline.boxes[b].first_step >= timeline.boxes[b - 1].first_step);
        }
        CHECK(timeline.boxes.back().x1 <= 1.0001f);
        if (k && state.step.in_visit()) CHECK(now == 1);
        CHECK(build_traffic_model(schedule, runs, k).bars.size() == 3);
        const auto seen =
            build_inspector_model(schedule, walk.replay.inputs(), state, p.shape.n_q - 1, p.shape.n_kv - 1);
        CHECK_FALSE(seen.value.empty());
        const MemoryModel memory = build_memory_model(schedule, state, 6);
        std::vector<std::string> texts = {sentence,
                                          memory.purpose,
                                          memory.cost,
                                          memory.moves_note,
                                          memory.sram_text,
                                          table.title,
                                          table.meeting,
                                          o.title,
                                          o.note,
                                          grid.titles.front(),
                                          timeline.visit_text,
                                          timeline.phase_text,
                                          timeline.step_text,
                                          inspector_text(seen)};
        for (const SoftmaxRow& row : table.rows) texts.insert(texts.end(), row.cells.begin(), row.cells.end());
        for (const MemoryRow& row : memory.hbm) texts.push_back(row.help);
        if (o.rows > 0)
          texts.push_back(words_of_output(
              build_output_inspector(schedule, walk.replay.inputs(), state, o.tensor_row(0), o.tensor_col(0))));
        for (const std::string& text : texts) CHECK(test::slip_in(text) == "");
      }
    }
}

TEST_CASE("tensors moved at every visit are on chip although HBM stores them") {
  for (const auto& [kind, phase, tensor] : {std::tuple{ScheduleKind::FlashV1, Phase::LoadQ, TensorId::O},
                                            std::tuple{ScheduleKind::Backward, Phase::LoadRows, TensorId::dQ}}) {
    Walk walk(test::picture(kind));
    walk.problem.machine.sram_bytes = 1 << 16;
    const State& state = walk.after(phase);
    const MemoryModel memory = build_memory_model(*walk.schedule, state, 6);
    for (const MemoryRow& row : memory.hbm)
      if (row.tensor == tensor) {
        CHECK(row.tiles.at(2).state == MemoryTileState::OnChip);
        CHECK(row.tiles.at(3).state == MemoryTileState::Written);
      }
  }
}

TEST_CASE("the current gradient is shown instead of O") {
  Walk walk(test::picture(ScheduleKind::Backward));
  CHECK(
      build_o_tile_model(*walk.schedule, walk.after(Phase::GradQ), 16, 16).title.starts_with("Gradient of Q, tile 2"));
  CHECK(
      build_o_tile_model(*walk.schedule, walk.after(Phase::GradK), 16, 16).title.starts_with("Gradient of K, tile 1"));
  CHECK(
      build_o_tile_model(*walk.schedule, walk.after(Phase::GradV), 16, 16).title.starts_with("Gradient of V, tile 1"));
}
