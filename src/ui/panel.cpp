#include "ui/panel.h"

#include <algorithm>

namespace tilewalk {

Panel::Panel(const char* id, const draw::Rect& r, const Theme& t, bool scrolls, bool by_wheel)
    : theme(t), colours(t.colours), fonts(t.fonts), s(t.s), rect(r) {
  ImGui::SetNextWindowPos(r.min());
  ImGui::SetNextWindowSize(ImVec2(std::max(1.0f, r.width()), std::max(1.0f, r.height())));
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                           ImGuiWindowFlags_NoBringToFrontOnFocus;
  if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  if (!by_wheel) flags |= ImGuiWindowFlags_NoScrollWithMouse;
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

Hit hit(const char* id, const draw::Rect& r, const Theme& theme) {
  Hit out;
  ImGui::SetCursorScreenPos(r.min());
  out.clicked = ImGui::InvisibleButton(id, ImVec2(std::max(1.0f, r.width()), std::max(1.0f, r.height())));
  out.hovered = ImGui::IsItemHovered();
  out.held = ImGui::IsItemActive();
  if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible)
    ImGui::GetWindowDrawList()->AddRect(ImVec2(r.x0 - 2, r.y0 - 2), ImVec2(r.x1 + 2, r.y1 + 2), theme.colours.accent,
                                        6 * theme.s, 0, 2);
  return out;
}

bool button(ImDrawList* list, const Theme& theme, const char* id, const draw::Rect& r, std::string_view label,
            bool strong, bool enabled) {
  begin_disabled(!enabled);
  const Hit h = hit(id, r, theme);
  end_disabled();
  const Palette& c = theme.colours;
  const ImU32 fill = strong && enabled ? (h.hovered ? mix(c.accent, c.text, 0.15f) : c.accent)
                     : h.hovered       ? c.button_hover
                                       : c.button;
  draw::box(list, r, fill, 6 * theme.s, strong ? 0 : c.border);
  draw::text_in(list, strong ? theme.fonts.strong : theme.fonts.body, r,
                !enabled ? c.faint
                : strong ? c.accent_text
                         : c.button_text,
                label);
  return h.clicked && enabled;
}

void tooltip(const Theme& theme, std::string_view text) {
  if (text.empty()) return;
  const float s = theme.s, width = 380 * s;
  float longest = 60 * s;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    longest = std::max(longest, draw::text_width(theme.fonts.body, rest.substr(0, end)) + 4);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const float w = std::min(width, longest);
  const float height = draw::paragraph(nullptr, theme.fonts.body, theme.fonts.mono_small, 0, 0, w, 0, text);
  ImGui::BeginTooltip();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw::paragraph(ImGui::GetWindowDrawList(), theme.fonts.body, theme.fonts.mono_small, at.x, at.y, w,
                  theme.colours.text, text);
  ImGui::Dummy(ImVec2(w, height - theme.fonts.body.size * 0.3f));
  ImGui::EndTooltip();
}

}  // namespace tilewalk
