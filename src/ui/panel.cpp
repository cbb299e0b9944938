#include "ui/panel.h"

#include <algorithm>

namespace tilewalk {

Panel::Panel(const char* id, const draw::Rect& r, const Theme& t, Scroll scroll)
    : theme(t), colours(t.colours), fonts(t.fonts), s(t.s), rect(r) {
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

}  // namespace tilewalk
