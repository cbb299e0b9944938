#include "ui/panels/walk/code_panel.h"

#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr const char* kSwitch = "Code";

struct Source {  // wrapped to the panel
  std::vector<WrappedLine> lines;
  float line_high, letter, number;  // the width of one letter, and of the column of numbers

  float top_of(int line) const {
    const auto at = std::find_if(lines.begin(), lines.end(), [line](const WrappedLine& w) { return w.line >= line; });
    return float(at - lines.begin()) * line_high;
  }
};

// The line that stores what the phase makes: the last one lit, where others apart from it prepare that. −1: none.
int storing_line(const CodeModel& m) {
  if (m.first_lit < 0) return -1;
  for (int line = m.first_lit; line <= m.last_lit; ++line)
    if (!m.lit[std::size_t(line)]) return m.last_lit;
  return -1;
}

// The scroll position for the phase's lines: all in view if they fit, a quarter down if there is space for that. Where
// they do not fit, the storing line is in view, else the first ones.
float scroll_for(const CodeModel& m, const Source& source, float view) {
  const float first = source.top_of(m.open_at), end = source.top_of(std::max(m.last_lit, m.open_at) + 1);
  if (m.first_lit >= 0 && end - first > view) {
    const int storing = storing_line(m);
    if (storing < 0) return source.top_of(m.first_lit);
    return std::min(source.top_of(storing), std::max(source.top_of(m.first_lit), end - view + source.line_high));
  }
  return std::max(0.0f, std::clamp(first - view * 0.25f, std::min(end - view, first), first));
}

// Its comment is shown under the pointer.
void draw_line(const UiFrame& f, const Panel& p, const CodeModel& m, const Source& source, const WrappedLine& part,
               float y) {
  const Font& font = p.fonts.mono_small;
  const std::string& line = m.text->code.lines[std::size_t(part.line)];
  const bool lit = m.lit[std::size_t(part.line)];
  const float text_y = y + (source.line_high - font.size) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (lit) draw::box(list, {p.x, y, p.x + p.width, y + source.line_high}, p.colours.code_mark, 0);
  const ImU32 ink = lit ? p.colours.text : p.colours.muted, quiet = lit ? p.colours.muted : p.colours.faint;
  if (part.begin == 0)
    draw::text_right(list, font, p.x + source.number - 10 * p.s, text_y, quiet,
                     std::to_string(m.text->code.numbers[std::size_t(part.line)] + 1));
  const float x = p.x + source.number + float(part.indent) * source.letter;
  draw::text(list, font, x, text_y, ink, std::string_view(line).substr(part.begin, part.end - part.begin));
  const std::string& comment = m.text->code.comments[std::size_t(part.line)];
  if (!comment.empty() && part.begin == 0 &&
      pointed_at(f, "line " + std::to_string(part.line), {p.x, y, p.x + p.width, y + source.line_high}))
    tooltip(f, comment);
}

float code_switch_width(const Panel& p) { return draw::text_width(p.fonts.tiny, kSwitch) + 14 * p.s; }

}  // namespace

// At the right of the panel.
void draw_code_switch(const UiFrame& f, Panel& p, float y, bool on) {
  const CommandRow& row = command_row(Action::ToggleCode);
  const float wide = code_switch_width(p), right = p.x + p.width;
  if (tag(f, {.id = "code switch",
              .rect = {right - wide, y - 3 * p.s, right, y + p.fonts.tiny.size + 5 * p.s},
              .label = kSwitch,
              .tip = std::string(row.help) + " (" + text_of(row.key) + ")",
              .font = p.fonts.tiny,
              .ink = on ? p.colours.text : p.colours.muted,
              .fill = on ? p.colours.tab : p.colours.button,
              .hovered = p.colours.button_hover,
              .rounding = 5 * p.s}))
    f.push(Action::ToggleCode);
}

float code_line_height(const Theme& theme) { return draw::leading(theme.fonts.mono_small); }

void draw_code_panel(const UiFrame& f, Panel& p) {
  const CodeModel& m = f.views.page<WalkPage>()->code;
  // A column that scrolls has the only bar: the source has the lines that are left, and the wheel scrolls it.
  const bool in_column = is_compact(f.layout);
  const float s = p.s, line_high = code_line_height(f.theme), bar = in_column ? 0 : ImGui::GetStyle().ScrollbarSize;
  draw_code_switch(f, p, p.y, true);
  note_label(f, -1, -1, "code", {p.x, p.y, p.x + p.width, p.y + p.fonts.caption.size});
  p.caption(m.title, code_switch_width(p));
  const float least = in_column ? 1 : 4;
  const float most = std::max((p.rect.y1 - 16 * s - p.y) / line_high, least), lines = std::floor(most + 0.01f),
              bottom = p.y + lines * line_high;  // whole lines
  f.ui.of<CodeUi>().lines = bottom <= p.rect.y1 ? lines : (p.rect.y1 - p.y) / line_high;
  if (!m.text) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.faint, m.note);
    return;
  }
  Source source{
      {}, line_high, draw::text_width(p.fonts.mono_small, "m"), draw::text_width(p.fonts.mono_small, "000") + 12 * s};
  source.lines = wrapped(m.text->code.lines, int((p.width - source.number - bar) / source.letter));
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("kernel source", ImVec2(p.width, bottom - p.y + 2 * s), false,  // for the frame of the last line
                    in_column ? ImGuiWindowFlags_NoScrollbar : 0);
  f.ui.rects.put("source", {p.x, p.y, p.x + p.width - bar, bottom});
  const float view = ImGui::GetWindowHeight();
  // A step that lights no line keeps the scroll position, except at the walk's start or after the layout changed.
  CodeUi::View now{m.title, m.first_lit, line_high, p.width, view};
  const bool stays = m.first_lit < 0 && f.session.cursor() > 0;
  if (stays) now.lit = f.ui.of<CodeUi>().view.lit;
  if (now != f.ui.of<CodeUi>().view) {
    if (f.ui.of<CodeUi>().view.title != m.title || !stays)
      ImGui::SetScrollY(std::ceil(std::ceil(scroll_for(m, source, view) / line_high - 0.01f) * line_high));
    f.ui.of<CodeUi>().view = now;
  }
  const float scroll = ImGui::GetScrollY(), top = ImGui::GetCursorScreenPos().y;
  const std::size_t begin = std::min(source.lines.size() - 1, std::size_t(std::max(0.0f, scroll / line_high))),
                    end = std::min(source.lines.size(), begin + std::size_t(view / line_high) + 2);
  for (std::size_t i = begin; i < end; ++i) draw_line(f, p, m, source, source.lines[i], top + float(i) * line_high);
  if (const int storing = storing_line(m); storing >= 0) {
    const float y = top + source.top_of(storing), low = top + source.top_of(storing + 1);
    const draw::Rect ring{p.x + s, y + s, p.x + p.width - bar - s, std::min(low, top + scroll + view) - s};
    draw::box(ImGui::GetWindowDrawList(), ring, 0, 3 * s, p.colours.changed, 1.6f * s);
    f.ui.rects.put("storing line", ring);
  }
  const auto number = [&](std::size_t at) { return m.text->code.numbers[std::size_t(source.lines[at].line)]; };
  f.ui.of<CodeUi>().top = number(begin);
  f.ui.of<CodeUi>().last = number(std::min(source.lines.size(), begin + std::size_t(view / line_high)) - 1);
  ImGui::SetCursorScreenPos(ImVec2(p.x, top + line_high * float(source.lines.size())));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  halo(f, p.list, "code", {p.x, p.y, p.x + p.width, bottom});
  p.y = bottom - 2 * s;
}

}  // namespace tilewalk
