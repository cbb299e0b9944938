// Square pictures for a post: nobody can click them.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

// True for the layout of post_layout(), which has no transport.
inline bool is_post_layout(const Layout& layout) { return layout.transport.height() <= 0; }

}  // namespace tilewalk
