// The positions of the panels on the page of the race.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct RaceLayout {
  draw::Rect head, bars, curves, table;
};
RaceLayout race_layout(const Layout&);

}  // namespace tilewalk
