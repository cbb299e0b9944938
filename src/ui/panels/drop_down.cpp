#include "ui/panels/drop_down.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr float kSign = 30;  // with the space around it, before scaling

}  // namespace

float drop_down_width(const Theme& theme, const std::string& label) {
  return draw::text_width(theme.fonts.strong, label) + (10 + kSign) * theme.s;
}

void drop_down(const UiFrame& f, const DropDown& d, const std::vector<DropDownEntry>& entries) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  const draw::Rect& r = d.rect;
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const Hit h = hit(f, d.id, r);
  const Font& font = d.marked ? fonts.strong : fonts.body;
  draw::box(list, r, h.hovered ? c.button_hover : d.marked ? c.tab : c.button, 6 * s, d.marked ? 0 : c.border);
  draw::text(list, font, r.x0 + 10 * s, (r.y0 + r.y1 - font.size) / 2, c.text, d.label);
  draw::sign(list, draw::Sign::Down, {r.x1 - 22 * s, r.y0, r.x1 - 6 * s, r.y1}, c.muted, s);
  if (h.hovered) tooltip(f, d.tip);
  const std::string pop_up = d.id + " list";
  if (h.clicked) ImGui::OpenPopup(pop_up.c_str());
  float title = 0, beside = 0;
  for (const DropDownEntry& entry : entries) {
    title = std::max(title, draw::text_width(fonts.body, entry.title));
    beside = std::max(beside, draw::text_width(fonts.body, entry.beside));
  }
  const float width = title + (beside > 0 ? beside + 24 * s : 0) + 16 * s, high = fonts.body.size + 12 * s;
  const float left = std::min(r.x0, ImGui::GetIO().DisplaySize.x - width - 3 * ImGui::GetStyle().WindowPadding.x);
  ImGui::SetNextWindowPos(ImVec2(left, r.y1 + 4 * s));
  if (!ImGui::BeginPopup(pop_up.c_str())) return;
  f.ui.drop_down = true;
  if (f.ui.close_drop_down) ImGui::CloseCurrentPopup();
  for (const DropDownEntry& entry : entries) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const draw::Rect row{at.x, at.y, at.x + width, at.y + high};
    const Hit on = hit(f, entry.id, row);
    if (f.ui.navigating && ImGui::IsWindowAppearing() && (entry.active || &entry == &entries.front())) focus_item();
    ImDrawList* const here = ImGui::GetWindowDrawList();
    const bool enabled = entry.disabled.empty();
    if (on.hovered && !enabled) tooltip(f, entry.disabled);
    if (entry.active || (on.hovered && enabled)) draw::box(here, row, entry.active ? c.tab : c.button, 4 * s);
    const float y = row.y0 + (high - fonts.body.size) / 2;
    draw::text(here, fonts.body, row.x0 + 8 * s, y, enabled ? c.text : c.faint, entry.title);
    draw::text_right(here, fonts.body, row.x1 - 8 * s, y, c.muted, entry.beside);
    ImGui::SetCursorScreenPos(ImVec2(at.x, row.y1));
    if (!on.clicked || !enabled) continue;
    if (!entry.active)
      for (const Command& command : entry.commands) f.push(command);
    ImGui::CloseCurrentPopup();
  }
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndPopup();
}

}  // namespace tilewalk
