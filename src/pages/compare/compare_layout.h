// The positions of the panels on the page of comparison, and of lanes and SMs in their panels.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct CompareLayout {
  draw::Rect head;    // the schedules
  draw::Rect result;  // which side is faster, across the page
  draw::Rect lanes, steps, waves_left, waves_right, table;
  draw::Rect lanes_tall;                                 // where no step moves anything: in the place of the steps too
  draw::Rect steps_of_waves, filled_left, filled_right;  // all SMs, large, instead of the lanes and what is below them
  draw::Rect recorded, chip_kinds, chip_words;           // lanes of a GPU, and what compares the model with them
};
CompareLayout compare_layout(const Layout&);

draw::Rect lanes_area(const draw::Rect& panel, const Theme&);    // the area of the boxes, right of the names
draw::Rect squares_area(const draw::Rect& panel, const Theme&);  // one square for each SM

}  // namespace tilewalk
