// The list of lessons: a card each, with its picture, title, minutes and progress, in as many columns as fit.
#include <algorithm>

#include "ui/panels/learn/lesson_picture_parts.h"
#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {
namespace {

constexpr float kLeastCard = 300, kGap = 12, kMargin = 12, kPicture = 88, kLeastHigh = 84;  // before scaling
constexpr int kMostColumns = 4;

struct CardState {
  bool finished = false;
  std::string words;  // "2 of 7", the screen that "Continue" opens; empty: not begun
};

CardState state_of(const LessonEntry& lesson) {
  const bool finished =
      lesson.tasks > 0 ? lesson.done >= lesson.tasks : lesson.begun && lesson.screen >= lesson.screens;
  if (finished) return {true, "done"};
  if (!lesson.begun) return {};
  return {false, std::to_string(lesson.screen) + " of " + std::to_string(lesson.screens)};
}

std::string title_of_card(const LessonEntry& lesson) { return std::to_string(lesson.number) + "  " + lesson.title; }

float width_of_title(float card, float s) { return card - (3 * kMargin + kPicture) * s; }

void draw_card(const UiFrame& f, const draw::Rect& r, const LessonEntry& lesson) {
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s, margin = kMargin * s;
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const Hit h = hit(f, "lesson " + std::to_string(lesson.number), r);
  if (h.hovered) tooltip(f, lesson.claim);
  draw::box(list, r, lesson.open ? c.tab : h.hovered ? c.button : c.raised, 8 * s, c.border);
  const draw::Rect picture{r.x0 + margin, r.y0 + margin, r.x0 + margin + kPicture * s, r.y1 - margin};
  const std::vector<Lesson>& lessons = f.session.lesson().lessons();
  const auto found =
      std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& each) { return each.number == lesson.number; });
  if (found != lessons.end()) {
    const float high = std::min(picture.height(), 64 * s), top = (picture.y0 + picture.y1 - high) / 2;
    draw_lesson_icon(list, f.theme, {picture.x0, top, picture.x1, top + high}, *found);
    f.ui.rects.put("picture " + std::to_string(lesson.number), picture);
  }
  const float x = picture.x1 + margin, low = r.y1 - margin - fonts.tiny.size;
  draw::paragraph(list, fonts.strong, fonts.tiny, x, r.y0 + margin, width_of_title(r.width(), s), c.text,
                  title_of_card(lesson));
  draw::text(list, fonts.tiny, x, low, c.muted, lesson.time);
  if (const CardState state = state_of(lesson); !state.words.empty()) {
    const ImU32 ink = state.finished ? c.good : c.accent;
    const float left = r.x1 - margin - draw::text_width(fonts.tiny, state.words);
    draw::text(list, fonts.tiny, left, low, ink, state.words);
    const float middle = low + fonts.tiny.size / 2;
    const draw::Rect sign{left - 22 * s, middle - 9 * s, left - 4 * s, middle + 9 * s};
    draw::sign(list, state.finished ? draw::Sign::Check : draw::Sign::Dot, sign, ink, s);
    f.ui.rects.put((state.finished ? "finished " : "begun ") + std::to_string(lesson.number),
                   {sign.x0, sign.y0, r.x1 - margin, sign.y1});
  }
  if (h.clicked) f.push(OpenLesson{lesson.number});
}

void draw_cards(const UiFrame& f, const Sheet& sheet) {
  const std::vector<LessonEntry>& lessons = f.views.lessons;
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s, gap = kGap * s, all = ImGui::GetContentRegionAvail().x - 4 * s;
  const int columns = std::clamp(int((all + gap) / (kLeastCard * s + gap)), 1, kMostColumns);
  const float wide = (all - gap * float(columns - 1)) / float(columns);
  float high = kLeastHigh * s;
  for (const LessonEntry& each : lessons)
    high = std::max(high, draw::paragraph(nullptr, fonts.strong, fonts.tiny, 0, 0, width_of_title(wide, s), 0,
                                          title_of_card(each)) +
                              fonts.tiny.size + (2 * kMargin + 6) * s);
  const LessonEntry* const begins = where_to_go_on(lessons);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const float x = at.x + float(int(i) % columns) * (wide + gap), y = at.y + float(int(i) / columns) * (high + gap);
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    draw_card(f, {x, y, x + wide, y + high}, lessons[i]);
    if (&lessons[i] == begins) sheet.start_at_item();
  }
  const auto rows = float((int(lessons.size()) + columns - 1) / columns);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + rows * (high + gap)));
}

}  // namespace

void draw_lessons_dialog(const UiFrame& f) {
  Sheet sheet(f, "Learn", 1480, 1040);
  const float s = f.theme.s;
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
  ImGui::Dummy(ImVec2(1, 6 * s));
  if (f.views.lessons.empty())
    words(f, "There are no lessons in the folder.", f.theme.colours.bad);
  else
    draw_cards(f, sheet);
  error_words(f);
  ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace tilewalk
