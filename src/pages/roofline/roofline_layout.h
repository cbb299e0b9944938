// Where the panels of the page of the roofline lie.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct RooflineLayout {
  draw::Rect head, plot, guess, wins, table;
};
RooflineLayout roofline_layout(const Layout&);

}  // namespace tilewalk
