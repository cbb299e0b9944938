// Draws a laid out sheet, and nothing else.
#pragma once

#include "print/layout.h"

namespace tilewalk {

void draw_page(cairo_t*, const PrintPage&, const Type&);

}  // namespace tilewalk
