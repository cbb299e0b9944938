// A small line plot: a grid of ticks, curves through marked points, a line for a ceiling. Positions are fractions of
// the plot's rectangle, 0 at the left and at the bottom. Marks differ in shape as well as colour; hollow ones have a
// dashed line.
#pragma once

#include <vector>

#include "ui/draw.h"

namespace tilewalk::plot {

enum class Mark { Square, Triangle, Circle, Diamond };

ImVec2 place(const draw::Rect&, double x, double y);
void mark(ImDrawList*, Mark, const ImVec2& at, float radius, ImU32 colour, bool hollow, ImU32 inside, float thickness);
void line(ImDrawList*, const std::vector<ImVec2>& points, ImU32 colour, float thickness, bool dashed);
// A bar from the left edge. Hollow: an outline with a hatch, so that it differs without colour.
void bar(ImDrawList*, const draw::Rect&, ImU32 colour, bool hollow, float scale);
void upright(ImDrawList*, float x, float y0, float y1, ImU32 colour, float thickness);  // dashed
void level(ImDrawList*, float y, float x0, float x1, ImU32 colour, float thickness);    // dashed

}  // namespace tilewalk::plot
