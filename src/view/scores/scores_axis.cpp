#include "view/scores/scores_axis.h"

#include <algorithm>

namespace tilewalk {

double ScoresAxis::at(double cell) const { return origin + (cell - begin) * px; }

double ScoresAxis::cell(double pixel) const { return begin + (pixel - origin) / px; }

ScoresAxis make_scores_axis(const AxisRequest& request) {
  ScoresAxis axis;
  const double count = double(request.count), whole = count * request.px, shown = std::min(whole, request.space);
  const double first = std::clamp(request.centre * whole - shown / 2, 0.0, whole - shown);
  axis.px = request.px;
  axis.begin = first / request.px;
  axis.end = shown < whole ? axis.begin + shown / request.px : count;
  axis.origin = request.before + (request.space - shown) / 2;
  return axis;
}

}  // namespace tilewalk
