// The page of the race: what was raced and where, bars at one shape, curves over N.
#include <algorithm>
#include <functional>

#include "ui/panels/chip_rows.h"
#include "ui/panels/columns.h"
#include "ui/panels/panels.h"
#include "ui/plot.h"
#include "view/words/glossary.h"

namespace tilewalk {
namespace {

ImU32 colour_of(const Palette& c, const RaceLook& look) {
  switch (look.colour) {
    case 1: return c.changed;
    case 2: return c.accent;
    case 3: return c.good;
    default: return c.muted;
  }
}

plot::Mark mark_of(RaceShape shape) {
  switch (shape) {
    case RaceShape::Square: return plot::Mark::Square;
    case RaceShape::Triangle: return plot::Mark::Triangle;
    case RaceShape::Circle: return plot::Mark::Circle;
    case RaceShape::Diamond: return plot::Mark::Diamond;
  }
  return plot::Mark::Square;
}

void draw_mark(const Panel& p, const RaceLook& look, const ImVec2& at, float radius) {
  plot::mark(p.list, mark_of(look.shape), at, radius, colour_of(p.colours, look), look.hollow, p.colours.panel,
             1.6f * p.s);
}

}  // namespace

void draw_race_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.race;
  const float s = p.s, high = 30 * s, top = p.y;
  // Buttons keep their place at the right; words give way.
  float right = p.x + p.width;
  const auto action = [&](const char* id, const char* label, Action command, const char* help, bool strong, bool on) {
    const float w = draw::text_width(strong ? p.fonts.strong : p.fonts.body, label) + 28 * s;
    const bool pressed = button(f, {.id = id,
                                    .rect = {right - w, top, right, top + high},
                                    .label = label,
                                    .tip = help,
                                    .strong = strong,
                                    .enabled = on});
    if (pressed) f.push(command);
    right -= w + 8 * s;
  };
  if (m.running) {
    action("stop", "Stop", Action::StopRace, "Stops after the run at hand; finished rows stay", true, !m.stopping);
  } else {
    if (m.gpu_present)
      action("race gpu", "Run on this GPU", Action::RaceGpu, "The fast rungs, in the background", true, true);
    action("race cpu", "Run on this CPU", Action::RaceCpu,
           "Naive attention by OpenBLAS beside the tiled kernel, in the background; about ten seconds", !m.gpu_present,
           true);
  }
  float x = p.x;
  for (const RaceChip& source : m.sources) {
    const float w = draw::text_width(p.fonts.strong, source.label) + 26 * s;
    const draw::Rect r{x, top, x + w, top + high};
    const bool chosen = chip(f, {.id = source.label,
                                 .rect = r,
                                 .label = source.label,
                                 .font = source.active ? p.fonts.strong : p.fonts.body,
                                 .ink = source.active ? p.colours.text : p.colours.muted,
                                 .fill = source.active ? p.colours.tab : p.colours.background,
                                 .hovered = source.active ? p.colours.tab : p.colours.button,
                                 .rounding = 6 * s,
                                 .enabled = !source.active});
    if (chosen) f.push(source.choice);
    x = r.x1 + 4 * s;
  }
  x += 12 * s;
  if (m.running) {
    const draw::Rect track{x, top + high - 7 * s, right, top + high - 2 * s};
    draw::text(p.list, p.fonts.body, x, top + 2 * s, p.colours.text, draw::elided(p.fonts.body, m.progress, right - x));
    draw::box(p.list, track, p.colours.track, 3 * s);
    draw::box(p.list,
              {track.x0, track.y0, track.x0 + track.width() * float(std::clamp(m.fraction, 0.0, 1.0)), track.y1},
              p.colours.accent, 3 * s);
  } else if (!m.failure.empty()) {
    draw::text(p.list, p.fonts.body, x, top + (high - p.fonts.body.size) / 2, p.colours.bad,
               draw::elided(p.fonts.body, m.failure, right - x));
    if (hit(f, "failure", {x, top, right, top + high}).hovered) tooltip(f.theme, m.failure);
  }
  p.y = top + high + 8 * s;
  if (!m.any) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.empty);
    return;
  }
  // Recorded is an outline, measured here is filled: two claims, told by word and shape.
  const float badge_width = draw::text_width(p.fonts.strong, m.badge) + 20 * s;
  const draw::Rect badge{p.x, p.y, p.x + badge_width, p.y + 22 * s};
  const ImU32 ink = m.recorded ? p.colours.warn : p.colours.good;
  draw::box(p.list, badge, m.recorded ? p.colours.warn_fill : p.colours.good_fill, 5 * s, ink,
            (m.recorded ? 1 : 2) * draw::hairline());
  draw::text_in(p.list, p.fonts.strong, badge, ink, m.badge);
  const float words = badge.x1 + 12 * s, room = p.x + p.width - words;
  draw::text(p.list, p.fonts.body, words, p.y + 3 * s, p.colours.text, draw::elided(p.fonts.body, m.heading, room));
  const float used = draw::text_width(p.fonts.body, draw::elided(p.fonts.body, m.heading, room)) + 22 * s;
  const bool beside = used + draw::text_width(p.fonts.body, m.ceilings) < room;
  draw::text(p.list, p.fonts.body, beside ? words + used : words, p.y + (beside ? 3 : 24) * s, p.colours.muted,
             draw::elided(p.fonts.body, m.ceilings, beside ? room - used : room));
  p.y += beside ? 28 * s : 48 * s;
  wrapped_chips(f, p, m.choices);
}

namespace {

// A mark with its rung's name, and figures.
template <class Row>
void draw_rows(const UiFrame& f, Panel& p, const std::vector<std::string>& heads, const std::vector<Row>& rows,
               const std::function<bool(const Row&)>& is_best) {
  const float s = p.s;
  float names = 0;
  std::vector<const std::vector<std::string>*> cells;
  for (const Row& row : rows) {
    names = std::max(names, 22 * s + draw::text_width(p.fonts.strong, row.title));
    cells.push_back(&row.cells);
  }
  const Columns columns(p, names, heads, cells);
  columns.draw_heads(f, p, heads);
  for (const Row& row : rows) {
    p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
    const Font& name = is_best(row) ? p.fonts.strong : p.fonts.body;
    const float middle = p.y + columns.name_middle();
    draw_mark(p, row.look, {p.x + 8 * s, middle}, 4 * s);
    draw::text(p.list, name, p.x + 22 * s, middle - name.size / 2, p.colours.text,
               draw::elided(name, row.title, p.width - 22 * s));
    explain(f, "of " + row.title, {p.x, p.y, p.x + names, p.y + 20 * s}, row.title);
    columns.draw_figures(p, is_best(row) ? p.fonts.mono_strong : p.fonts.mono_small, p.colours.text, row.cells);
    p.y += columns.row_height();
  }
}

// Every figure of the bars' rows.
void draw_table(const UiFrame& f, Panel& p, const RaceModel& m) {
  draw_rows<RaceLine>(f, p, m.table_heads, m.table, [](const RaceLine& line) { return line.best; });
}

// The same rows beside what paper and the model say.
void draw_predicted(const UiFrame& f, Panel& p, const RaceModel& m) {
  draw_rows<RacePredicted>(f, p, m.predicted_heads, m.predicted, [](const RacePredicted&) { return false; });
  p.y += 8 * p.s;
}

}  // namespace

void draw_race_predicted_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.race;
  p.caption("Predicted beside recorded");
  if (!m.predicted.empty()) draw_predicted(f, p, m);
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.predicted_note);
}

void draw_race_bars_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.race;
  const float s = p.s;
  p.caption("At one shape");
  wrapped_chips(f, p, std::vector{m.lengths, m.metrics});
  p.y += 8 * s;
  word(f, p.fonts.strong, p.x, p.y, p.colours.text, draw::elided(p.fonts.strong, m.bars_title, p.width));
  p.y += 26 * s;
  float names = 0;
  for (const RaceBar& bar : m.bars) names = std::max(names, draw::text_width(p.fonts.strong, bar.title));
  names = std::min(names + 32 * s, p.width * 0.4f);
  const float left = p.x + names, right = p.x + p.width - 4 * s;
  const float count = float(std::max<std::size_t>(1, m.bars.size()));
  float said = 0;
  for (const auto* words : {&m.reasons, &m.notes})
    for (const std::string& each : *words)
      said += draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, p.width, 0, each);
  const float row = std::max(21 * s, p.fonts.body.em + 7);  // of the table below
  const float foot = (m.peak_share > 0 ? 26 : 6) * s + 18 * s + 19 * p.e + row * count + said;
  const float least = p.fonts.mono.em + 6;  // of a bar that has its number in it
  const float pitch = std::clamp((p.rect.y1 - 14 * s - foot - p.y) / count, least + 3, 56 * s);
  const float top = p.y;
  for (const RaceBar& bar : m.bars) {
    const float middle = p.y + pitch / 2, thick = std::max(least, std::min(24 * s, pitch * 0.62f));
    draw_mark(p, bar.look, {p.x + 8 * s, middle}, 5.5f * s);
    const Font& font = bar.best ? p.fonts.strong : p.fonts.body;
    draw::text(p.list, font, p.x + 22 * s, middle - font.size / 2, p.colours.text,
               draw::elided(font, bar.title, names - 28 * s));
    const draw::Rect r{left, middle - thick / 2, left + std::max(2 * s, float(bar.share) * (right - left)),
                       middle + thick / 2};
    const Font& value_font = bar.best ? p.fonts.mono_strong : p.fonts.mono;
    const float w = draw::text_width(value_font, bar.value);
    const float at = middle - value_font.size / 2;
    if (bar.counts) {
      const ImU32 fill = colour_of(p.colours, bar.look);
      plot::bar(p.list, r, fill, bar.look.hollow, s);
      const bool inside = r.x1 + w + 10 * s > right;
      if (inside) {
        const draw::Rect plate{r.x1 - w - 12 * s, middle - thick / 2 + 2 * s, r.x1 - 3 * s, middle + thick / 2 - 2 * s};
        if (bar.look.hollow) draw::box(p.list, plate, p.colours.panel, 3 * s);
        draw::text(p.list, value_font, r.x1 - w - 8 * s, at, bar.look.hollow ? p.colours.text : ink_on(fill),
                   bar.value);
      } else {
        const draw::Rect plate{r.x1 + 4 * s, middle - 9 * s, r.x1 + w + 12 * s, middle + 9 * s};
        draw::box(p.list, plate, p.colours.panel, 0);
        draw::text(p.list, value_font, r.x1 + 8 * s, at, p.colours.text, bar.value);
      }
    } else {
      draw::sign(p.list, draw::Sign::Cross, {left, middle - 9 * s, left + 18 * s, middle + 9 * s}, p.colours.warn, s);
      draw::text(p.list, p.fonts.body, left + 24 * s, middle - p.fonts.body.size / 2, p.colours.warn, bar.value);
    }
    if (hit(f, bar.title, {p.x, p.y, right, p.y + pitch}).hovered)
      tooltip(f.theme, with_meanings(bar.detail, bar.title));
    p.y += pitch;
  }
  if (m.peak_share > 0) {
    const float at = left + float(m.peak_share) * (right - left);
    plot::upright(p.list, at, top, p.y, p.colours.warn, 1.4f * s);
    draw::text(p.list, p.fonts.tiny, std::min(at, right) - draw::text_width(p.fonts.tiny, m.peak_text), p.y + 4 * s,
               p.colours.warn, m.peak_text);
    p.y += 22 * s;
  }
  p.y += 10 * s;
  draw_table(f, p, m);
  p.y += 8 * s;
  for (const std::string& reason : m.reasons)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, reason);
  for (const std::string& note : m.notes)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, note);
}

namespace {

// Marks with names, in as many lines as they need; then what else is marked in the plot: in it, a curve could cover its
// words. Without a frame nothing is drawn. Returns the height.
float legend(const UiFrame* f, Panel& p, const RaceModel& m) {
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
    const float at = entry("measured ceiling");
    if (f) plot::level(p.list, y + 8 * s, at, at + 20 * s, p.colours.warn, 1.4f * s);
  }
  if (m.marks_missing) {
    const float at = entry("out of memory, or not reported");
    if (f) draw::sign(p.list, draw::Sign::Cross, {at + 1 * s, y - 1 * s, at + 19 * s, y + 17 * s}, p.colours.text, s);
  }
  return y + 26 * s - top;
}

float legend_height(Panel& p, const RaceModel& m) { return legend(nullptr, p, m); }
void draw_legend(const UiFrame& f, Panel& p, const RaceModel& m) { p.y += legend(&f, p, m); }

}  // namespace

void draw_race_curves_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.race;
  const float s = p.s;
  p.caption("Over N");
  word(f, p.fonts.strong, p.x, p.y, p.colours.text, draw::elided(p.fonts.strong, m.curves_title, p.width));
  p.y += 26 * s;
  // The legend stands above, or where it would leave no plot to be seen, below.
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
  for (const RaceTick& tick : m.x_ticks) {
    const float at = plot::place(area, tick.at, 0).x;
    p.list->AddLine({at, area.y0}, {at, area.y1}, p.colours.row_line, draw::hairline());
    draw::text(p.list, p.fonts.tiny, at - draw::text_width(p.fonts.tiny, tick.text) / 2, area.y1 + 6 * s,
               p.colours.muted, tick.text);
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
    const ImU32 c = colour_of(p.colours, curve.look);
    std::vector<ImVec2> points;
    for (const RacePoint& point : curve.points) {
      if (!point.joined) plot::line(p.list, points, c, 2 * s, curve.look.hollow), points.clear();
      points.push_back(plot::place(area, point.x, point.y));
    }
    plot::line(p.list, points, c, 2 * s, curve.look.hollow);
  }
  for (const RaceCurve& curve : m.curves) {
    for (const RacePoint& point : curve.points) {
      const ImVec2 at = plot::place(area, point.x, point.y);
      draw_mark(p, curve.look, at, 4.5f * s);
      if (near(at)) under = &point.detail;
    }
    for (const RacePoint& point : curve.missing) {
      const ImVec2 at = plot::place(area, point.x, point.y);
      draw::sign(p.list, draw::Sign::Cross, {at.x - 9 * s, at.y - 18 * s, at.x + 9 * s, at.y},
                 colour_of(p.colours, curve.look), s);
      if (near({at.x, at.y - 9 * s})) under = &point.detail;
    }
  }
  const Hit h = hit(f, "plot", area);
  if (h.hovered && under) tooltip(f.theme, *under);
  p.y = area.y1 + 24 * s;
  if (above) return;
  p.y += 10 * s;
  draw_legend(f, p, m);
}

}  // namespace tilewalk
