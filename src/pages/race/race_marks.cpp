#include "pages/race/race_marks.h"

#include "ui/plot.h"

namespace tilewalk {
namespace {

plot::Mark mark_of(RaceShape shape) {
  switch (shape) {
    case RaceShape::Square: return plot::Mark::Square;
    case RaceShape::Triangle: return plot::Mark::Triangle;
    case RaceShape::Circle: return plot::Mark::Circle;
    case RaceShape::Diamond: return plot::Mark::Diamond;
  }
  return plot::Mark::Square;
}

}  // namespace

ImU32 colour_of(const Palette& c, const RaceLook& look) { return hue_of_generation(c, look.colour); }

void draw_mark(const Panel& p, const RaceLook& look, const ImVec2& at, float radius) {
  plot::mark(p.list, mark_of(look.shape), at, radius, colour_of(p.colours, look), look.hollow, p.colours.panel,
             1.6f * p.s);
}

}  // namespace tilewalk
