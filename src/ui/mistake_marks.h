// The colour and the sign of a number that a deliberate mistake changes: red with a cross; amber with "!" where the
// walk's result is right in spite of it.
#pragma once

#include "ui/draw.h"
#include "ui/ui.h"

namespace tilewalk {

inline ImU32 ink_of_mistake(const UiFrame& f, const Palette& colours) {
  return f.views.output_right ? colours.warn : colours.bad;
}

inline ImU32 fill_of_mistake(const UiFrame& f, const Palette& colours) {
  return f.views.output_right ? colours.warn_fill : colours.bad_fill;
}

inline draw::Sign sign_of_mistake(const UiFrame& f) {
  return f.views.output_right ? draw::Sign::Alert : draw::Sign::Cross;
}

}  // namespace tilewalk
