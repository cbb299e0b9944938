// The positions of the panels on the page of which attention runs.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct WhichLayout {
  draw::Rect call, cards, so, names;
};
WhichLayout which_layout(const Layout&);

}  // namespace tilewalk
