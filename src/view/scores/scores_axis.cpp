#include "view/scores/scores_axis.h"

#include <algorithm>

namespace tilewalk {

double ScoresAxis::length_to(double cell) const {
  return cell * px + (std::clamp(cell, focus_begin, focus_end) - focus_begin) * (focus_px - px);
}

double ScoresAxis::cell_after(double length) const {
  const double before = length_to(focus_begin), behind = length_to(focus_end);
  if (length < before) return length / px;
  if (length < behind) return focus_begin + (length - before) / focus_px;
  return focus_end + (length - behind) / px;
}

double ScoresAxis::at(double cell) const { return origin + length_to(cell) - length_to(begin); }

double ScoresAxis::cell(double pixel) const { return cell_after(pixel - origin + length_to(begin)); }

ScoresAxis make_scores_axis(const AxisWish& wish) {
  ScoresAxis axis;
  const double count = double(wish.count), focus = wish.focus_end - wish.focus_begin;
  axis.px = axis.focus_px = wish.px;
  if (focus > 0 && wish.focus_px > wish.px) {
    axis.focus_begin = wish.focus_begin, axis.focus_end = wish.focus_end, axis.focus_px = wish.focus_px;
    const double left = (wish.space - focus * wish.focus_px) / std::max(1.0, count - focus);
    if (wish.all) axis.px = std::clamp(left, std::min(wish.least_px, wish.px), wish.px);
  }
  const double whole = axis.length_to(count), shown = std::min(whole, wish.space);
  const double first = std::clamp(axis.length_to(wish.centre * count) - shown / 2, 0.0, whole - shown);
  axis.begin = axis.cell_after(first);
  axis.end = shown < whole ? axis.cell_after(first + shown) : count;
  axis.origin = wish.before + (wish.space - shown) / 2;
  return axis;
}

}  // namespace tilewalk
