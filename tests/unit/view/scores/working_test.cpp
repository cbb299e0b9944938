#include "view/scores/working.h"

#include <cmath>

#include "tests/unit/view/view_fixture.h"
#include "view/scores/scores_model.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

namespace {

// As with pencil and paper: whole numbers, powers of two.
Problem pencil_problem(ScheduleKind kind = ScheduleKind::FlashV2) {
  Problem p = picture(kind);
  p.shape.n_q = p.shape.n_kv = 16;
  p.shape.d = 2;
  p.numerics.base = Base::Two;
  p.numerics.scale = 1.0;
  p.numerics.distribution = Distribution::Integers;
  return p;
}

// The number at the end of a line, "2 1/16" as 2.0625.
double after_last(const std::string& line, const std::string& mark) {
  std::string text = line.substr(line.rfind(mark) + mark.size());
  double sign = 1, whole = 0;
  if (text.rfind("−", 0) == 0) sign = -1, text = text.substr(std::string("−").size());
  if (const std::size_t space = text.find(' '); space != std::string::npos)
    whole = std::stod(text.substr(0, space)), text = text.substr(space + 1);
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return sign * (whole + std::stod(text));
  return sign * (whole + std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1)));
}

double result_of(const std::string& line) { return after_last(line, "= "); }

ScoresModel scores_at(Walk& walk, const State& state, std::optional<Quantity> asked) {
  ScoresCache cache;
  return build_scores_model(*walk.schedule, walk.replay.inputs(), state,
                            {.width = 900, .height = 700, .operand_w = 38, .operand_h = 16, .asked = asked}, 1, cache);
}

}  // namespace

TEST_CASE("the products of a score add up to it, line by line") {
  Walk walk(pencil_problem());
  const State& state = walk.after(Phase::Scores);
  for (std::int64_t row = state.step.row_begin; row < state.step.row_end; ++row)
    for (std::int64_t col = state.step.col_begin; col < state.step.col_end; ++col) {
      const Working lines = working_of_cell(*walk.schedule, walk.replay.inputs(), state, row, col, Quantity::S);
      REQUIRE(lines.size() == 4);
      CHECK(result_of(lines[1]) + result_of(lines[2]) == result_of(lines[3]));
      CHECK(result_of(lines[3]) ==
            double(state.s[std::size_t((row - state.step.row_begin) * 4 + col - state.step.col_begin)]));
    }
}

TEST_CASE("a weight, a running sum and an element of O are written out with their numbers") {
  Walk walk(pencil_problem());
  const State& state = walk.after(Phase::Accumulate);
  for (std::int64_t r = 0; r < state.step.rows(); ++r) {
    const std::int64_t row = state.step.row_begin + r;
    const Working cell = working_of_cell(*walk.schedule, walk.replay.inputs(), state, row, 4, Quantity::P);
    REQUIRE_FALSE(cell.empty());
    const double weight = state.p[std::size_t(r * 4)];
    CHECK((cell.back().ends_with(format_value(walk.problem, weight)) ||
           std::fabs(result_of(cell.back()) - weight) < 1e-4));
    const Working sum = working_of_sum(*walk.schedule, state, row);
    REQUIRE(sum.size() == 1);
    CHECK(std::fabs(result_of(sum[0]) - double(state.l[std::size_t(r)])) < 1e-3);
    for (std::int64_t x = 0; x < 2; ++x) {
      const Working element = working_of_output(*walk.schedule, walk.replay.inputs(), state, row, x);
      REQUIRE(element.size() == 6);
      CHECK(element.front().starts_with("old value, times α: "));
      double total = after_last(element.front(), ": ");
      for (std::size_t i = 1; i + 1 < element.size(); ++i) total += result_of(element[i]);
      CHECK(std::fabs(total - double(state.o[std::size_t(r * 2 + x)])) < 1e-3);
      CHECK(std::fabs(after_last(element.back(), "together ") - total) < 1e-3);
    }
  }
}

TEST_CASE("the current tile shows the phase's result, or the requested quantity") {
  for (const auto& [kind, phase, made] : {std::tuple{ScheduleKind::FlashV2, Phase::Scores, Quantity::S},
                                          std::tuple{ScheduleKind::FlashV2, Phase::Exponentiate, Quantity::P},
                                          std::tuple{ScheduleKind::FlashV1, Phase::Exponentiate, Quantity::P},
                                          std::tuple{ScheduleKind::Backward, Phase::GradP, Quantity::DP},
                                          std::tuple{ScheduleKind::Backward, Phase::GradS, Quantity::DS}}) {
    Walk walk(picture(kind));
    const State& state = walk.after(phase);
    const ScoresModel model = scores_at(walk, state, std::nullopt);
    CHECK(model.shown == made);
    CHECK(model.formula.rfind(std::string(ledger_row(made).letter) + " =", 0) == 0);
    for (const ScoreTile& tile : model.tiles) {
      if (tile.state != TileState::Now) continue;
      for (std::size_t i = 0; i < std::size_t(tile.rows * tile.cols); ++i) {
        const float held = values_of(state, made)[i];
        CHECK(model.cells[tile.first_cell + i].value ==
              (made == Quantity::S ? display_score(walk.problem, held) : held));
      }
    }
    CHECK(scores_at(walk, state, Quantity::S).shown == Quantity::S);
  }
}

TEST_CASE("the current rows of Q and K are beside the matrix where they are few") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Scores);
  const ScoresModel model = scores_at(walk, state, std::nullopt);
  REQUIRE(model.left.rows == 4);
  REQUIRE(model.above.rows == 4);
  CHECK(model.left.row_begin == 8);
  CHECK(model.above.row_begin == 4);
  CHECK(model.left.at(9, 1) == walk.replay.inputs().at({TensorId::Q}, 9, 1));
  CHECK(model.above.at(6, 3) == walk.replay.inputs().at({TensorId::K}, 6, 3));
  CHECK(model.x0 >= 4 * 38);
  CHECK(model.y0 >= 4 * 16);
  Problem large = picture();
  large.shape.n_q = large.shape.n_kv = 128;
  large.tiling.br = large.tiling.bc = 16;
  Walk wide(large);
  CHECK(scores_at(wide, wide.after(Phase::Scores), std::nullopt).left.empty());
}

TEST_CASE("base 2 uses exact fractions while they are short") {
  Problem two;
  two.numerics.base = Base::Two;
  CHECK(format_value(two, 2.0625) == "2 1/16");
  CHECK(format_value(two, -0.5) == "−1/2");
  CHECK(format_value(two, 3) == "3");
  CHECK(format_value(two, 0) == "0");
  CHECK(format_value(two, 1.0 / 3) == "0.33");
  CHECK(format_value(two, -INFINITY) == "−∞");
  CHECK(format_value(Problem{}, 2.0625) == compact_number(2.0625));
}
