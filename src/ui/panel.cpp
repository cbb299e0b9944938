#include "ui/panel.h"

#include <algorithm>

#include "ui/widgets.h"

namespace tilewalk {

Panel::Panel(const char* id, const draw::Rect& r, const UiFrame& f, Scroll scroll)
    : theme(f.theme), colours(theme.colours), fonts(theme.fonts), s(theme.s), e(theme.e), rect(r), frame_(f) {
  ImGui::SetNextWindowPos(r.min());
  ImGui::SetNextWindowSize(ImVec2(std::max(1.0f, r.width()), std::max(1.0f, r.height())));
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                           ImGuiWindowFlags_NoBringToFrontOnFocus;
  if (scroll == Scroll::Never) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  if (scroll == Scroll::ByBar) flags |= ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::Begin(id, nullptr, flags);
  list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  x = at.x;
  y = at.y;
  width = ImGui::GetContentRegionAvail().x;
}

Panel::~Panel() {
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::End();
}

void Panel::caption(std::string_view text, float taken) {
  caption_at(x, y, text, taken > 0 ? width - taken - 6 * s : width);
  y += 24 * s;
}

float Panel::caption_at(float at_x, float at_y, std::string_view text, float most) {
  return tilewalk::caption(frame_, "caption " + std::to_string(captions_++), at_x, at_y, text, most);
}

}  // namespace tilewalk
