// Whether panels draw what a person can click.
#pragma once

#include "ui/ui.h"

namespace tilewalk {

// False in a picture or a film, and for a class, which has a clicker's keys and Esc.
inline bool shows_controls(const UiFrame& f) { return !is_post_layout(f.layout) && !f.session.view().presenting(); }

}  // namespace tilewalk
