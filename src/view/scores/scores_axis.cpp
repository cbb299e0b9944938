#include "view/scores/scores_axis.h"

#include <algorithm>

namespace tilewalk {

double ScoresAxis::at(double cell) const { return origin + (cell - begin) * px; }

double ScoresAxis::cell(double pixel) const { return begin + (pixel - origin) / px; }

ScoresAxis make_scores_axis(const AxisWish& wish) {
  ScoresAxis axis;
  const double count = double(wish.count), whole = count * wish.px, shown = std::min(whole, wish.space);
  const double first = std::clamp(wish.centre * whole - shown / 2, 0.0, whole - shown);
  axis.px = wish.px;
  axis.begin = first / wish.px;
  axis.end = shown < whole ? axis.begin + shown / wish.px : count;
  axis.origin = wish.before + (wish.space - shown) / 2;
  return axis;
}

}  // namespace tilewalk
