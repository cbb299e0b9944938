#include "ui/code_editor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parse.h"
#include "ui/tooltip.h"

namespace tilewalk {
namespace {

constexpr float kRoom = 6;  // between numbers and text, in design pixels

constexpr float kCutStrip = 14;  // right of the text, for the signs of lines that go on; likewise

int count_lines(std::string_view text) { return 1 + int(std::count(text.begin(), text.end(), '\n')); }

// The visible lines' numbers and signs, left of the text.
void draw_gutter(const UiFrame& f, const CodeEditor& editor, const Font& font, const draw::Rect& r, float first_y,
                 int lines) {
  const Palette& c = f.theme.colours;
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const float high = font.size;
  list->PushClipRect(r.min(), r.max(), true);
  const int first = std::max(1, int((r.y0 - first_y) / high)), last = std::min(lines, int((r.y1 - first_y) / high) + 1);
  for (int line = first; line <= last; ++line) {
    const float y = first_y + float(line - 1) * high;
    const auto found = std::find_if(editor.lines.begin(), editor.lines.end(),
                                    [&](const EditorLine& each) { return each.line == line && each.ink; });
    const ImU32 ink = found == editor.lines.end() ? c.faint : found->ink;
    draw::text_right(list, font, r.x1 - kRoom * f.theme.s, y + (high - font.size) / 2, ink, std::to_string(line));
    for (const EditorLine& each : editor.lines) {
      if (each.line != line) continue;
      if (each.bar) draw::box(list, {r.x1 - 3 * f.theme.s, y, r.x1 - f.theme.s, y + high}, each.bar, 0);
      if (each.sign) draw::sign(list, *each.sign, {r.x0, y, r.x0 + high, y + high}, each.ink, 0.8f * f.theme.s);
    }
  }
  list->PopClipRect();
}

// A sign right of each line that goes on there.
void draw_cut_marks(const UiFrame& f, const CodeEditor& editor, const Font& font, const draw::Rect& strip,
                    float first_y, float shown_to) {
  const float high = font.size;
  std::string_view rest = editor.text;
  for (float y = first_y; !rest.empty() && y + high <= strip.y1; y += high) {
    const std::string_view line = take_until(rest, '\n');
    if (y < strip.y0 || draw::text_width(font, line) <= shown_to) continue;
    const draw::Rect sign{strip.x0, y, strip.x1, y + high};
    draw::sign(ImGui::GetWindowDrawList(), draw::Sign::Play, sign, f.theme.colours.accent, 0.7f * f.theme.s);
    f.ui.rects.put(editor.id + " goes on", sign);
  }
}

void draw_line_fills(const UiFrame& f, const CodeEditor& editor, const draw::Rect& view, float first_y, float high) {
  ImDrawList* const list = ImGui::GetWindowDrawList();
  for (const EditorLine& each : editor.lines) {
    const float y = first_y + float(each.line - 1) * high;
    if (!each.fill || y + high <= view.y0 || y >= view.y1) continue;
    const draw::Rect r{view.x0, y, view.x1, y + high};
    draw::box(list, r, each.fill, 0);
    f.ui.rects.put(editor.id + " line " + std::to_string(each.line), r);
  }
}

void show_tip(const UiFrame& f, const CodeEditor& editor, const draw::Rect& r, float first_y, float high) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!r.holds(mouse) || !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return;
  for (const EditorLine& each : editor.lines) {
    const float y = first_y + float(each.line - 1) * high;
    if (!each.tip.empty() && mouse.y >= y && mouse.y < y + high) return tooltip(f, std::string(each.tip));
  }
}

// A distant line comes to the upper end of the field, below its lines above.
void bring_line_into_view(float from, float to) {
  const float scroll = ImGui::GetScrollY(), room = ImGui::GetWindowHeight() - ImGui::GetStyle().ScrollbarSize;
  if (from < scroll || to > scroll + room) ImGui::SetScrollY(std::max(from, 0.0f));
}

void bring_into_view(float from, float to, float scroll, float room, float (*set)(float)) {
  if (from < scroll)
    set(from);
  else if (to > scroll + room)
    set(to - room);
}

struct Letters {
  float gutter;    // the width of the numbers
  bool tall, cut;  // the text is higher, or wider, than the room for it
};

Letters letters_of(const UiFrame& f, const CodeEditor& editor, const Font& font, int lines) {
  const float s = f.theme.s;
  const float numbers = draw::text_width(font, std::to_string(std::max(lines, 10)));
  Letters out{std::round(font.size + numbers + 2 * kRoom * s), false, false};
  out.tall = float(lines) * font.size > editor.rect.height() - 2 - 2 * s;
  const float bar = out.tall ? ImGui::GetStyle().ScrollbarSize : 0;
  out.cut = draw::widest_line(font, editor.text) > editor.rect.width() - out.gutter - bar - 2 - 2 * s;
  return out;
}

// The largest font in which no line is cut. One larger than that of figures shows all lines, too.
Font Fonts::*font_that_fits(const UiFrame& f, const CodeEditor& editor, int lines) {
  if (const Letters out = letters_of(f, editor, f.theme.fonts.mono_words, lines); !out.cut && !out.tall)
    return &Fonts::mono_words;
  return letters_of(f, editor, f.theme.fonts.mono, lines).cut ? &Fonts::mono_small : &Fonts::mono;
}

}  // namespace

std::optional<std::string> code_editor(const UiFrame& f, EditorUi& ui, const CodeEditor& editor) {
  const float s = f.theme.s;
  const int lines = count_lines(editor.text);
  // The size of the letters does not change while somebody types.
  if (ui.caret < 0 || !ui.font) ui.font = font_that_fits(f, editor, lines);
  const Font& font = f.theme.fonts.*ui.font;
  const Letters letters = letters_of(f, editor, font, lines);
  const float strip = letters.cut ? std::round(kCutStrip * s) : 0;
  const draw::Rect view{editor.rect.x0 + letters.gutter, editor.rect.y0, editor.rect.x1 - strip, editor.rect.y1};
  f.ui.rects.put(editor.id, view);
  draw::box(ImGui::GetWindowDrawList(), editor.rect, f.theme.colours.background, 4 * s, f.theme.colours.border);
  push_font(font);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, f.theme.colours.faint);
  ImGui::SetCursorScreenPos(ImVec2(view.x0, view.y0 + 1));
  begin_child_of_navigation(editor.id.c_str(), ImVec2(view.width() - 1, view.height() - 2), true);
  const float high = ImGui::GetFontSize(), top = ImGui::GetCursorScreenPos().y + 2 * s;
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const float wide = letters.cut ? draw::widest_line(font, editor.text) + 4 * draw::text_width(font, "0")
                                 : view.width() - 1 - 2 * s - (letters.tall ? bar : 0);
  const float tall =
      letters.tall || letters.cut ? float(lines + 2) * high : std::max(float(lines) * high, view.height() - 2 - 2 * s);
  draw_line_fills(f, editor, view, top, high);
  const bool replaced = editor.text != ui.sent;  // from outside
  // Esc would restore the text as it was when the caret came, where the field still had it.
  if (text_has_caret() && ui.caret >= 0 && (replaced || key_pressed(Key::Escape))) drop_caret();
  std::string text(editor.text);
  ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x + 2 * s, top));
  if (std::exchange(ui.takes_keys, false)) focus_text("##text");
  int caret = -1;
  const bool changed = input_lines("##text", text, ImVec2(wide, tall), caret);
  const auto put_in_view = [&](int line, float left, float right) {
    bring_into_view(float(line - 1) * high, float(line + 1) * high + 2 * s, ImGui::GetScrollY(),
                    ImGui::GetWindowHeight() - ImGui::GetStyle().ScrollbarSize,
                    [](float y) { return ImGui::SetScrollY(y), y; });
    bring_into_view(left, right, ImGui::GetScrollX(), ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize,
                    [](float x) { return ImGui::SetScrollX(x), x; });
  };
  if (caret >= 0 && caret != ui.caret) {
    const std::string_view before = std::string_view(text).substr(0, std::size_t(caret));
    const std::size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const float x = draw::text_width(font, before.substr(begin));
    put_in_view(count_lines(before), x, x + 3 * draw::text_width(font, "0"));
  } else if (editor.show_line > 0 && (editor.show_line != ui.shown_line || replaced) && caret < 0) {
    put_in_view(editor.show_line, 0, 1);
    if (editor.lines_above > 0)
      bring_line_into_view(float(editor.show_line - 1 - editor.lines_above) * high,
                           float(editor.show_line + 1) * high + 2 * s);
  }
  ui.shown_line = editor.show_line;
  ui.caret = caret;
  const float shown_to = ImGui::GetScrollX() + ImGui::GetWindowWidth() - 2 * s;
  if (ImGui::GetScrollMaxX() > 0) f.ui.rects.put(editor.id + " scrolls across", view);
  if (ImGui::GetScrollMaxY() > 0) f.ui.rects.put(editor.id + " scrolls down", view);
  ImGui::EndChild();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(4);
  pop_font();
  const draw::Rect beside{editor.rect.x0, view.y0 + 1, view.x0, view.y1 - 1};
  draw_gutter(f, editor, font, beside, top, lines);
  draw_cut_marks(f, editor, font, {view.x1, view.y0, editor.rect.x1, view.y1}, top, shown_to);
  show_tip(f, editor, editor.rect, top, high);
  if (!changed) {
    ui.sent = editor.text;
    return std::nullopt;
  }
  ui.sent = text;
  return text;
}

}  // namespace tilewalk
