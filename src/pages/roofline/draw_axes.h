// Draws the ticks of a plot in its rectangle, with their lines and numbers, and the words of both axes. The colours of
// its marks.
#pragma once

#include <string_view>
#include <vector>

#include "pages/roofline/plot_axes.h"
#include "ui/panel.h"

namespace tilewalk {

enum class RooflineHue;

float widest_tick(const Font&, const std::vector<PlotTick>&);
void draw_axes(const Panel&, const draw::Rect& area, const std::vector<PlotTick>& across,
               const std::vector<PlotTick>& up, std::string_view below, std::string_view beside);

ImU32 colour_of(const Palette&, RooflineHue);

}  // namespace tilewalk
