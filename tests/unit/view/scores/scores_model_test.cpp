#include "view/scores/scores_model.h"

#include <cmath>

#include "tests/unit/view/view_fixture.h"
#include "view/scores/score_sample.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

namespace {

ScoresArea area(double width = 640, double height = 640) {
  ScoresArea a;
  a.width = width;
  a.height = height;
  return a;
}

ScoresModel build(Walk& walk, const State& state, const ScoresArea& a = area()) {
  ScoresCache cache;
  return build_scores_model(*walk.schedule, walk.replay.inputs(), state, a, 1, cache);
}

}  // namespace

TEST_CASE("tiles are done, current, pending or skipped as in the walk") {
  Walk walk(picture());
  const ScoresModel m = build(walk, walk.after(Phase::Rescale));
  REQUIRE(m.tiles.size() == 16);
  const auto state = [&](int q, int k) { return m.tiles[std::size_t(q * 4 + k)].state; };
  CHECK(state(0, 0) == TileState::Done);
  CHECK(state(2, 0) == TileState::Done);
  CHECK(state(2, 1) == TileState::Now);
  CHECK(state(2, 2) == TileState::Pending);
  CHECK(state(2, 3) == TileState::Skipped);
  CHECK(state(3, 3) == TileState::Pending);
}

TEST_CASE("cells show the replay's own scores, and no value before it is computed") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Rescale);
  const ScoresModel m = build(walk, state);
  const ScoreTile& now = m.tiles[2 * 4 + 1];
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(m.cells[now.first_cell + i].known);
    CHECK(m.cells[now.first_cell + i].value == display_score(walk.problem, state.s[i]));
  }
  CHECK_FALSE(m.cells[m.tiles[2 * 4 + 2].first_cell].known);
  const ScoresModel loading = build(walk, walk.after(Phase::LoadKV));
  CHECK_FALSE(loading.cells[loading.tiles[2 * 4 + 1].first_cell].known);
}

TEST_CASE("the work depends on the pixels, not on the size of the matrix") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 1 << 20;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 20;
  Walk walk(p);
  const ScoresModel m = build(walk, walk.at(0));
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
  ScoresArea a = area();
  a.zoom = 8192;
  a.centre_row = (100.5) / 8192;
  a.centre_col = (70.5) / 8192;
  const ScoresModel m = build(walk, walk.at(0), a);
  CHECK(m.cells_drawn);
  std::int64_t row = 0, col = 0;
  REQUIRE(m.cell_at(320, 320, row, col));
  CHECK(row == 100);
  CHECK(col == 70);
  CHECK(m.cells.size() <= 4);
}

TEST_CASE("the cell found under a pixel is the one drawn there") {
  Walk walk(picture());
  const ScoresModel m = build(walk, walk.at(0));
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
    const ScoresModel kept = build_scores_model(*walk.schedule, walk.replay.inputs(), state, area(), 1, cache);
    const ScoresModel fresh = build(walk, state);
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
  const ScoresModel m = build(walk, walk.at(0));
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
  ScoresModel m = build(naive, naive.after(Phase::Exponentiate));
  CHECK(m.shown == Quantity::P);
  CHECK(m.choices == std::vector<Quantity>{Quantity::S, Quantity::P});
  CHECK(m.formula == "P = e^(S − m)");
  values_shown(m, naive.replay.state(), naive.replay.state().p);
  m = build(naive, naive.after(Phase::Divide));
  CHECK(m.formula == "P = e^(S − m) / ℓ");
  values_shown(m, naive.replay.state(), naive.replay.state().p);

  Walk backward(picture(ScheduleKind::BackwardStandard));
  m = build(backward, backward.after(Phase::RowDot));
  CHECK(m.shown == Quantity::DP);
  m = build(backward, backward.after(Phase::GradS));
  CHECK(m.shown == Quantity::DS);
  CHECK(m.choices == std::vector<Quantity>{Quantity::P, Quantity::DP, Quantity::DS});
  values_shown(m, backward.replay.state(), backward.replay.state().ds);
}

TEST_CASE("values of Q and K stand beside the scores only while they are on chip, and of dP those of dO and V") {
  ScoresArea with = area(900, 700);
  with.operand_w = 38, with.operand_w_short = 30, with.operand_h = 16;
  Walk naive(picture(ScheduleKind::Standard));
  const ScoresModel scores = build(naive, naive.after(Phase::Scores), with);
  CHECK(scores.left.tensor == TensorId::Q);
  CHECK_FALSE(scores.left.empty());
  CHECK_FALSE(scores.above.empty());
  for (const Phase phase : {Phase::RowMax, Phase::Accumulate}) {
    const ScoresModel m = build(naive, naive.after(phase), with);
    CHECK(m.left.empty());
    CHECK(m.above.empty());
  }
  Walk backward(picture(ScheduleKind::Backward));
  const ScoresModel m = build(backward, backward.after(Phase::GradP), with);
  CHECK(m.left.tensor == TensorId::dO);
  CHECK(m.above.tensor == TensorId::V);
  CHECK_FALSE(m.left.empty());
}

TEST_CASE("space goes first to the values of Q and K, then to digits of the current tile, then to the other cells") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Scores);
  ScoresArea narrow = area(607, 401);
  narrow.operand_w = 39, narrow.operand_w_short = 32, narrow.operand_h = 16, narrow.number_w = 41, narrow.number_h = 17;
  narrow.gap_px = 4;
  const ScoresModel m = build(walk, state, narrow);
  CHECK(m.x0 >= 4 * 39);
  CHECK_FALSE(m.left.empty());
  CHECK(m.cols.size_at(double(state.step.col_begin)) == 41);
  CHECK(m.cols.px < 28);
  CHECK(m.cols.end - m.cols.begin == 16);
  narrow.width = 300;  // less than that: a digit of the values
  const ScoresModel less = build(walk, state, narrow);
  CHECK(less.operand_w == 32);
  CHECK(less.cols.size_at(double(state.step.col_begin)) == 41);
}
