// Where the panels of the page of the race lie.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct RaceLayout {
  draw::Rect head, bars, curves, predicted;
};
RaceLayout race_layout(const Layout&);

}  // namespace tilewalk
