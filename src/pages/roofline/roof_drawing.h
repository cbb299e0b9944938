// The chart on which a person draws a roofline in a lesson, with the marks placed so far. Positions are fractions of
// the plot, 0 at the left and at the bottom.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pages/roofline/plot_axes.h"
#include "session/lesson/lesson_controller.h"
#include "session/lesson/roof_marks.h"

namespace tilewalk {

struct DrawnMark {
  enum class Look { Given, Placed, Right, Wrong };
  std::string label;  // "naive 32 FLOP/byte, 137 TFLOP/s"
  RoofMark::Kind kind{};
  Look look{};
  PlotPoint at;       // Slope: where it meets the left edge; Ceiling: its left end
  PlotPoint to = {};  // the right end of a line
  int choice = -1;    // its place among the marks that a person places; −1: it is given
};

struct RoofDrawing {
  PlotAxes axes;
  std::vector<DrawnMark> marks;      // those with a place
  std::vector<std::string> choices;  // the names of the marks that a person places
  bool done = false;
};

std::optional<RoofDrawing> build_roof_drawing(const LessonController&);  // empty: the screen asks for no drawing

// The draft once the mark of that choice is at a position of the plot.
std::string draft_with(const LessonController&, int choice, const PlotPoint&);
// The draft once it is moved by parts of the plot; a mark without a place comes to the middle.
std::string draft_moved(const LessonController&, int choice, double across, double up);
// The placed mark nearest to a position: a point, or a line's height there; −1: none is near.
int choice_near(const RoofDrawing&, const PlotPoint&);

}  // namespace tilewalk
