// The lens: where the numbers of the current tile are, if its cells are too small for them.
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

TEST_CASE("the lens has a cell for each number of a tile that is not square, with a mask or without") {
  for (const MaskKind mask : {MaskKind::None, MaskKind::Causal})
    for (const auto& [br, bc] : {std::pair{2, 6}, {6, 2}, {3, 5}, {4, 2}}) {
      Problem p = picture();
      p.tiling.br = br, p.tiling.bc = bc;
      p.shape.mask.kind = mask;
      Walk walk(p);
      int lenses = 0;
      for (std::int64_t k = 1; k <= walk.schedule->step_count(); k += 3) {
        const State& state = walk.at(k);
        if (!state.step.in_visit()) continue;
        INFO("causal " << (mask == MaskKind::Causal) << ", " << br << "x" << bc << ", step " << k);
        const ScoresArea a = area_with_numbers(607, 401);
        const ScoresModel m = build_scores(walk, state, a);
        if (!m.lens) continue;
        ++lenses;
        CHECK(m.lens->cell_w >= 41);
        CHECK(m.lens->cell_h == 17);
        CHECK(m.x0 >= bc * m.lens->cell_w);
        CHECK(m.lens->y0 >= 0);
        CHECK(m.lens->y0 + br * m.lens->cell_h <= a.height + 1e-6);
        const double top = m.rows.at(double(state.step.row_begin)), low = m.rows.at(double(state.step.row_end));
        if (m.operand_w > 0) CHECK((m.lens->y0 >= low || m.lens->y0 + br * m.lens->cell_h <= top));
      }
      INFO("causal " << (mask == MaskKind::Causal) << ", " << br << "x" << bc);
      CHECK(lenses > 4);
    }
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

TEST_CASE("where a lens shows the numbers, the whole matrix is in view; in a large area the cells show them") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Scores);
  const ScoresModel small = build_scores(walk, state, area_with_numbers(607, 401));
  CHECK(small.cols.end - small.cols.begin == 16);
  CHECK(small.rows.end - small.rows.begin == 16);
  CHECK(small.cols.px < 41);
  CHECK(small.lens.has_value());
  CHECK_FALSE(small.left.empty());
  CHECK(small.x0 >= 4 * 39);
  CHECK(small.above_lens);
  CHECK(small.y1 - small.y0 > 401 - 4 * 17);  // the matrix has the height that K's values had
  const ScoresModel large = build_scores(walk, state, area_with_numbers(1000, 560));
  CHECK(large.cols.px >= 41);
  CHECK(large.rows.px >= 17);
  CHECK(large.cols.end - large.cols.begin == 16);
  CHECK_FALSE(large.above_lens);
}
