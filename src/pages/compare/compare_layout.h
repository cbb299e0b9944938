// The positions of the panels on the page of comparison, and of lanes and SMs in their panels.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct CompareLayout {
  draw::Rect head;  // the schedules
  draw::Rect lanes, steps, waves_left, waves_right, table;
};
CompareLayout compare_layout(const Layout&);

draw::Rect lanes_area(const draw::Rect& panel, const Theme&);    // the area of the boxes, right of the names
draw::Rect squares_area(const draw::Rect& panel, const Theme&);  // one square for each SM

}  // namespace tilewalk
