#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tilewalk {

float code_line_height(const Theme& theme) { return std::round(theme.fonts.mono_small.size * 1.45f); }

void draw_code_panel(const UiFrame& f, Panel& p) {
  const CodeModel& m = f.views.walk->code;
  const float s = p.s, line_high = code_line_height(f.theme), number = 34 * s;
  p.caption(m.title);
  const float bottom = std::max(p.rect.y1 - 16 * s, p.y + 4 * line_high + ImGui::GetStyle().ScrollbarSize);
  f.ui.code_lines = (std::min(bottom, p.rect.y1) - p.y - ImGui::GetStyle().ScrollbarSize) / line_high;
  if (!m.text) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.faint, m.note);
    return;
  }
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("kernel source", ImVec2(p.width, bottom - p.y), false, ImGuiWindowFlags_HorizontalScrollbar);
  const float view = ImGui::GetWindowHeight();
  if (m.first_lit != f.ui.code_lit || m.title != f.ui.code_title) {
    // Where a step lights nothing the source stays; another source, or the walk's start, begins at its top.
    if (m.first_lit >= 0 || m.title != f.ui.code_title || f.session.cursor() == 0)
      ImGui::SetScrollY(std::max(0.0f, float(m.first_lit) * line_high - view * 0.25f));
    f.ui.code_lit = m.first_lit;
    f.ui.code_title = m.title;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float scroll = ImGui::GetScrollY(), left = p.x;
  f.ui.code_top = scroll / line_high;
  const std::size_t begin = std::size_t(std::max(0.0f, scroll / line_high)),
                    end = std::min(m.text->lines.size(), begin + std::size_t(view / line_high) + 2);
  std::size_t longest = 0;
  for (const std::string& line : m.text->lines) longest = std::max(longest, line.size());
  for (std::size_t i = begin; i < end; ++i) {
    const float y = origin.y + float(i) * line_high, text_y = y + (line_high - p.fonts.mono_small.size) / 2;
    if (m.lit[i]) draw::box(list, {left, y, left + p.width, y + line_high}, p.colours.code_mark, 0);
    const std::string& line = m.text->lines[i];
    const std::size_t comment = line.find("//");
    const ImU32 ink = m.lit[i] ? p.colours.text : p.colours.muted, quiet = m.lit[i] ? p.colours.muted : p.colours.faint;
    const std::string_view all = line;
    draw::text(list, p.fonts.mono_small, origin.x + number, text_y, ink, all.substr(0, comment));
    if (comment != std::string::npos)
      draw::text(list, p.fonts.mono_small,
                 origin.x + number + draw::text_width(p.fonts.mono_small, all.substr(0, comment)), text_y, quiet,
                 all.substr(comment));
    const std::string n = std::to_string(i + 1);
    draw::box(list, {left, y, left + number - 6 * s, y + line_high}, m.lit[i] ? p.colours.code_mark : p.colours.panel,
              0);
    draw::text_right(list, p.fonts.mono_small, left + number - 10 * s, text_y, quiet, n);
  }
  ImGui::SetCursorScreenPos(ImVec2(origin.x + number + draw::text_width(p.fonts.mono_small, "m") * float(longest),
                                   origin.y + line_high * float(m.text->lines.size())));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  p.y = bottom - 2 * s;
}

}  // namespace tilewalk
