// Where the panels of the page of comparison lie, and where lanes and SMs lie in theirs.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct CompareLayout {
  draw::Rect lanes, waves_left, waves_right, table;
};
CompareLayout compare_layout(const Layout&);

draw::Rect lanes_area(const draw::Rect& panel, const Theme&);    // where boxes lie, right of the names
draw::Rect squares_area(const draw::Rect& panel, const Theme&);  // one square an SM

}  // namespace tilewalk
