// The positions of the panels on the page of which attention runs.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct WhichLayout {
  draw::Rect call, answer, cards, so, names;
  draw::Rect profile, profile_name;  // instead of all but the call while a profile is open
};
WhichLayout which_layout(const Layout&);

}  // namespace tilewalk
