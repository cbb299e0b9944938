// The selected score: its value, its computation, its use. Starts with the quantity that its cell shows.
#include <algorithm>

#include "pages/walk/walk_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {

void draw_selected_panel(const UiFrame& f, Panel& p) {
  const InspectorModel& m = *f.views.page<WalkPage>()->selected;
  const float s = p.s, close = 20 * s;
  const draw::Rect leave{p.x + p.width - close, p.y - 3 * s, p.x + p.width, p.y - 3 * s + close};
  if (button(f, {.id = "drop selection",
                 .rect = leave,
                 .label = "",
                 .tip = "Back to the source (Esc)",
                 .sign = draw::Sign::Cross}))
    f.push(Action::SelectNothing);
  p.caption("Selected", close);
  const float bottom = std::max(p.rect.y1 - 12 * s, p.y + 4 * draw::leading(p.fonts.body));
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("selected", ImVec2(p.width, bottom - p.y), false);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = p.width - ImGui::GetStyle().ScrollbarSize;
  float y = at.y;
  const auto line = [&](const Font& font, ImU32 colour, const std::string& text) {
    y += draw::paragraph(list, font, p.fonts.tiny, at.x, y, width, colour, text);
  };
  line(p.fonts.strong, p.colours.text, m.value);
  line(p.fonts.tiny, p.colours.muted, m.place);
  y += 4 * s;
  for (const std::string& text : m.working) line(p.fonts.tiny, p.colours.text, text);
  for (const auto* texts : {&m.from, &m.goes})
    for (const std::string& text : *texts) line(p.fonts.tiny, p.colours.muted, text);
  f.ui.rects.put("selected", {at.x, at.y, at.x + width, y});
  f.ui.rects.put("selected room", {p.x, p.y, p.x + p.width, std::min(bottom, p.rect.y1)});
  ImGui::SetCursorScreenPos(ImVec2(at.x, y));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  p.y = bottom - 2 * s;
}

}  // namespace tilewalk
