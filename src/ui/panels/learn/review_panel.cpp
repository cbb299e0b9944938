// The review of the lessons: wrong answers, each with a button that repeats the step, and further reading.
#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {

namespace {

void draw_step(const UiFrame& f, const ReviewStep& step) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const draw::Rect r{at.x, at.y, at.x + width, at.y + 46 * s};
  const Hit h = hit(f, "again " + std::to_string(step.open.number) + "." + std::to_string(*step.open.screen), r);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw::box(list, r, h.hovered ? c.button_hover : c.button, 6 * s);
  const draw::Sign sign = step.right ? draw::Sign::Check : step.shown ? draw::Sign::Dash : draw::Sign::Cross;
  const ImU32 ink = step.right ? c.good : step.shown ? c.muted : c.changed;
  draw::sign(list, sign, {r.x0 + 8 * s, r.y0 + 12 * s, r.x0 + 30 * s, r.y0 + 34 * s}, ink, s);
  const float said = draw::text_width(fonts.body, step.said) + 24 * s, inner = width - 44 * s - said;
  draw::text(list, fonts.strong, r.x0 + 42 * s, r.y0 + 6 * s, c.text, draw::elided(fonts.strong, step.screen, inner));
  draw::text(list, fonts.body, r.x0 + 42 * s, r.y0 + 25 * s, c.muted,
             draw::elided(fonts.body, "Lesson " + std::to_string(step.open.number) + " · " + step.lesson, inner));
  draw::text_right(list, fonts.body, r.x1 - 12 * s, r.y0 + 15 * s, ink, step.said);
  if (h.clicked) f.push(step.open);
  ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1 + 4 * s));
}

void draw_reading(const UiFrame& f, const Reading& reading) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string source = std::string(reading.source) + ", " + std::to_string(reading.year);
  const float right = draw::text_width(fonts.mono_small, source) + 16 * s;
  draw::text(list, fonts.strong, at.x, at.y, c.text, draw::elided(fonts.strong, reading.title, width - right));
  draw::text_right(list, fonts.mono_small, at.x + width, at.y + 1 * s, c.muted, source);
  const float high =
      draw::paragraph(list, fonts.body, fonts.tiny, at.x, at.y + 18 * s, width, c.muted, reading.look_for);
  ImGui::Dummy(ImVec2(width, 18 * s + high + 6 * s));
}

}  // namespace

void draw_review_dialog(const UiFrame& f) {
  Sheet sheet(f, "What went wrong, and what next", 760, 780);
  if (!f.views.review) return;
  const ReviewModel& m = *f.views.review;
  words(f, m.opening, f.theme.colours.text);
  if (!m.steps.empty()) sheet_caption(f, "Take it again", 8);
  for (const ReviewStep& step : m.steps) draw_step(f, step);
  sheet_caption(f, "Read next", 8);
  for (const Reading& reading : readings()) draw_reading(f, reading);
  ImGui::Dummy(ImVec2(1, 4 * f.theme.s));
  if (sheet_button(f, "All lessons", false)) f.push(Action::ShowLessons);
  ImGui::SameLine(0, 10 * f.theme.s);
  if (sheet_button(f, "Questions", false)) f.push(Action::ShowQuestions);
  error_words(f);
  ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace tilewalk
