#include "session/controllers/view_controller.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

void ViewController::copy(std::string text) {
  clipboard_ = std::move(text);
  ++clipboard_serial_;
}

void ViewController::scale_text(double scale) {
  if (std::isfinite(scale)) document_.view.text_scale = std::clamp(scale, kLeastTextScale, kMostTextScale);
}

}  // namespace tilewalk
