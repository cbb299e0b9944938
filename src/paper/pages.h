// Draws a laid out sheet, and nothing else.
#pragma once

#include "paper/layout.h"

namespace tilewalk {

void draw_page(cairo_t*, const PaperPage&, const Type&);

}  // namespace tilewalk
