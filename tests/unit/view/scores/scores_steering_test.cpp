#include "view/scores/scores_steering.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> session_of(std::int64_t heads, std::int64_t batch) {
  Document document;
  document.problem.shape.heads = document.problem.shape.kv_heads = heads;
  document.problem.shape.batch = batch;
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

// The whole 16×16 matrix, ten pixels a cell.
ScoresModel whole_matrix() {
  ScoresModel m;
  m.x1 = m.y1 = 160;
  m.rows.px = m.cols.px = 10;
  m.rows.end = m.cols.end = 16;
  return m;
}

}  // namespace

TEST_CASE("the wheel zooms around the pointer, from the whole matrix to a single cell") {
  const auto session = session_of(1, 1);
  const ScoresModel m = whole_matrix();
  const ScoresSteering steering(*session, m);
  const auto closer = *steering.zoom(40, 120, 1).as<SetGridView>();
  CHECK(closer.zoom == Approx(1.25));
  CHECK(closer.row == Approx(0.75 - 0.25 / 1.25));
  CHECK(closer.col == Approx(0.25 + 0.25 / 1.25));
  CHECK(steering.zoom(40, 120, -3).as<SetGridView>()->zoom == 1);
  CHECK(steering.zoom(40, 120, 99).as<SetGridView>()->zoom == 16);
}

TEST_CASE("a drag moves the matrix with the pointer, once it is larger than its panel") {
  const auto session = session_of(1, 1);
  const ScoresModel m = whole_matrix();
  CHECK_FALSE(ScoresSteering(*session, m).pan(10, 0));
  session->dispatch(SetGridView{2, 0.5, 0.5});
  const auto command = ScoresSteering(*session, m).pan(10, -20);
  REQUIRE(command);
  CHECK(command->as<SetGridView>()->col == Approx(7.0 / 16));
  CHECK(command->as<SetGridView>()->row == Approx(10.0 / 16));
}

TEST_CASE("a click selects a cell, and deselects the selected one") {
  const auto session = session_of(1, 1);
  const ScoresModel m = whole_matrix();
  const ScoresSteering steering(*session, m);
  CHECK(steering.click(3, 4) == Command(SelectCell{3, 4}));
  session->dispatch(SelectCell{3, 4});
  CHECK(steering.click(3, 4) == Command(Action::SelectNothing));
  CHECK(steering.click(4, 3) == Command(SelectCell{4, 3}));
}

TEST_CASE("the neighbours of the current head are offered, and none beyond the first and the last") {
  CHECK_FALSE(build_head_choice(*session_of(1, 1)));
  const auto session = session_of(2, 2);
  auto choice = build_head_choice(*session);
  REQUIRE(choice);
  CHECK(choice->name == "batch 0 · head 0");
  CHECK_FALSE(choice->before);
  REQUIRE(choice->after);
  CHECK(Command(*choice->after) == Command(GoToHead{0, 1}));
  session->dispatch(GoToHead{1, 1});
  choice = build_head_choice(*session);
  CHECK(choice->name == "batch 1 · head 1");
  CHECK_FALSE(choice->after);
  REQUIRE(choice->before);
  CHECK(Command(*choice->before) == Command(GoToHead{1, 0}));
}
