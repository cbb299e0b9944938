#include "ui/panels/present/room_footer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ui/panel.h"
#include "ui/widgets.h"
#include "view/pages.h"

namespace tilewalk {
namespace {

constexpr const char* kEveryKeys = "B darkens the screen";  // Esc has a button

// The question of the lesson's screen with its choices, its answer once it is known.
std::vector<RoomFooterLine> lines_of_lesson(const UiFrame& f, const LessonPanelModel& m) {
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  std::vector<RoomFooterLine> out = {
      {m.task ? plain_text(m.task->ask) : m.screen_title, &fonts.strong, c.text, "question"}};
  if (!m.task) return out;
  const std::string choices = text_of_choices(m.task->options);
  if (!choices.empty()) out.push_back({choices, &fonts.body, c.text, "choices"});
  if (m.task->done && !m.task->answer.empty())
    out.push_back({"Answer: " + m.task->answer, &fonts.strong, c.good, "answer"});
  return out;
}

std::vector<RoomFooterLine> lines_of(const UiFrame& f) {
  const Palette& c = f.theme.colours;
  const RoomWords words = page_row(f.session.page()).for_room(f.session);
  std::vector<RoomFooterLine> out;
  std::string keys = words.keys;
  if (f.views.lesson_panel) {
    out = lines_of_lesson(f, *f.views.lesson_panel);
    keys = f.views.lesson_panel->done ? "→ next screen · ← back" : "→ shows the answer · ← back";
  } else if (!words.question.empty()) {
    out.push_back({words.question, &f.theme.fonts.strong, c.text, "question"});
  }
  out.push_back({keys + (keys.empty() ? "" : " · ") + kEveryKeys, &f.theme.fonts.body, c.muted, "keys"});
  return out;
}

float leave_width(const Theme& theme) { return draw::text_width(theme.fonts.strong, "Esc") + 34 * theme.s; }

float room_of_words(const UiFrame& f) { return f.layout.whole.width() - leave_width(f.theme) - 48 * f.theme.s; }

float height_of(const UiFrame& f, const RoomFooterLine& line) {
  return draw::paragraph(nullptr, *line.font, f.theme.fonts.tiny, 0, 0, room_of_words(f), 0, line.text);
}

}  // namespace

RoomFooter build_room_footer(const UiFrame& f) {
  RoomFooter out{lines_of(f), 12 * f.theme.s};
  for (const RoomFooterLine& line : out.lines) out.height += height_of(f, line);
  out.height = std::ceil(out.height);
  return out;
}

void draw_room_footer(const UiFrame& f, const RoomFooter& footer, const draw::Rect& r) {
  f.ui.rects.within("room");
  Panel p("room", r, f, Scroll::Never);
  const float s = p.s, high = draw::leading(p.fonts.strong) + 4 * s;
  const float wide = leave_width(p.theme), middle = (r.y0 + r.y1) / 2;
  const draw::Rect leave{r.x1 - 14 * s - wide, middle - high / 2, r.x1 - 14 * s, middle + high / 2};
  const Hit h = hit(f, "leave", leave);
  draw::box(p.list, leave, h.hovered ? p.colours.row_mark : p.colours.panel, 4 * s, p.colours.border);
  draw::sign(p.list, draw::Sign::Cross, {leave.x0 + 5 * s, leave.y0, leave.x0 + 25 * s, leave.y1}, p.colours.muted, s);
  draw::text(p.list, p.fonts.strong, leave.x0 + 27 * s, middle - p.fonts.strong.size / 2, p.colours.muted, "Esc");
  if (h.hovered) tooltip(f, "Back (Esc)");
  if (h.clicked) f.push(f.session.way_out());
  const float x = r.x0 + 14 * s, room = room_of_words(f);
  float y = r.y0 + 6 * s;
  draw::box(p.list, {r.x0 + 6 * s, y, r.x0 + 9 * s, r.y1 - 6 * s}, p.colours.accent, s);
  for (const RoomFooterLine& line : footer.lines) {
    const float tall = draw::paragraph(p.list, *line.font, p.fonts.tiny, x, y, room, line.ink, line.text);
    f.ui.rects.put(line.id, {x, y, x + std::min(room, draw::text_width(*line.font, line.text)), y + tall});
    y += tall;
  }
}

}  // namespace tilewalk
