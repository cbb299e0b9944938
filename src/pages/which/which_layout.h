// Where the panels of the page of which attention runs lie.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct WhichLayout {
  draw::Rect call, cards, so, names;
};
WhichLayout which_layout(const Layout&);

}  // namespace tilewalk
