// The race over N: a curve for each kernel, with its legend.
#include <algorithm>

#include "pages/race/race_marks.h"
#include "ui/labels.h"
#include "ui/panels/panels.h"
#include "ui/plot.h"

namespace tilewalk {
namespace {

constexpr float kRing = 8.5f;  // radius, before scaling

// A kernel's mark is filled or hollow, so a ring around it says that its time is predicted. Marks whose rings would
// cross, one above the other, share one ring, from the first to the last.
void draw_predicted_ring(const Panel& p, const ImVec2& first, const ImVec2& last, ImU32 colour) {
  const float r = kRing * p.s;
  p.list->AddRect({first.x - r, first.y - r}, {last.x + r, last.y + r}, colour, r, 0, 1.4f * p.s);
}

// The marks of the window's call: a free place around each, and rings around those of predicted times.
void draw_marks_of_call(const UiFrame& f, const Panel& p, const RaceModel& m, const draw::Rect& area) {
  const float s = p.s, r = kRing * s;
  std::vector<std::pair<ImVec2, const RaceCurve*>> marks;
  for (const RaceCurve& curve : m.curves)
    if (curve.predicted && !curve.under_way)
      marks.emplace_back(plot::place(area, curve.predicted->x, curve.predicted->y), &curve);
  std::stable_sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.first.y < b.first.y; });
  for (const auto& [at, curve] : marks) p.list->AddCircleFilled(at, 8 * s, p.colours.panel);
  for (const auto& [at, curve] : marks) {
    draw_mark(p, curve->look, at, 5 * s);
    f.ui.rects.put("call's " + curve->title, {at.x - 8 * s, at.y - 8 * s, at.x + 8 * s, at.y + 8 * s});
  }
  std::erase_if(marks, [](const auto& mark) { return mark.second->recorded_at_call; });
  for (std::size_t i = 0; i < marks.size();) {
    std::size_t last = i;
    while (last + 1 < marks.size() && marks[last + 1].first.y - marks[last].first.y < 2 * r + 2 * s) ++last;
    const ImVec2 &from = marks[i].first, &to = marks[last].first;
    draw_predicted_ring(p, from, to, last > i ? p.colours.text : colour_of(p.colours, marks[i].second->look));
    f.ui.rects.put("ring " + marks[i].second->title, {from.x - r, from.y - r, to.x + r, to.y + r});
    i = last + 1;
  }
}

// Draws the marks with their names, in as many lines as they need, then the other marks of the plot, whose words a
// curve could cover. Without a frame draws nothing. Returns the height.
float race_legend(const UiFrame* f, Panel& p, const RaceModel& m) {
  const float s = p.s, top = p.y;
  float x = p.x, y = top;
  const auto entry = [&](std::string_view words) {
    const float w = draw::text_width(p.fonts.body, words) + 44 * s;
    if (x > p.x && x + w > p.x + p.width) x = p.x, y += draw::leading(p.fonts.body);
    if (f) word(*f, p.fonts.body, x + 26 * s, y + 8 * s - p.fonts.body.size / 2, p.colours.text, words);
    x += w;
    return x - w;
  };
  for (const RaceCurve& curve : m.curves) {
    const float at = entry(curve.title);
    if (!f) continue;
    const ImU32 c = colour_of(p.colours, curve.look);
    plot::line(p.list, {{at, y + 8 * s}, {at + 20 * s, y + 8 * s}}, c, 1.8f * s, curve.look.hollow);
    draw_mark(p, curve.look, {at + 10 * s, y + 8 * s}, 4.5f * s);
  }
  if (m.peak_y) {
    const float at = entry(m.curves_peak_text);
    if (f) plot::level(p.list, y + 8 * s, at, at + 20 * s, p.colours.warn, 1.4f * s);
  }
  if (std::any_of(m.curves.begin(), m.curves.end(),
                  [](const RaceCurve& curve) { return curve.predicted && !curve.recorded_at_call; })) {
    const float at = entry("predicted");
    if (f) draw_predicted_ring(p, {at + 10 * s, y + 8 * s}, {at + 10 * s, y + 8 * s}, p.colours.text);
  }
  const auto missing = [&](bool there, bool no_memory, std::string_view words) {
    if (!there) return;
    const float at = entry(words);
    if (!f) return;
    draw::sign(p.list, sign_of_missing(no_memory), {at + 1 * s, y - 1 * s, at + 19 * s, y + 17 * s}, p.colours.text, s);
  };
  missing(m.marks_no_memory, true, "out of memory");
  missing(m.marks_missing, false, "not reported");
  return y + 26 * s - top;
}

float legend_height(Panel& p, const RaceModel& m) { return race_legend(nullptr, p, m); }
void draw_legend(const UiFrame& f, Panel& p, const RaceModel& m) { p.y += race_legend(&f, p, m); }

// Why a curve ends before the others, beside its last mark, free of marks.
void draw_ends(const UiFrame& f, Panel& p, const RaceModel& m, const draw::Rect& area) {
  const float s = p.s;
  const Font& font = p.fonts.tiny;
  Labels labels(area.inset(2 * s));
  for (const RaceCurve& curve : m.curves)
    for (const auto* points : {&curve.points, &curve.no_memory, &curve.missing})
      for (const RacePoint& point : *points) {
        const ImVec2 at = plot::place(area, point.x, point.y);
        labels.keep_free({at.x - 7 * s, at.y - 7 * s, at.x + 7 * s, at.y + 7 * s});
      }
  for (const RaceCurve& curve : m.curves) {
    if (curve.end.empty() || curve.points.empty() || curve.under_way) continue;
    const std::size_t colon = curve.end.find(": ");  // its reason is on a line of its own
    std::vector<std::string> lines = {curve.end.substr(0, colon)};
    if (colon != std::string::npos) lines.push_back(curve.end.substr(colon + 2));
    float widest = 0;
    for (const std::string& line : lines) widest = std::max(widest, draw::text_width(font, line));
    const ImVec2 at = plot::place(area, curve.points.back().x, curve.points.back().y),
                 size{widest + 4 * s, float(lines.size()) * draw::leading(font) + 2 * s};
    const float left = std::min(at.x - size.x / 2, area.x1 - size.x - 2 * s);
    const draw::Rect r = labels.put(size, {{at.x + 10 * s, at.y - size.y / 2},
                                           {at.x + 10 * s, area.y1 - size.y - 3 * s},
                                           {left, at.y + 10 * s},
                                           {left, at.y - 10 * s - size.y},
                                           {at.x - 10 * s - size.x, at.y - size.y / 2}});
    draw::box(p.list, r, p.colours.panel, 2 * s);
    for (std::size_t i = 0; i < lines.size(); ++i)
      draw::text(p.list, font, r.x0 + 2 * s, r.y0 + s + float(i) * draw::leading(font), p.colours.muted, lines[i]);
    f.ui.rects.put("end of " + curve.title, r);
  }
}

// The lengths that were raced: a click on one makes it the call's. A dashed line marks the one of the bars.
void draw_lengths(const UiFrame& f, const Panel& p, const RaceModel& m, const draw::Rect& area) {
  const float s = p.s;
  for (std::size_t i = 0; i < m.x_ticks.size(); ++i) {
    const RaceTag& length = m.lengths.tags[i];
    const float at = plot::place(area, m.x_ticks[i], 0).x;
    p.list->AddLine({at, area.y0}, {at, area.y1}, p.colours.row_line, draw::hairline());
    if (length.active) plot::upright(p.list, at, area.y0, area.y1, p.colours.text, 1.4f * s);
    const Font& font = length.active ? p.fonts.strong : p.fonts.tiny;
    const float half = draw::text_width(font, length.label) / 2 + 5 * s;
    if (tag(f, {.id = "N" + length.label,
                .rect = {at - half, area.y1 + 3 * s, at + half, area.y1 + 6 * s + p.fonts.tiny.em},
                .label = length.label,
                .tip = length.active ? "The bars are of this N" : "A click makes it the N of your call",
                .font = font,
                .ink = length.active ? p.colours.text : p.colours.muted,
                .fill = p.colours.panel,
                .hovered = p.colours.button,
                .rounding = 4 * s,
                .enabled = !length.active}))
      f.push(length.choice);
  }
}

}  // namespace

void draw_race_curves_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.page<RaceModel>();
  const float s = p.s;
  p.caption("Over N");
  word(f, p.fonts.strong, p.x, p.y, p.colours.text, draw::elided(p.fonts.strong, m.curves_title, p.width));
  p.y += 26 * s;
  // The legend is above the plot, or below it where it would leave too little space for the plot.
  const float least = p.rect.height() < 330 * s ? 100 * s : 150 * s;
  const bool above = p.rect.y1 - 42 * s - p.y - legend_height(p, m) >= least;
  if (above) draw_legend(f, p, m);
  float axis = 0;
  for (const RaceTick& tick : m.y_ticks) axis = std::max(axis, draw::text_width(p.fonts.tiny, tick.text));
  const draw::Rect area{p.x + axis + 14 * s, p.y + 8 * s, p.x + p.width - 16 * s,
                        std::max(p.y + least - 50 * s, p.rect.y1 - 42 * s)};
  for (const RaceTick& tick : m.y_ticks) {
    const float y = plot::place(area, 0, tick.at).y;
    p.list->AddLine({area.x0, y}, {area.x1, y}, p.colours.row_line, draw::hairline());
    draw::text_right(p.list, p.fonts.tiny, area.x0 - 8 * s, y - p.fonts.tiny.size / 2, p.colours.muted, tick.text);
  }
  draw_lengths(f, p, m, area);
  for (const RaceCurve& curve : m.curves)
    if (curve.predicted) {
      const float at = plot::place(area, curve.predicted->x, 0).x;
      plot::upright(p.list, at, area.y0, area.y1, p.colours.text, 1.4f * s);
      const float half = draw::text_width(p.fonts.strong, m.marked_n) / 2;
      const bool free = std::all_of(m.x_ticks.begin(), m.x_ticks.end(), [&](double tick) {
        return std::abs(plot::place(area, tick, 0).x - at) > half + 18 * s;
      });
      if (free) draw::text(p.list, p.fonts.strong, at - half, area.y1 + 4 * s, p.colours.text, m.marked_n);
      break;
    }
  if (m.peak_y) {
    const float y = plot::place(area, 0, *m.peak_y).y;
    plot::level(p.list, y, area.x0, area.x1, p.colours.warn, 1.4f * s);
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const std::string* under = nullptr;
  const auto near = [&](const ImVec2& at) {
    return (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y) < 81 * s * s;
  };
  for (const RaceCurve& curve : m.curves) {
    if (curve.under_way) continue;
    const ImU32 c = colour_of(p.colours, curve.look);
    std::vector<ImVec2> points;
    for (const RacePoint& point : curve.points) {
      if (!point.joined) plot::line(p.list, points, c, 2 * s, curve.look.hollow), points.clear();
      points.push_back(plot::place(area, point.x, point.y));
    }
    plot::line(p.list, points, c, 2 * s, curve.look.hollow);
  }
  for (const RaceCurve& curve : m.curves) {
    if (curve.under_way) continue;
    for (const RacePoint& point : curve.points) {
      const ImVec2 at = plot::place(area, point.x, point.y);
      draw_mark(p, curve.look, at, 4.5f * s);
      if (near(at)) under = &point.detail;
    }
    for (const auto* points : {&curve.no_memory, &curve.missing})
      for (const RacePoint& point : *points) {
        const ImVec2 at = plot::place(area, point.x, point.y);
        draw::sign(p.list, sign_of_missing(points == &curve.no_memory),
                   {at.x - 9 * s, at.y - 18 * s, at.x + 9 * s, at.y}, colour_of(p.colours, curve.look), s);
        if (near({at.x, at.y - 9 * s})) under = &point.detail;
      }
  }
  draw_marks_of_call(f, p, m, area);
  for (const RaceCurve& curve : m.curves)
    if (curve.predicted && !curve.under_way && near(plot::place(area, curve.predicted->x, curve.predicted->y)))
      under = &curve.predicted->detail;
  draw_ends(f, p, m, area);
  const Hit h = hit(f, "plot", area);
  if (h.hovered && under) tooltip(f, *under);
  p.y = area.y1 + 24 * s;
  if (above) return;
  p.y += 10 * s;
  draw_legend(f, p, m);
}

}  // namespace tilewalk
