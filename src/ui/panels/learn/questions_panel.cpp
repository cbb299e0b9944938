// The list of common questions and claims, each with its verdict. The chosen one shows its answer and the number that
// proves it, and opens the view that shows it.
#include "base/words.h"
#include "ui/panels/learn/rich_text.h"
#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {

namespace {

struct VerdictTone {
  ImU32 ink;
  draw::Sign sign;
};

VerdictTone tone_of(const Palette& c, AnswerKind kind) {
  switch (kind) {
    case AnswerKind::Right: return {c.good, draw::Sign::Check};
    case AnswerKind::Partly: return {c.changed, draw::Sign::Dot};
    case AnswerKind::Wrong: return {c.bad, draw::Sign::Cross};
    case AnswerKind::Depends: return {c.accent, draw::Sign::Ring};
  }
  return {c.text, draw::Sign::Dot};
}

void paragraph(const UiFrame& f, const LessonLine& line, float indent, ImU32 ink) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - indent;
  const float high = rich_paragraph(ImGui::GetWindowDrawList(), f.theme, at.x + indent, at.y, width, ink, line.runs);
  ImGui::Dummy(ImVec2(width, high + 1 * f.theme.s));
}

void draw_answer(const UiFrame& f, const QuestionEntry& entry) {
  const float s = f.theme.s, indent = 38 * s;
  const Palette& c = f.theme.colours;
  ImGui::Dummy(ImVec2(1, 3 * s));
  LessonLine verdict = entry.says;
  verdict.runs.insert(verdict.runs.begin(), {Run::Style::Emphasis, capitalized(name_of(entry.verdict)) + ". "});
  paragraph(f, verdict, indent, c.text);
  for (const LessonLine& line : entry.answer) paragraph(f, line, indent, c.text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inner = ImGui::GetContentRegionAvail().x - indent - 24 * s;
  const float high = rich_paragraph(nullptr, f.theme, 0, 0, inner, 0, entry.settles.runs) + 14 * s;
  ImDrawList* const list = ImGui::GetWindowDrawList();
  draw::box(list, {at.x + indent, at.y, at.x + indent + inner + 24 * s, at.y + high}, c.callout, 6 * s, c.border);
  rich_paragraph(list, f.theme, at.x + indent + 12 * s, at.y + 7 * s, inner, c.text, entry.settles.runs);
  ImGui::Dummy(ImVec2(inner, high + 4 * s));
  ImGui::SetCursorScreenPos(ImVec2(at.x + indent, ImGui::GetCursorScreenPos().y));
  if (sheet_button(f, "Show me", true)) {
    f.push(Action::CloseDialog);
    f.push(Action::SetAside);
    for (const Command& command : entry.show) f.push(command);
  }
  const ImVec2 beside(ImGui::GetItemRectMax().x, ImGui::GetCursorScreenPos().y);
  const float left = at.x + indent + draw::text_width(f.theme.fonts.strong, "Show me") + 46 * s;
  draw::text(list, f.theme.fonts.body, left, beside.y - 27 * s, c.muted,
             draw::elided(f.theme.fonts.body, entry.shows, at.x + indent + inner + 24 * s - left));
  ImGui::Dummy(ImVec2(1, 8 * s));
}

void draw_question(const UiFrame& f, const Sheet& sheet, const QuestionEntry& entry) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const VerdictTone tone = tone_of(c, entry.verdict);
  const std::string verdict = name_of(entry.verdict), claim = "“" + entry.claim + "”";
  const float left = 38 * s, said = draw::text_width(fonts.strong, "it depends") + 34 * s, inner = width - left - said;
  const float high = draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, inner, 0, claim);
  const draw::Rect r{at.x, at.y, at.x + width, at.y + fonts.strong.size + high + 20 * s};
  const Hit h = hit(f, "question " + std::to_string(entry.number), r);
  if (&entry == &f.views.questions.front()) sheet.start_at_item();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  if (h.hovered || entry.chosen) draw::box(list, r, entry.chosen ? c.tab : c.button, 6 * s);
  const float top = r.y0 + 8 * s, below = top + fonts.strong.size + 4 * s;
  draw::text_right(list, fonts.strong, r.x0 + 26 * s, top, c.muted, std::to_string(entry.number));
  draw::text(list, fonts.strong, r.x0 + left, top, c.text, draw::elided(fonts.strong, entry.ask, width - left - 8 * s));
  draw::paragraph(list, fonts.body, fonts.tiny, r.x0 + left, below, inner, c.muted, claim);
  const float mark = r.x1 - said, middle = below + fonts.body.size / 2;  // the verdict is about the claim
  draw::sign(list, tone.sign, {mark, middle - 11 * s, mark + 22 * s, middle + 11 * s}, tone.ink, s);
  draw::text(list, fonts.strong, mark + 26 * s, middle - fonts.strong.size / 2, tone.ink, verdict);
  if (h.clicked) f.push(ChooseQuestion{entry.chosen ? 0 : entry.number});
  ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1 + 2 * s));
  if (entry.chosen) draw_answer(f, entry);
}

}  // namespace

void draw_questions_dialog(const UiFrame& f) {
  Sheet sheet(f, "Questions", 800, 800);
  words(f, "What people ask, what they claim, and what the numbers say to the claim.", f.theme.colours.muted);
  for (const QuestionEntry& entry : f.views.questions) draw_question(f, sheet, entry);
  error_words(f);
  ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace tilewalk
