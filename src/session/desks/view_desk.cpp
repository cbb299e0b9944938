#include "session/desks/view_desk.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

void ViewDesk::copy(std::string text) {
  clipboard_ = std::move(text);
  ++clipboard_serial_;
}

void ViewDesk::scale_text(double scale) {
  if (std::isfinite(scale)) document_.view.text_scale = std::clamp(scale, kLeastTextScale, kMostTextScale);
}

}  // namespace tilewalk
