// The model of the matrix of scores in an area of so many pixels.
#pragma once

#include "tests/unit/view/view_fixture.h"
#include "view/scores/scores_model.h"

namespace tilewalk::test {

inline ScoresArea scores_area(double width = 640, double height = 640) {
  ScoresArea a;
  a.width = width;
  a.height = height;
  return a;
}

inline ScoresModel build_scores(Walk& walk, const State& state, const ScoresArea& a = scores_area()) {
  ScoresCache cache;
  return build_scores_model(*walk.schedule, walk.replay.inputs(), state, a, 1, cache);
}

// An area as a window's: values of Q and K, numbers of two decimals, and the numbers of rows and columns.
inline ScoresArea area_with_numbers(double width, double height) {
  ScoresArea a = scores_area(width, height);
  a.operand_w = 39, a.operand_h = 16, a.number_w = 41, a.number_h = 17, a.digit_w = 7, a.label_h = 13, a.gap_px = 4;
  return a;
}

}  // namespace tilewalk::test
