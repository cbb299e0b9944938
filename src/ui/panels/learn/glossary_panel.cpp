// The words of the window with their meanings, and a field that searches them. Each names the lesson that introduces
// it; a click there, or Enter, opens that lesson.
#include "ui/panels/panels.h"
#include "ui/panels/search_field.h"
#include "ui/panels/sheet.h"

namespace tilewalk {
namespace {

struct GlossarySearch : SearchField {};

constexpr float kWordColumn = 150, kLessonColumn = 84;  // before scaling

void draw_entry(const UiFrame& f, const GlossaryEntry& entry, bool chosen, bool scroll) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string word(entry.term->word), meaning(entry.term->meaning);
  // Where letters are large, the meaning is below the word.
  const bool beside = width > 480 * s;
  const float left = 10 * s, column = beside ? kWordColumn * s : left,
              inner = width - column - (beside ? kLessonColumn : 10) * s;
  const float top = beside ? 6 * s : 6 * s + draw::leading(fonts.strong);
  const float high = top + draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, inner, 0, meaning) + 4 * s;
  const draw::Rect r{at.x, at.y, at.x + width, at.y + high};
  f.ui.rects.put("word " + word, r);
  ImDrawList* const list = ImGui::GetWindowDrawList();
  if (chosen) draw::box(list, r, c.button, 6 * s);
  draw::text(list, fonts.strong, r.x0 + left, r.y0 + 6 * s, c.text,
             draw::elided(fonts.strong, word, (beside ? column : width - kLessonColumn * s) - left - 6 * s));
  draw::paragraph(list, fonts.body, fonts.tiny, r.x0 + column, r.y0 + top, inner, c.text, meaning);
  if (entry.lesson) {
    const std::string label = "Lesson " + std::to_string(entry.lesson->number);
    const float wide = draw::text_width(fonts.body, label) + 14 * s;
    if (tag(f, {.id = "to lesson of " + word,
                .rect = {r.x1 - wide - 6 * s, r.y0 + 4 * s, r.x1 - 6 * s, r.y0 + 8 * s + fonts.body.size},
                .label = label,
                .tip = entry.lesson->title,
                .font = fonts.body,
                .ink = c.muted,
                .fill = 0,
                .hovered = c.button_hover,
                .rounding = 5 * s}))
      f.push(OpenLesson{entry.lesson->number});
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, high));
  if (scroll && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
}

}  // namespace

void draw_glossary_dialog(const UiFrame& f) {
  Sheet sheet(f, "Words", 860, 780);
  SearchField& field = f.ui.of<GlossarySearch>();
  const Searched searched =
      search_field(f, field, sheet.appeared(), "Type to find a word; arrows choose, Enter opens its lesson");
  const std::vector<GlossaryEntry> found = search_glossary(f.views.glossary, field.words);
  const bool moved = move_choice(field, searched, found.size());
  ImGui::BeginChild("found", ImVec2(0, sheet.room_below()), false);
  if (searched.typed) ImGui::SetScrollY(0);
  for (std::size_t i = 0; i < found.size(); ++i)
    draw_entry(f, found[i], int(i) == field.choice, int(i) == field.choice && moved);
  if (found.empty())
    words(f, "No word here has these letters. The nearest is: " + std::string(nearest_term(field.words).word),
          f.theme.colours.muted);
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  if (searched.entered && !found.empty() && found[std::size_t(field.choice)].lesson)
    f.push(OpenLesson{found[std::size_t(field.choice)].lesson->number});
}

}  // namespace tilewalk
