// Where the numbers of the current tile are: in the tile itself, lifted, or in a lens beside a matrix without cells.
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
using tilewalk::test::Walk;

TEST_CASE("the current tile is lifted over its place, in the matrix, and at most half of it is covered") {
  for (const MaskKind mask : {MaskKind::None, MaskKind::Causal})
    for (const auto& [br, bc] : {std::pair{4, 4}, {2, 6}, {6, 2}, {3, 5}, {4, 2}}) {
      Problem p = picture();
      p.tiling.br = br, p.tiling.bc = bc;
      p.shape.mask.kind = mask;
      Walk walk(p);
      for (std::int64_t k = 1; k <= walk.schedule->step_count(); k += 3) {
        const State& state = walk.at(k);
        if (!state.step.in_visit()) continue;
        INFO("causal " << (mask == MaskKind::Causal) << ", " << br << "x" << bc << ", step " << k);
        const ScoresModel m = build_scores(walk, state, area_with_numbers(900, 480));
        CHECK(m.now_cols.px >= 1.3 * m.cols.px);
        CHECK(m.now_rows.px >= 1.3 * m.rows.px);
        CHECK(m.now_x1 - m.now_x0 <= (m.x1 - m.x0) / 2 + 1e-3);
        CHECK(m.now_y1 - m.now_y0 <= (m.y1 - m.y0) / 2 + 1e-3);
        CHECK(m.now_x0 >= float(m.x0) - 1e-3f);
        CHECK(m.now_x1 <= float(m.x1) + 1e-3f);
        CHECK(m.now_y0 >= float(m.y0) - 1e-3f);
        CHECK(m.now_y1 <= float(m.y1) + 1e-3f);
        const double row = double(state.step.row_begin + state.step.row_end) / 2,
                     col = double(state.step.col_begin + state.step.col_end) / 2;
        std::int64_t found_row = -1, found_col = -1;  // the middle of its place is covered by itself
        REQUIRE(m.cell_at(m.cols.at(col), m.rows.at(row), found_row, found_col));
        CHECK(m.is_lifted(double(found_row), double(found_col)));
        REQUIRE(m.cell_at(m.now_x1 - 1, m.now_y1 - 1, found_row, found_col));
        CHECK(found_row == state.step.row_end - 1);
        CHECK(found_col == state.step.col_end - 1);
      }
    }
}

TEST_CASE("a pass over whole rows, and a matrix that the user has zoomed, have no lifted columns") {
  Walk naive(picture(ScheduleKind::Standard));
  for (std::int64_t k = 1; k <= naive.schedule->step_count(); k += 5) {
    const State& state = naive.at(k);
    if (!whole_rows_at_hand(state)) continue;
    CHECK(build_scores(naive, state, area_with_numbers(900, 480)).now_cols.px ==
          build_scores(naive, state, area_with_numbers(900, 480)).cols.px);
  }
  Walk walk(picture());
  ScoresArea zoomed = area_with_numbers(900, 480);
  zoomed.zoom = 1.5;
  const ScoresModel m = build_scores(walk, walk.after(Phase::Scores), zoomed);
  CHECK(m.now_cols.px == m.cols.px);
  CHECK(m.now_rows.px == m.rows.px);
}

TEST_CASE("the lens at the right fits a tile that is not square under a mask, and has all of its values") {
  for (const auto& [br, bc] : {std::pair{128, 32}, {32, 128}}) {
    INFO(br << "x" << bc);
    Problem p = picture();
    p.shape.n_q = p.shape.n_kv = 2048;
    p.shape.d = 16;
    p.tiling.br = br, p.tiling.bc = bc;
    p.machine.sram_bytes = 227 * 1024;
    Walk walk(p);
    const ScoresArea wide = area_with_numbers(900, 480);
    const State& state = walk.after(Phase::RowSum, 512 / br, 0);
    const ScoresModel m = build_scores(walk, state, wide);
    REQUIRE(m.lens);
    CHECK(m.lens->x0 > m.x1);
    CHECK(m.lens->cell_w == m.lens->cell_h);
    CHECK(m.lens->x0 + bc * m.lens->cell_w <= 900 + 1e-6);
    CHECK(m.lens->y0 >= 0);
    CHECK(m.lens->y0 + br * m.lens->cell_h <= 480 + 1e-6);
    REQUIRE(m.cells.size() == std::size_t(br * bc));
    for (std::size_t i = 0; i < m.cells.size(); ++i) CHECK(m.cells[i].value == state.p[i]);
  }
}

TEST_CASE("right of a matrix without cells the lens has the values of the current tile, at one place for all tiles") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 2048;
  p.shape.d = 16;
  p.tiling.br = p.tiling.bc = 64;
  p.shape.mask = {};
  p.machine.sram_bytes = 227 * 1024;
  Walk walk(p);
  const ScoresArea wide = area_with_numbers(900, 480);
  const ScoresModel before = build_scores(walk, walk.at(0), wide);
  CHECK(before.tiles.empty());
  CHECK_FALSE(before.lens);
  const State& state = walk.after(Phase::RowSum);
  const ScoresModel m = build_scores(walk, state, wide);
  CHECK_FALSE(m.cells_drawn);
  CHECK(m.x0 == before.x0);  // the matrix stands where it stood
  CHECK(m.x1 - m.x0 == Approx(480).margin(1));
  REQUIRE(m.lens);
  CHECK(m.lens->x0 > m.x1);
  CHECK(m.lens->x0 + 64 * m.lens->cell_w <= 900 + 1e-6);
  CHECK(m.lens->y0 >= 0);
  CHECK(m.lens->y0 + 64 * m.lens->cell_h <= 480 + 1e-6);
  REQUIRE(m.tiles.size() == 1);
  CHECK(m.tiles[0].row_begin == state.step.row_begin);
  CHECK(m.shown == Quantity::P);
  REQUIRE(m.cells.size() == 64 * 64);
  for (std::size_t i = 0; i < m.cells.size(); ++i) CHECK(m.cells[i].value == state.p[i]);
  const ScoresModel last = build_scores(walk, walk.at(walk.schedule->step_count() - 4), wide);
  REQUIRE(last.lens);
  CHECK(last.lens->x0 == m.lens->x0);
  CHECK(last.lens->y0 + 64 * last.lens->cell_h <= 480 + 1e-6);
  CHECK_FALSE(build_scores(walk, state, area_with_numbers(500, 480)).lens);  // no space
  ScoresArea large_text = wide;
  large_text.digit_w = 90;  // the numbers of its rows would leave none
  CHECK_FALSE(build_scores(walk, state, large_text).lens);
}

TEST_CASE("the whole matrix is in view under a lifted tile, whose cells have the size of their numbers") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Scores);
  for (const auto& [width, height] : {std::pair{607, 401}, {1000, 560}}) {
    const ScoresModel m = build_scores(walk, state, area_with_numbers(width, height));
    CHECK(m.cols.end - m.cols.begin == 16);
    CHECK(m.rows.end - m.rows.begin == 16);
    CHECK(m.now_cols.px >= 41);
    CHECK(m.now_rows.px >= 17);
    CHECK_FALSE(m.left.empty());
    CHECK_FALSE(m.above.empty());
  }
}
