// The chart on which a person draws a roofline: by a drag, or by arrows. In a lesson it takes the whole page.
#include <algorithm>

#include "pages/roofline/draw_axes.h"
#include "pages/roofline/roofline_page.h"
#include "ui/labels.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"
#include "ui/plot.h"

namespace tilewalk {
namespace {

struct RoofDrawingUi {
  bool dragging = false;
};

ImU32 ink_of(const Palette& c, DrawnMark::Look look) {
  switch (look) {
    case DrawnMark::Look::Given: return c.muted;
    case DrawnMark::Look::Placed: return c.accent;
    case DrawnMark::Look::Right: return c.good;
    case DrawnMark::Look::Wrong: return c.bad;
  }
  return c.text;
}

// The mark that the next click or arrow moves.
int current_of(const UiFrame& f, const RoofDrawing& m) {
  return std::clamp(f.ui.lesson_line, 0, std::max(0, int(m.choices.size()) - 1));
}

bool is_placed(const RoofDrawing& m, int choice) {
  return std::any_of(m.marks.begin(), m.marks.end(), [&](const DrawnMark& mark) { return mark.choice == choice; });
}

void choose(const UiFrame& f, Panel& p, const RoofDrawing& m) {
  const float s = p.s, high = 26 * s;
  float x = p.x;
  for (int i = 0; i < int(m.choices.size()); ++i) {
    const std::string& name = m.choices[std::size_t(i)];
    const bool active = i == current_of(f, m) && !m.done;
    const float wide = draw::text_width(p.fonts.body, name) + 24 * s;
    if (x + wide > p.x + p.width && x > p.x) x = p.x, p.y += 30 * s;
    if (tag(f, {.id = "mark " + name,
                .rect = {x, p.y, x + wide, p.y + high},
                .label = name,
                .tip = "Places this one (Space: the next)",
                .font = p.fonts.body,
                .ink = active ? p.colours.text : p.colours.muted,
                .fill = active ? p.colours.tab : p.colours.button,
                .hovered = p.colours.button_hover,
                .border = active ? p.colours.accent : p.colours.border,
                .rounding = 6 * s})) {
      f.ui.lesson_line = i;
      f.ui.lesson_keys = true;
    }
    x += wide + 8 * s;
  }
  p.y += high + 10 * s;
}

void draw_mark(const Panel& p, const DrawnMark& mark, const draw::Rect& area, bool current, Labels& labels) {
  const float s = p.s;
  const ImU32 ink = ink_of(p.colours, mark.look);
  const ImVec2 at = plot::place(area, mark.at.x, mark.at.y);
  const Font& font = p.fonts.body;
  const ImVec2 room{draw::text_width(font, mark.label) + 6 * s, font.size + 4 * s};
  std::vector<ImVec2> corners;
  if (mark.kind == RoofMark::Kind::Point) {
    plot::mark(p.list, plot::Mark::Circle, at, (current ? 9 : 7) * s, ink, mark.look == DrawnMark::Look::Placed,
               p.colours.panel, 2.5f * s);
    labels.keep_free({at.x - 9 * s, at.y - 9 * s, at.x + 9 * s, at.y + 9 * s});
    const float above = at.y - 12 * s - room.y, below = at.y + 12 * s, middle = at.y - room.y / 2;
    corners = {{at.x + 14 * s, middle},    {at.x - 14 * s - room.x, middle},
               {at.x - room.x / 2, below}, {at.x - room.x / 2, above},
               {at.x + 4 * s, below},      {at.x - room.x, below}};
  } else {
    const ImVec2 to = plot::place(area, mark.to.x, mark.to.y);
    plot::line(p.list, {at, to}, ink, (current ? 3.2f : 2.2f) * s, mark.look == DrawnMark::Look::Placed);
    for (const float t : {0.35f, 0.5f, 0.2f, 0.65f, 0.05f})
      corners.push_back(mark.kind == RoofMark::Kind::Slope
                            ? ImVec2{at.x + (to.x - at.x) * t + 12 * s, at.y + (to.y - at.y) * t}
                            : ImVec2{at.x + (to.x - at.x - room.x) * t, at.y - room.y - 3 * s});
  }
  const draw::Rect r = labels.put(room, corners);
  draw::box(p.list, r, p.colours.panel, 2 * s);
  draw::text(p.list, font, r.x0 + 3 * s, r.y0 + 2 * s, ink, mark.label);
}

void take_keys(const UiFrame& f, const RoofDrawing& m) {
  if (!f.ui.lesson_keys || m.done || m.choices.empty()) return;
  if (key_pressed(Key::Space)) f.ui.lesson_line = (current_of(f, m) + 1) % int(m.choices.size());
  const double step = ImGui::GetIO().KeyShift ? 0.05 : 0.004;
  const int across = int(key_pressed(Key::Right)) - int(key_pressed(Key::Left)),
            up = int(key_pressed(Key::Up)) - int(key_pressed(Key::Down));
  if (across != 0 || up != 0)
    f.push(DraftAnswer{draft_moved(f.session.lesson(), current_of(f, m), step * across, step * up)});
}

void take_pointer(const UiFrame& f, const RoofDrawing& m, const draw::Rect& area) {
  const Hit h = hit(f, "drawing", area);
  RoofDrawingUi& ui = f.ui.of<RoofDrawingUi>();
  if (!h.held || m.done || m.choices.empty()) return void(ui.dragging = false);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const PlotPoint at{std::clamp(double((mouse.x - area.x0) / std::max(1.0f, area.width())), 0.0, 1.0),
                     std::clamp(double((area.y1 - mouse.y) / std::max(1.0f, area.height())), 0.0, 1.0)};
  if (!ui.dragging) {  // a press on a placed mark takes that one; elsewhere the first without a place, else the current
    const int near = choice_near(m, at);
    int choice = near >= 0 ? near : current_of(f, m);
    for (int i = 0; near < 0 && is_placed(m, choice) && i < int(m.choices.size()); ++i)
      if (!is_placed(m, i)) choice = i;
    f.ui.lesson_line = choice;
    f.ui.lesson_keys = true;
    ui.dragging = true;
  }
  f.push(DraftAnswer{draft_with(f.session.lesson(), current_of(f, m), at)});
}

}  // namespace

void draw_roof_drawing_panel(const UiFrame& f, Panel& p) {
  const RoofDrawing& m = *f.views.page<RooflinePage>()->drawing;
  const float s = p.s;
  p.caption("Draw the roofline");
  choose(f, p, m);
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                         m.done ? "Green: placed rightly."
                                : "Drag on the chart. Or by keys: Enter, then the arrows (Shift: far), Space for the "
                                  "next one, Enter to check.") +
         26 * s;
  const draw::Rect area{p.x + widest_tick(p.fonts.tiny, m.axes.y_ticks) + 14 * s, p.y, p.x + p.width - 10 * s,
                        std::max(p.y + 200 * s, p.rect.y1 - ImGui::GetScrollY() - 50 * s)};
  draw_axes(p, area, m.axes.x_ticks, m.axes.y_ticks, m.axes.x_title, m.axes.y_title);
  take_keys(f, m);
  take_pointer(f, m, area);
  Labels labels(area.inset(2 * s));
  for (const DrawnMark& mark : m.marks) draw_mark(p, mark, area, mark.choice == current_of(f, m) && !m.done, labels);
  p.y = area.y1 + 36 * s;
}

}  // namespace tilewalk
