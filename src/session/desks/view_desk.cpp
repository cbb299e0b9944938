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

void ViewDesk::carry_out(Action action) {
  ViewSettings& view = document_.view;
  switch (action) {
    case Action::ToggleTheme: view.dark = !view.dark; return;
    case Action::ToggleMotion: view.motion = !view.motion; return;
    case Action::TextBigger: return scale_text(view.text_scale + 0.1);
    case Action::TextSmaller: return scale_text(view.text_scale - 0.1);
    case Action::TextNormal: return scale_text(1);
    case Action::FullScreen: full_screen_ = !full_screen_; return;
    case Action::BlankScreen: blank_ = presenting_ && !blank_; return;
    case Action::AskFirst: asks_first_ = !asks_first_, answered_at_ = -1; return;
    case Action::Quit: quit_ = true; return;
    default: return;
  }
}

}  // namespace tilewalk
