// The panel of a lesson: its text, its question, the replies to an answer, and the buttons to other screens.
#include <algorithm>
#include <functional>

#include "ui/panels/learn/lesson_task.h"
#include "ui/panels/learn/rich_text.h"
#include "ui/panels/panels.h"

namespace tilewalk {

namespace {

struct LessonUi {
  std::string screen;    // the last one drawn
  float width = 0;       // of its text
  std::size_t said = 0;  // digest of the replies
};

struct Tone {
  ImU32 ink, fill;
  draw::Sign sign;
};

Tone tone_of(const Palette& c, LessonNote::Kind kind) {
  switch (kind) {
    case LessonNote::Kind::Right: return {c.good, c.good_fill, draw::Sign::Check};
    case LessonNote::Kind::Wrong: return {c.changed, mix(c.panel, c.changed, 0.12f), draw::Sign::Cross};
    case LessonNote::Kind::NotYet: return {c.changed, c.raised, draw::Sign::Dash};
    case LessonNote::Kind::Hint: return {c.accent, c.raised, draw::Sign::Dot};
    case LessonNote::Kind::Shown: return {c.muted, c.raised, draw::Sign::Dash};
  }
  return {c.text, c.raised, draw::Sign::Dot};
}

void draw_marks(const UiFrame& f, Panel& p, const LessonPanelModel& m) {
  const float s = p.s, gap = 4 * s, count = float(m.marks.size()), wide = (p.width - gap * (count - 1)) / count;
  for (std::size_t i = 0; i < m.marks.size(); ++i) {
    const float x = p.x + float(i) * (wide + gap);
    const draw::Rect bar{x, p.y, x + wide, p.y + 5 * s};
    const ScreenMark mark = m.marks[i];
    const bool now = mark == ScreenMark::Now;
    draw::box(p.list, bar,
              now                        ? p.colours.accent
              : mark == ScreenMark::Done ? p.colours.good
                                         : p.colours.to_do,
              2.5f * s,
              mark == ScreenMark::Shown  ? p.colours.good
              : mark == ScreenMark::ToDo ? p.colours.to_do
                                         : 0);
    const Hit h = hit(f, "screen " + std::to_string(i + 1), {bar.x0, bar.y0 - 4 * s, bar.x1, bar.y1 + 4 * s});
    if (h.hovered) tooltip(f, "Screen " + std::to_string(i + 1) + " of " + std::to_string(m.marks.size()));
    if (h.clicked) f.push(OpenLesson{f.session.lesson().lesson()->number, std::int64_t(i) + 1});
  }
  p.y += 17 * s;
}

// The least width in which the words have no more lines than in `wide`, so that no line has one word alone.
float balanced_width(const Panel& p, const Font& font, const std::string& words, float wide) {
  const auto high_in = [&](float room) { return draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, room, 0, words); };
  const float high = high_in(wide);
  float too_narrow = 0.5f * wide, enough = wide;
  for (int halvings = 0; halvings < 7; ++halvings) {
    const float middle = (too_narrow + enough) / 2;
    (high_in(middle) > high ? too_narrow : enough) = middle;
  }
  return enough;
}

void draw_title(const UiFrame& f, Panel& p, const std::string& title) {
  const float wide = balanced_width(p, p.fonts.title, title, p.width), top = p.y;
  p.y += draw::paragraph(p.list, p.fonts.title, p.fonts.tiny, p.x, p.y, wide, p.colours.text, title) + 6 * p.s;
  f.ui.rects.put("title", {p.x, top, p.x + wide, p.y});
}

// The screens of the lesson by name, at the foot of the text, where the text leaves them room.
void draw_screens(const UiFrame& f, const Panel& p, const LessonPanelModel& m, float bottom) {
  const float s = p.s, line = draw::leading(p.fonts.body) + 5 * s, caption = 24 * s,
              top = bottom - caption - line * float(m.marks.size());
  if (top < p.y + 20 * s) return;
  p.list->AddLine(ImVec2(p.x, top - 8 * s), ImVec2(p.x + p.width, top - 8 * s), p.colours.row_line, draw::hairline());
  draw::text(p.list, p.fonts.tiny, p.x, top, p.colours.muted, "Screens of this lesson");
  for (std::size_t i = 0; i < m.marks.size(); ++i) {
    const float y = top + caption + line * float(i);
    const draw::Rect r{p.x, y, p.x + p.width, y + line};
    const Hit h = hit(f, "title of screen " + std::to_string(i + 1), r);
    const bool now = m.marks[i] == ScreenMark::Now, done = m.marks[i] == ScreenMark::Done;
    const Font& font = now ? p.fonts.strong : p.fonts.body;
    draw::sign(p.list, done ? draw::Sign::Check : draw::Sign::Dot, {r.x0, y, r.x0 + 16 * s, y + line - 3 * s},
               now    ? p.colours.accent
               : done ? p.colours.good
                      : p.colours.muted,
               0.7f * s);
    draw::text(p.list, font, r.x0 + 22 * s, y, now || h.hovered ? p.colours.text : p.colours.muted,
               draw::elided(font, m.screen_titles[i], p.width - 22 * s));
    if (h.clicked) f.push(OpenLesson{f.session.lesson().lesson()->number, std::int64_t(i) + 1});
  }
}

void draw_lines(Panel& p, const std::vector<LessonLine>& lines, ImU32 ink) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const LessonLine& line = lines[i];
    const bool list_goes_on = line.item && i + 1 < lines.size() && lines[i + 1].item;
    const float indent = line.item ? 14 * p.s : 0;
    if (line.item) draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.muted, "·");
    p.y += rich_paragraph(p.list, p.theme, p.x + indent, p.y, p.width - indent, ink, line.runs) +
           (list_goes_on ? 3 : 8) * p.s;
  }
}

void draw_note(Panel& p, const LessonNote& note) {
  const float s = p.s, inner = p.width - 50 * s;
  const Tone tone = tone_of(p.colours, note.kind);
  const float high = rich_paragraph(nullptr, p.theme, 0, 0, inner, 0, note.line.runs) + 16 * s;
  const draw::Rect r{p.x, p.y, p.x + p.width, p.y + high};
  draw::box(p.list, r, tone.fill, 7 * s, mix(tone.fill, tone.ink, 0.5f));
  draw::sign(p.list, tone.sign, {r.x0 + 8 * s, r.y0 + 8 * s, r.x0 + 28 * s, r.y0 + 28 * s}, tone.ink, s);
  rich_paragraph(p.list, p.theme, r.x0 + 38 * s, r.y0 + 8 * s, inner, p.colours.text, note.line.runs);
  p.y = r.y1 + 8 * s;
}

// The four buttons at the foot do not fit in one line, however close they are.
bool ways_wrap(const Panel& p) {
  return p.width < draw::text_width(p.fonts.strong,
                                    "Back"
                                    "Hint"
                                    "Show me"
                                    "Next") +
                       41 * p.s;
}

// Back, Hint, Show me, Next: always at the foot. Where they do not fit in one line, Hint and Show me are above.
void draw_ways(const UiFrame& f, Panel& p, const LessonPanelModel& m, float top) {
  const float s = p.s, high = 32 * s;
  const auto place = [&](const char* id, const char* label, const char* tip, float x, float wide, bool strong,
                         bool enabled, const Command& command) {
    if (button(f, {.id = id,
                   .rect = {x, top, x + wide, top + high},
                   .label = label,
                   .tip = tip,
                   .strong = strong,
                   .enabled = enabled}))
      f.push(command);
  };
  const auto word = [&](const char* label) { return draw::text_width(p.fonts.strong, label); };
  float pad = 22 * s, gap = 8 * s;  // smaller where the four buttons do not fit
  if (const float room = p.width - word("Back") - word("Hint") - word("Show me") - word("Next");
      room < 4 * pad + 3 * gap)
    gap = std::max(3 * s, room * 0.07f), pad = std::max(8 * s, (room - 3 * gap) / 4);
  const bool wraps = ways_wrap(p);
  if (wraps) gap = 8 * s, pad = std::min(22 * s, (p.width - gap - word("Hint") - word("Show me")) / 2);
  const auto wide = [&](const char* label) { return word(label) + pad; };
  float x = p.x;
  if (wraps) top += high + 6 * s;
  place("back", "Back", "The screen before (Ctrl+PgUp)", x, wide("Back"), false, !m.first, Action::PreviousScreen);
  x += wide("Back") + gap;
  const float last = top;
  if (wraps) x = p.x, top -= high + 6 * s;
  if (m.task && !m.task->done) {
    const bool hints = m.task->hints_left > 0;
    place("hint", "Hint", "Three at most; the last is nearly the answer (F1)", x, wide("Hint"), false, hints,
          Action::LessonHint);
    x += wide("Hint") + gap;
    place("show", "Show me", "Does it for you, and says so in the progress", x, wide("Show me"), false, true,
          Action::LessonAnswer);
  }
  if (m.again)
    place("again", "Take it again", "This lesson from its first screen; it draws other shapes", x,
          wide("Take it again"), false, true, Action::LessonAgain);
  top = last;
  place("next", "Next", "On, answered or not (Ctrl+PgDn)", p.x + p.width - wide("Next"), wide("Next"), m.done, true,
        Action::NextScreen);
  const bool asks = m.task && !m.done && m.task->kind != TaskKind::Do && m.task->kind != TaskKind::ByHand;
  if (!asks && f.ui.panel_step != 0 && f.ui.panel_at == kLessonPanel) focus_item();
}

// Changes with every reply to an answer.
std::size_t said_of(const LessonPanelModel& m) {
  std::string all;
  for (const LessonNote& note : m.notes)
    for (const Run& run : note.line.runs) all += run.text;
  if (m.task && m.task->done) all += "done";
  return all.empty() ? 0 : std::hash<std::string>{}(all);
}

}  // namespace

void draw_lesson_panel(const UiFrame& f, Panel& p) {
  const LessonPanelModel& m = *f.views.lesson_panel;
  const float s = p.s, foot = p.rect.y1 - (ways_wrap(p) ? 84 : 46) * s;
  const draw::Rect close{p.x + p.width - 24 * s, p.y - 4 * s, p.x + p.width, p.y + 20 * s};
  p.caption_at(p.x, p.y, m.head, p.width - 30 * s);
  if (button(f, {.id = "leave",
                 .rect = close,
                 .label = "",
                 .tip = "Leave the lesson; what is done is kept",
                 .sign = draw::Sign::Cross}))
    f.push(Action::LeaveLesson);
  if (pointed_at(f, "rail head", {p.x, p.y, close.x0, p.y + 20 * s})) tooltip(f, m.title);
  p.y += 26 * s;
  if (p.rect.height() >= 260 * s)  // in a lower panel the text gets the space, and the head shows the title
    draw_title(f, p, m.title);
  draw_marks(f, p, m);
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  begin_child_of_navigation("lesson", ImVec2(p.width, std::max(40 * s, foot - p.y - 8 * s)));
  LessonUi& ui = f.ui.of<LessonUi>();
  const std::string screen = m.title + m.screen_title;
  // Text of another width has other lines: a scroll bar appears, or the text's size changes.
  const float text_width = ImGui::GetContentRegionAvail().x;
  const bool turned = ui.screen != screen || ui.width != text_width;
  if (turned) ImGui::SetScrollY(0);
  ui.screen = screen, ui.width = text_width;
  ImDrawList* const outer_list = p.list;
  const ImVec2 kept(p.x, p.y);
  const float kept_width = p.width;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  p.list = ImGui::GetWindowDrawList();
  p.x = at.x, p.y = at.y, p.width = text_width;
  draw::text(p.list, p.fonts.strong, p.x, p.y, p.colours.text, draw::elided(p.fonts.strong, m.screen_title, p.width));
  p.y += 26 * s;
  draw_lines(p, m.lines, p.colours.text);
  const float task_top = p.y;
  if (m.task) draw_task(f, p, *m.task);
  if (turned && m.task && !m.task->done) {
    // The question and the place of its answer are in view at once; where both are too high, the question is.
    const bool fits = p.y - task_top <= ImGui::GetWindowHeight();
    ImGui::SetCursorScreenPos(ImVec2(p.x, fits ? p.y : task_top));
    ImGui::Dummy(ImVec2(1, 1));
    ImGui::SetScrollHereY(fits ? 1 : 0);
  }
  for (const LessonNote& note : m.notes) draw_note(p, note);
  const std::size_t said = said_of(m);
  if (said != ui.said && said > 0) {  // scrolls to a new reply
    ImGui::SetCursorScreenPos(ImVec2(p.x, p.y + (m.after.empty() ? 0 : 60 * s)));
    ImGui::SetScrollHereY(1);
  }
  ui.said = said;
  if (m.task && m.task->done && m.notes.empty())
    draw_note(p,
              {LessonNote::Kind::Right,
               {false, {{Run::Style::Plain, m.task->answer.empty() ? "Right." : "Right: " + m.task->answer + "."}}}});
  draw_lines(p, m.after, p.colours.text);
  draw_screens(f, p, m, at.y + ImGui::GetWindowHeight() - 4 * s);
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  p.list = outer_list;
  p.x = kept.x, p.y = kept.y, p.width = kept_width;
  draw_ways(f, p, m, foot);
  p.y = p.rect.y1 - 12 * s;
}

}  // namespace tilewalk
