#include "view/scores/scores_axis.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("cells of the current tile keep their size, the others share the rest, and none overlap") {
  for (const int tile : {0, 1, 3}) {
    const ScoresAxis axis = make_scores_axis({.count = 16,
                                              .px = 28,
                                              .least_px = 8,
                                              .before = 100,
                                              .space = 450,
                                              .focus_begin = tile * 4.0,
                                              .focus_end = tile * 4.0 + 4,
                                              .focus_px = 41});
    INFO("tile " << tile);
    CHECK(axis.begin == 0);
    CHECK(axis.end == 16);
    CHECK(axis.at(0) == Approx(100));
    CHECK(axis.at(16) == Approx(550));
    double before = axis.at(0);
    for (int cell = 0; cell < 16; ++cell) {
      const double width = axis.at(cell + 1) - axis.at(cell);
      CHECK(width == Approx(cell / 4 == tile ? 41 : (450 - 4 * 41) / 12.0));
      CHECK(width == Approx(axis.size_at(cell)));
      CHECK(axis.at(cell) == Approx(before));
      CHECK(axis.cell(axis.at(cell + 0.25)) == Approx(cell + 0.25));
      before += width;
    }
  }
}

TEST_CASE("where all cells at their smallest size do not fit, the current tile is wholly in view") {
  for (int tile = 0; tile < 8; ++tile) {
    const double begin = tile * 4.0;
    const ScoresAxis axis = make_scores_axis({.count = 32,
                                              .px = 6,
                                              .least_px = 10,
                                              .space = 200,
                                              .centre = (begin + 2) / 32,
                                              .focus_begin = begin,
                                              .focus_end = begin + 4,
                                              .focus_px = 40});
    INFO("tile " << tile);
    CHECK(axis.px == 6);  // never larger than requested
    CHECK(axis.begin <= begin);
    CHECK(axis.end >= begin + 4);
    CHECK(axis.at(axis.begin) >= -1e-9);
    CHECK(axis.at(axis.end) <= 200 + 1e-9);
  }
}

TEST_CASE("without a current tile all cells are equal, zoomed in or not") {
  const ScoresAxis axis = make_scores_axis({.count = 16, .px = 50, .space = 400, .centre = 0.5, .all = false});
  CHECK(axis.end - axis.begin == Approx(8));
  CHECK((axis.begin + axis.end) / 2 == Approx(8));
  CHECK(axis.cell(200) == Approx(8));
}
