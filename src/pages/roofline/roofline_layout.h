// The positions of the panels on the page of the roofline.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct RooflineLayout {
  draw::Rect strip, head, plot, guess, wins, table;
  draw::Rect body;  // of all but the choices
};
RooflineLayout roofline_layout(const Layout&);

}  // namespace tilewalk
