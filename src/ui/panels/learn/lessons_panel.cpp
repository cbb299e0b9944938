// The list of lessons, with one sentence about Tilewalk.
#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {

void draw_lessons_dialog(const UiFrame& f) {
  Sheet sheet(f, "Learn", 720, 760);
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  words(f, "Tilewalk computes attention one tile at a time, and checks it bit by bit against a real GPU.", c.text);
  words(f, "Each lesson takes a few minutes. It asks, you answer, and it says which mistake an answer shows.", c.muted);
  ImGui::Dummy(ImVec2(1, 6 * s));
  const LearnModel& learn = f.views.header.learn;
  if (learn.opens.is<OpenLesson>()) {
    if (sheet_button(f, learn.words.c_str(), true)) f.push(learn.opens);
    ImGui::SameLine(0, 10 * s);
  }
  if (sheet_button(f, "What went wrong", false)) f.push(Action::ShowReview);
  ImGui::SameLine(0, 10 * s);
  if (sheet_button(f, "Questions", false)) f.push(Action::ShowQuestions);
  ImGui::SameLine(0, 10 * s);
  if (sheet_button(f, "Words", false)) f.push(Action::ShowGlossary);
  if (f.views.lessons.empty()) words(f, "There are no lessons in the folder.", c.bad);
  const LessonEntry* const begins = where_to_go_on(f.views.lessons);
  std::string phase;
  for (const LessonEntry& lesson : f.views.lessons) {
    if (lesson.phase != phase) {
      phase = lesson.phase;
      sheet_caption(f, phase, 6);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool asks = lesson.tasks > 0;
    const bool finished = asks ? lesson.done >= lesson.tasks : lesson.begun && lesson.screen >= lesson.screens;
    const std::string done = finished        ? "done"
                             : !lesson.begun ? lesson.time
                             : asks          ? std::to_string(lesson.done) + " of " + std::to_string(lesson.tasks)
                                             : std::to_string(lesson.screen) + " of " + std::to_string(lesson.screens);
    const float mark = finished || lesson.begun ? 22 * s : 0;
    const float right = draw::text_width(fonts.mono_small, done) + mark + 24 * s, inner = width - 44 * s - right;
    const float high = 34 * s + draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, inner, 0, lesson.claim);
    const draw::Rect r{at.x, at.y, at.x + width, at.y + high};
    const Hit h = hit(f, "lesson " + std::to_string(lesson.number), r);
    if (&lesson == begins) sheet.start_at_item();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (h.hovered || lesson.open) draw::box(list, r, lesson.open ? c.tab : c.button, 6 * s);
    draw::text_right(list, fonts.strong, r.x0 + 30 * s, r.y0 + 8 * s, c.muted, std::to_string(lesson.number));
    draw::text(list, fonts.strong, r.x0 + 42 * s, r.y0 + 8 * s, c.text,
               draw::elided(fonts.strong, lesson.title, inner));
    draw::paragraph(list, fonts.body, fonts.tiny, r.x0 + 42 * s, r.y0 + 28 * s, inner, c.muted, lesson.claim);
    const ImU32 ink = finished ? c.good : lesson.begun ? c.accent : c.muted;
    draw::text_right(list, fonts.mono_small, r.x1 - 12 * s, r.y0 + 10 * s, ink, done);
    if (mark > 0) {
      const float x = r.x1 - right + 10 * s, y = r.y0 + 10 * s + fonts.mono_small.size / 2 - 9 * s;
      draw::sign(list, finished ? draw::Sign::Check : draw::Sign::Dot, {x, y, x + 18 * s, y + 18 * s}, ink, s);
      f.ui.rects.put((finished ? "finished " : "begun ") + std::to_string(lesson.number),
                     {x, y, r.x1 - 12 * s, y + 18 * s});
    }
    if (h.clicked) f.push(OpenLesson{lesson.number});
    ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1 + 2 * s));
  }
  error_words(f);
  ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace tilewalk
