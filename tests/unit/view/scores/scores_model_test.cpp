#include "view/scores/scores_model.h"

#include <cmath>
#include <utility>

#include "core/schedules/registry.h"
#include "tests/unit/view/scores/scores_fixture.h"
#include "view/scores/score_sample.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::area_with_numbers;
using tilewalk::test::build_scores;
using tilewalk::test::picture;
using tilewalk::test::scores_area;
using tilewalk::test::Walk;

TEST_CASE("the title says where scores are that no schedule writes to HBM") {
  Walk walk(picture());
  CHECK(build_scores(walk, walk.after(Phase::Scores)).titles.front() ==
        "Scores S = QKᵀ/√d — the 16×16 matrix, one tile at a time in SRAM");
}

TEST_CASE("the title names the gradient that the cells show") {
  Walk walk(picture(ScheduleKind::Backward));
  for (const auto& [phase, title] :
       {std::pair{Phase::Scores, "Scores S = QKᵀ/√d"}, {Phase::GradP, "Gradient dP"}, {Phase::GradS, "Gradient dS"}}) {
    const std::vector<std::string> titles = build_scores(walk, walk.after(phase)).titles;
    CHECK(titles.front() == std::string(title) + " — the 16×16 matrix, made again by tiles");
    CHECK(titles[3] == title);
  }
}

TEST_CASE("tiles are done, current, pending or skipped as in the walk") {
  Walk walk(picture());
  const ScoresModel m = build_scores(walk, walk.after(Phase::Rescale));
  REQUIRE(m.tiles.size() == 16);
  const auto state = [&](int q, int k) { return m.tiles[std::size_t(q * 4 + k)].state; };
  CHECK(state(0, 0) == TileState::Done);
  CHECK(state(2, 0) == TileState::Done);
  CHECK(state(2, 1) == TileState::Now);
  CHECK(state(2, 2) == TileState::Pending);
  CHECK(state(2, 3) == TileState::Skipped);
  CHECK(state(3, 3) == TileState::Pending);
}

TEST_CASE("done tiles are gone, unless the schedule writes S to HBM") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    Walk walk(picture(kind));
    const ScoresModel m = build_scores(walk, walk.at(walk.schedule->step_count() / 2));
    CHECK(m.gone == !row_of(walk.schedule->problem()).memory.scores_in_hbm);
    CHECK((m.other_scale_text.empty() || !m.gone));
  }
}

TEST_CASE("cells show the replay's own scores, and no value before it is computed") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Rescale);
  const ScoresModel m = build_scores(walk, state);
  const ScoreTile& now = m.tiles[2 * 4 + 1];
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(m.cells[now.first_cell + i].known);
    CHECK(m.cells[now.first_cell + i].value == display_score(walk.problem, state.s[i]));
  }
  CHECK_FALSE(m.cells[m.tiles[2 * 4 + 2].first_cell].known);
  const ScoresModel loading = build_scores(walk, walk.after(Phase::LoadKV));
  CHECK_FALSE(loading.cells[loading.tiles[2 * 4 + 1].first_cell].known);
}

TEST_CASE("the work depends on the pixels, not on the size of the matrix") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 1 << 20;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 20;
  Walk walk(p);
  const ScoresModel m = build_scores(walk, walk.at(0));
  CHECK_FALSE(m.cells_drawn);
  CHECK(m.texture.values->size() <= 640u * 640u);
  CHECK(m.texture.values->size() == std::size_t(m.texture.width * m.texture.height));
  CHECK(m.texture.tiles.size() == std::size_t(m.texture.tiles_wide * m.texture.tiles_high));
  CHECK(m.row_bars.size() <= 640);
}

TEST_CASE("zoomed in far enough, a single cell fills the view") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 8192;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 20;
  Walk walk(p);
  ScoresArea a = scores_area();
  a.zoom = 8192;
  a.centre_row = (100.5) / 8192;
  a.centre_col = (70.5) / 8192;
  const ScoresModel m = build_scores(walk, walk.at(0), a);
  CHECK(m.cells_drawn);
  std::int64_t row = 0, col = 0;
  REQUIRE(m.cell_at(320, 320, row, col));
  CHECK(row == 100);
  CHECK(col == 70);
  CHECK(m.cells.size() <= 4);
}

TEST_CASE("the cell found under a pixel is the one drawn there") {
  Walk walk(picture());
  const ScoresModel m = build_scores(walk, walk.at(0));
  std::int64_t row = 0, col = 0;
  for (const ScoreTile& tile : m.tiles) {
    REQUIRE(m.cell_at(double(tile.x0) + 1, double(tile.y0) + 1, row, col));
    CHECK(row == tile.row_begin);
    CHECK(col == tile.col_begin);
  }
  CHECK_FALSE(m.cell_at(-1, 5, row, col));
  CHECK_FALSE(m.cell_at(5, 641, row, col));
}

TEST_CASE("sampled scores agree with the replay's to fp32 rounding and mask what is masked") {
  Problem p = picture();
  Walk walk(p);
  const auto sampled = sample_scores(walk.replay.inputs(), {}, spread(0, 16, 16, 16), spread(0, 16, 16, 16));
  const auto exact = scores_of(walk.replay.inputs(), {{}, 0, 16, 0, 16});
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (std::isinf(exact[i]))
      CHECK(std::isinf(sampled[i]));
    else
      CHECK(sampled[i] == Approx(display_score(p, exact[i])).margin(1e-5));
  }
}

TEST_CASE("the cache gives the same picture as a new build") {
  Walk walk(picture());
  ScoresCache cache;
  for (const std::int64_t k : {3, 40, 12}) {
    const State state = walk.at(k);
    const ScoresModel kept = build_scores_model(*walk.schedule, walk.replay.inputs(), state, scores_area(), 1, cache);
    const ScoresModel fresh = build_scores(walk, state);
    REQUIRE(kept.cells.size() == fresh.cells.size());
    for (std::size_t i = 0; i < kept.cells.size(); ++i) {
      CHECK(kept.cells[i].known == fresh.cells[i].known);
      CHECK(kept.cells[i].value == fresh.cells[i].value);
    }
  }
}

TEST_CASE("a very wide or high matrix keeps visible tiles") {
  Problem p = picture();
  p.shape.n_q = 1;
  p.shape.n_kv = 4096;
  p.shape.mask.kind = MaskKind::CausalBottomRight;
  Walk walk(p);
  const ScoresModel m = build_scores(walk, walk.at(0));
  CHECK(m.y1 - m.y0 >= 100);
}

TEST_CASE("passes over whole rows show their result for every tile of the row, and name the formula") {
  const auto values_shown = [](const ScoresModel& m, const State& state, const std::vector<float>& values) {
    int tiles = 0;
    for (const ScoreTile& tile : m.tiles) {
      if (tile.state != TileState::Now) continue;
      ++tiles;
      for (std::int64_t i = 0; i < tile.rows; ++i)
        for (std::int64_t j = 0; j < tile.cols; ++j) {
          const ScoreCell& cell = m.cells[tile.first_cell + std::size_t(i * tile.cols + j)];
          CHECK(cell.known);
          CHECK(cell.value == values[std::size_t((tile.row_begin - state.step.row_begin + i) * state.step.cols() +
                                                 tile.col_begin + j)]);
        }
    }
    CHECK(tiles == 4);
  };
  Walk naive(picture(ScheduleKind::Standard));
  ScoresModel m = build_scores(naive, naive.after(Phase::Exponentiate));
  CHECK(m.shown == Quantity::P);
  CHECK(m.choices == std::vector<Quantity>{Quantity::S, Quantity::P});
  CHECK(m.formula == "P = e^(S − m)");
  values_shown(m, naive.replay.state(), naive.replay.state().p);
  m = build_scores(naive, naive.after(Phase::Divide));
  CHECK(m.formula == "P = e^(S − m) / ℓ");
  values_shown(m, naive.replay.state(), naive.replay.state().p);

  Walk backward(picture(ScheduleKind::BackwardStandard));
  m = build_scores(backward, backward.after(Phase::RowDot));
  CHECK(m.shown == Quantity::DP);
  m = build_scores(backward, backward.after(Phase::GradS));
  CHECK(m.shown == Quantity::DS);
  CHECK(m.choices == std::vector<Quantity>{Quantity::P, Quantity::DP, Quantity::DS});
  values_shown(m, backward.replay.state(), backward.replay.state().ds);
}

TEST_CASE("values of Q and K stand beside the scores only while they are on chip, and of dP those of dO and V") {
  ScoresArea with = scores_area(900, 700);
  with.operand_w = 38, with.operand_h = 16;
  Walk naive(picture(ScheduleKind::Standard));
  const ScoresModel scores = build_scores(naive, naive.after(Phase::Scores), with);
  CHECK(scores.left.tensor == TensorId::Q);
  CHECK_FALSE(scores.left.empty());
  CHECK_FALSE(scores.above.empty());
  for (const Phase phase : {Phase::RowMax, Phase::Accumulate}) {
    const ScoresModel m = build_scores(naive, naive.after(phase), with);
    CHECK(m.left.empty());
    CHECK(m.above.empty());
  }
  Walk backward(picture(ScheduleKind::Backward));
  const ScoresModel m = build_scores(backward, backward.after(Phase::GradP), with);
  CHECK(m.left.tensor == TensorId::dO);
  CHECK(m.above.tensor == TensorId::V);
  CHECK_FALSE(m.left.empty());
}

TEST_CASE(
    "all tiles are equal at every step, and the numbers of the current one fit in its cells, in little space too") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (const auto& [width, height] : {std::pair{1000, 560}, {607, 401}, {450, 330}, {300, 300}, {200, 120}})
      for (std::int64_t k = 0; k <= walk.schedule->step_count(); k += 3) {
        INFO(int(kind) << ", " << width << "x" << height << ", step " << k);
        const State& state = walk.at(k);
        const ScoresModel m = build_scores(walk, state, area_with_numbers(width, height));
        for (const ScoreTile& tile : m.tiles) {
          if (tile.rows != 4 || tile.cols != 4) continue;  // cut by the edge of the view
          CHECK(tile.x1 - tile.x0 == Approx(m.tiles[0].cols == 4 ? m.tiles[0].x1 - m.tiles[0].x0 : tile.x1 - tile.x0));
          CHECK(tile.x1 - tile.x0 == Approx(4 * m.cols.px).margin(4.1));
          CHECK(tile.y1 - tile.y0 == Approx(4 * m.rows.px).margin(4.1));
        }
        if (!state.started || !state.step.in_visit() || whole_rows_at_hand(state)) continue;
        if (width < 300) continue;
        CHECK(m.now_cols.px >= 41);
        CHECK(m.now_rows.px >= 17);
      }
  }
}

TEST_CASE("each range of colours names its quantity, and that of the other tiles is there when they show another") {
  Walk walk(picture());
  const ScoresModel scores = build_scores(walk, walk.after(Phase::RowMax));
  CHECK(scores.scale_text.starts_with("S: "));
  CHECK(scores.other_scale_text.empty());
  const ScoresModel weights = build_scores(walk, walk.after(Phase::Exponentiate));
  CHECK(weights.scale_text == "P: 0.00 to 1.00");
  CHECK(weights.other_scale_text.empty());  // the others are gone
  Walk naive(picture(ScheduleKind::Standard));
  CHECK(build_scores(naive, naive.after(Phase::Exponentiate)).other_scale_text == "others " + scores.scale_text);
  Walk backward(picture(ScheduleKind::Backward));
  const ScoresModel signs = build_scores(backward, backward.after(Phase::GradS));
  CHECK(signs.signed_map);
  CHECK(signs.now_low == -signs.now_high);
  CHECK(signs.scale_text.starts_with("dS: −"));
}

TEST_CASE("the range of sampled scores says that others may lie outside") {
  const auto scale = [](std::int64_t n) {
    Problem p = picture();
    p.shape.n_q = p.shape.n_kv = n;
    Walk walk(p);
    return build_scores(walk, walk.after(Phase::Scores)).scale_text;
  };
  CHECK(scale(64).find("≤") == std::string::npos);
  const std::string sampled = scale(68);
  CHECK(sampled.starts_with("S: ≤ −"));
  CHECK(sampled.find(" to ≥ ") != std::string::npos);
}

TEST_CASE("in naive attention's last pass all tiles show P, on one scale, and at its end S again") {
  Problem problem = picture(ScheduleKind::Standard);
  Walk naive(problem);
  const Schedule& schedule = *naive.schedule;
  std::int64_t k = 0;
  while (schedule.step(k).section_name != SectionName::Output) ++k;
  for (const std::int64_t cursor : {k + 1, k + 2, schedule.step_count() - 1}) {
    INFO(cursor);
    const ScoresModel m = build_scores(naive, naive.at(cursor), area_with_numbers(1000, 560));
    CHECK(m.shown == Quantity::P);
    CHECK(m.titles.front() == "Weights P — the 16×16 matrix, written to HBM");
    CHECK(m.other_scale_text.empty());
    CHECK(m.low == m.now_low);
    CHECK(m.high == m.now_high);
    double sum = 0;
    for (const ScoreCell& cell : m.cells) {
      if (cell.masked) continue;
      CHECK(cell.value >= 0);
      CHECK(cell.value <= 1);
      sum += double(cell.value);
    }
    CHECK(sum == Approx(16).epsilon(1e-4));  // each row's weights add up to 1
  }
  CHECK(build_scores(naive, naive.at(schedule.step_count()), area_with_numbers(1000, 560))
            .titles.front()
            .starts_with("Scores"));
}
