#include "ui/panels/problem/tab_stops.h"

#include <algorithm>

#include "ui/imgui_compat.h"

namespace tilewalk {

TabStops::TabStops(const UiFrame& f) : f_(f) {
  const bool appears = f.session.view().dialog() != f.ui.dialog_before;
  if (appears) f.ui.stop = 0;
  moved_ = appears;
  if (!appears && key_pressed(Key::Tab) && f.ui.stops > 0) {
    f.ui.stop = (f.ui.stop + (ImGui::GetIO().KeyShift ? f.ui.stops - 1 : 1)) % f.ui.stops;
    moved_ = true;
  }
}

// Another schedule may have fewer fields; the buttons stay the last stop.
TabStops::~TabStops() {
  if (f_.ui.stop >= count_) f_.ui.stop = std::max(0, count_ - 1);
  f_.ui.stops = count_;
}

bool TabStops::next_is_at_hand() { return count_++ == f_.ui.stop; }

void TabStops::before_text(const char* label) {
  if (next_is_at_hand() && moved_) focus_text(label);
}

void TabStops::text_done() {
  if (ImGui::IsItemActivated()) f_.ui.stop = count_ - 1;
}

bool TabStops::at(const draw::Rect& r) {
  const bool here = next_is_at_hand();
  if (!here) return false;
  if (moved_) {
    ImGui::SetWindowFocus(nullptr);  // takes the caret from a text field
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    if (r.y0 < top || r.y1 > bottom) ImGui::SetScrollFromPosY(r.y0 - top);
  }
  ImGui::GetWindowDrawList()->AddRect(ImVec2(r.x0 - 3, r.y0 - 3), ImVec2(r.x1 + 3, r.y1 + 3), f_.theme.colours.accent,
                                      6 * f_.theme.s, 0, 2);
  return !moved_;
}

}  // namespace tilewalk
