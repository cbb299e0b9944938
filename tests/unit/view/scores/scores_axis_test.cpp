#include "view/scores/scores_axis.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("cells have one size and none overlap, and a pixel finds its cell again") {
  const ScoresAxis axis = make_scores_axis({.count = 16, .px = 28, .before = 100, .space = 450});
  CHECK(axis.begin == 0);
  CHECK(axis.end == 16);
  CHECK(axis.at(0) == Approx(101));  // in the middle of its space
  CHECK(axis.at(16) == Approx(549));
  for (int cell = 0; cell < 16; ++cell) {
    CHECK(axis.at(cell + 1) - axis.at(cell) == Approx(28));
    CHECK(axis.cell(axis.at(cell + 0.25)) == Approx(cell + 0.25));
  }
}

TEST_CASE("where not all cells fit, the centre is in view and nothing leaves the space") {
  for (int tile = 0; tile < 8; ++tile) {
    const double begin = tile * 4.0;
    const ScoresAxis axis = make_scores_axis({.count = 32, .px = 40, .space = 200, .centre = (begin + 2) / 32});
    INFO("tile " << tile);
    CHECK(axis.px == 40);
    CHECK(axis.begin <= begin);
    CHECK(axis.end >= begin + 4);
    CHECK(axis.at(axis.begin) >= -1e-9);
    CHECK(axis.at(axis.end) <= 200 + 1e-9);
  }
}

TEST_CASE("a view closer than the whole matrix shows its centre") {
  const ScoresAxis axis = make_scores_axis({.count = 16, .px = 50, .space = 400, .centre = 0.5});
  CHECK(axis.end - axis.begin == Approx(8));
  CHECK((axis.begin + axis.end) / 2 == Approx(8));
  CHECK(axis.cell(200) == Approx(8));
}
