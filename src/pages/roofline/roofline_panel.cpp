// The page of the roofline: choices, the roofs with their points, the win over N.
#include <algorithm>
#include <cmath>

#include "pages/roofline/draw_axes.h"
#include "pages/roofline/roofline_page.h"
#include "ui/labels.h"
#include "ui/panels/drop_down.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"
#include "ui/plot.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

ImU32 colour_of(const Palette& c, RooflineHue hue) {
  switch (hue) {
    case RooflineHue::Naive: return hue_of_generation(c, 0);
    case RooflineHue::Tiled1: return hue_of_generation(c, 1);
    case RooflineHue::Tiled2: return hue_of_generation(c, 2);
    case RooflineHue::Tiled3: return hue_of_generation(c, 3);
    case RooflineHue::Guess: return c.warn;
  }
  return c.text;
}

// Minimum heights of the plots; the panel scrolls where they do not fit.
constexpr float kLeastPlot = 170, kLeastWins = 110;
constexpr const char* kGuess = "Guess first";

// A recorded point's distance to its prediction: a line with a cap that is wider than the point.
void whisker(const Panel& p, const ImVec2& from, const ImVec2& to, ImU32 colour) {
  const float s = p.s;
  p.list->AddLine(from, to, colour, 2 * s);
  p.list->AddLine({to.x - 11 * s, to.y}, {to.x + 11 * s, to.y}, colour, 2 * s);
}

// Explains the kinds of marks, at the right: a point that is predicted alone, a recorded one, and its whisker. Returns
// the width; without a frame draws nothing.
float legend(const UiFrame* f, const Panel& p, const RooflinePage& m, float middle) {
  const float s = p.s, top = middle - p.fonts.tiny.size / 2;
  const std::string words[] = {m.hollow, "recorded", m.off};
  float wide = -14 * s;
  for (const std::string& each : words)
    if (!each.empty()) wide += 32 * s + draw::text_width(p.fonts.tiny, each);
  if (!f) return wide;
  float x = p.x + p.width - wide + 6 * s;
  for (const std::string& each : words) {
    if (each.empty()) continue;
    const ImU32 ink = p.colours.muted;
    if (&each == &words[2])
      whisker(p, {x, middle + 6 * s}, {x, middle - 5 * s}, ink);
    else
      plot::mark(p.list, plot::Mark::Circle, {x, middle}, 4 * s, ink, &each == &words[0], p.colours.panel, 2 * s);
    const float gap = (&each == &words[2] ? 14 : 9) * s;
    word(*f, p.fonts.tiny, x + gap, top, ink, each);
    x += 18 * s + gap + draw::text_width(p.fonts.tiny, each);
  }
  return wide;
}

// Words on a plate, so that no line crosses them, at the first free one of these positions.
draw::Rect label(const Panel& p, Labels& labels, ImU32 ink, const std::string& words,
                 const std::vector<ImVec2>& corners) {
  const Font& font = p.fonts.tiny;
  const draw::Rect r = labels.put({draw::text_width(font, words) + 4 * p.s, font.size + 2 * p.s}, corners);
  draw::box(p.list, r, p.colours.panel, 2 * p.s);
  draw::text(p.list, font, r.x0 + 2 * p.s, r.y0 + p.s, ink, words);
  return r;
}

// Which sides of a point are free of neighbours: a label between two points would look like that of either.
struct FreeSides {
  bool above = true, below = true;
};

FreeSides free_sides(const ImVec2& at, const std::vector<std::pair<const RooflinePoint*, ImVec2>>& all, float across,
                     float up) {
  FreeSides out;
  for (const auto& [point, other] : all) {
    if (std::abs(other.x - at.x) > across || std::abs(other.y - at.y) > up) continue;
    if (other.y < at.y) out.above = false;
    if (other.y > at.y) out.below = false;
  }
  return out;
}

void label_point(const Panel& p, Labels& labels, ImU32 ink, const RooflinePoint& point, const ImVec2& at,
                 const FreeSides& free) {
  const float s = p.s, w = draw::text_width(p.fonts.tiny, point.label) + 4 * s, h = p.fonts.tiny.size + 2 * s;
  const float off = (point.recorded && point.predicted ? 14 : 10) * s;  // beside the cap of a whisker
  const ImVec2 right{at.x + off, at.y - h / 2}, left{at.x - off - w, at.y - h / 2};
  const float above = at.y - 9 * s - h, below = at.y + 9 * s;
  // Its own side first: two neighbours that change sides would look like each other's labels.
  const ImVec2 own = point.left ? left : right, other = point.left ? right : left;
  std::vector<ImVec2> corners = {own};
  const auto beyond = [&](float x) {
    if (free.above) corners.push_back({x, above});
    if (free.below) corners.push_back({x, below});
  };
  beyond(own.x);
  corners.push_back(other);
  beyond(at.x - w / 2);
  beyond(other.x);
  label(p, labels, ink, point.label, corners);
}

// A slope's label is at its right, a roof's above it, a lower line's on the line itself or near it if there is space.
void label_roof(const UiFrame& f, const Panel& p, Labels& labels, const RoofLine& roof, const draw::Rect& area) {
  const ImVec2 from = plot::place(area, roof.from_x, roof.from_y), to = plot::place(area, roof.to_x, roof.to_y);
  const float s = p.s, w = draw::text_width(p.fonts.tiny, roof.label) + 4 * s, h = p.fonts.tiny.size + 2 * s;
  std::vector<ImVec2> corners;
  if (from.y != to.y) {
    for (const float t : {0.38f, 0.25f, 0.5f, 0.12f, 0.65f})
      corners.push_back({from.x + (to.x - from.x) * t + 10 * s, from.y + (to.y - from.y) * t});
  } else {
    const float room = std::max(0.0f, to.x - from.x - w - 16 * s);
    std::vector<float> tops;
    if (!roof.lower)
      tops = {from.y - h - 2 * s};
    else
      for (const float below : {-h / 2, -h - 2 * s, -h - 5 * s, -h - 9 * s, 3 * s, 9 * s, 17 * s})
        tops.push_back(from.y + below);
    for (const float top : tops)
      for (int tenth = 0; tenth <= 10; ++tenth) corners.push_back({from.x + 8 * s + room * float(tenth) / 10, top});
  }
  if (!roof.lower || labels.has_room({w, h}, corners))
    f.ui.rects.put("roof " + roof.label,
                   label(p, labels, roof.lower ? p.colours.muted : p.colours.text, roof.label, corners));
}

}  // namespace

namespace {

// The rates of an own card, each before its unit; wraps like tags. Returns its right end.
float own_card(const UiFrame& f, Panel& p, const RooflinePage& m, float x) {
  const float s = p.s, high = 24 * s, wide = 84 * s;
  const auto middle = [&] { return p.y + (high - p.fonts.tiny.size) / 2; };
  const float title = draw::text_width(p.fonts.tiny, "yours") + 8 * s;
  if (x + title + wide > p.x + p.width) x = p.x, p.y += 30 * s;
  x += word(f, p.fonts.tiny, x, middle(), p.colours.muted, "yours") + 8 * s;
  for (const RooflineField& field : m.own) {
    const float unit = draw::text_width(p.fonts.tiny, field.unit) + 12 * s;
    if (x + wide + unit > p.x + p.width && x > p.x) x = p.x, p.y += 30 * s;
    const bool bad = !field.issue.empty();
    const auto typed = text_field(f, {.id = "own " + field.field,
                                      .rect = {x, p.y, x + wide, p.y + high},
                                      .text = field.text,
                                      .otherwise = field.otherwise,
                                      .tip = bad ? field.issue : field.help,
                                      .border = bad                  ? p.colours.bad
                                                : field.text.empty() ? 0
                                                                     : p.colours.accent});
    if (typed) f.push(EditOwnCard{field.field, *typed});
    word(f, p.fonts.tiny, x + wide + 5 * s, middle(), p.colours.muted, field.unit);
    x += wide + unit;
  }
  return x + 10 * s;
}

// A progress bar of the measurement behind its words. Returns its right end.
float progress(const Panel& p, const RooflineMeasure& m, float x) {
  const float s = p.s, high = 24 * s;
  const float wide = std::clamp(draw::text_width(p.fonts.tiny, m.words), 120 * s, std::max(120 * s, p.x + p.width - x));
  draw::text(p.list, p.fonts.tiny, x, p.y + 1 * s, p.colours.text, draw::elided(p.fonts.tiny, m.words, wide));
  const draw::Rect track{x, p.y + high - 5 * s, x + wide, p.y + high - s};
  draw::box(p.list, track, p.colours.track, 2 * s);
  draw::box(p.list, {track.x0, track.y0, track.x0 + wide * float(std::clamp(m.fraction, 0.0, 1.0)), track.y1},
            p.colours.accent, 2 * s);
  return track.x1 + 14 * s;
}

// The button that starts or stops the measurement of this machine, and its result. Returns its right end.
float measure(const UiFrame& f, Panel& p, const RooflineMeasure& m, float x) {
  const float s = p.s, high = 24 * s;
  const char* const label = m.running ? "Stop" : "Measure this machine";
  const float w = draw::text_width(m.running ? p.fonts.strong : p.fonts.body, label) + 24 * s;
  if (m.can) {
    if (x + w > p.x + p.width && x > p.x) x = p.x, p.y += 30 * s;
    if (button(f, {.id = m.running ? "measure stop" : "measure",
                   .rect = {x, p.y, x + w, p.y + high},
                   .label = label,
                   .tip = m.running ? "Drops its result" : m.help,
                   .strong = m.running,
                   .enabled = !m.stopping}))
      f.push(m.running ? Action::StopMeasuring : Action::MeasureMachine);
    x += w + 10 * s;
  }
  if (m.words.empty()) return x + 4 * s;
  if (m.running) {
    if (x + 120 * s > p.x + p.width) x = p.x, p.y += 30 * s;
    return progress(p, m, x);
  }
  const float words = draw::text_width(p.fonts.tiny, m.words), room = p.x + p.width - x;
  if (words > room && room < 240 * s && x > p.x) x = p.x, p.y += 30 * s;
  const std::string shown = draw::elided(p.fonts.tiny, m.words, p.x + p.width - x);
  draw::text(p.list, p.fonts.tiny, x, p.y + (high - p.fonts.tiny.size) / 2, m.failed ? p.colours.bad : p.colours.muted,
             shown);
  if (pointed_at(f, "measured", {x, p.y, x + draw::text_width(p.fonts.tiny, shown), p.y + high})) tooltip(f, m.details);
  return x + draw::text_width(p.fonts.tiny, shown) + 14 * s;
}

// Nothing asks for a guess until somebody chooses to guess here. Returns its right end.
float guess_tool(const UiFrame& f, Panel& p, float x) {
  const float s = p.s, high = 24 * s, w = draw::text_width(p.fonts.body, kGuess) + 24 * s;
  if (x + w > p.x + p.width && x > p.x) x = p.x, p.y += 30 * s;
  if (button(f, {.id = "guess first",
                 .rect = {x, p.y, x + w, p.y + high},
                 .label = kGuess,
                 .tip = "Hides the answers of this call and of those to come: you guess each win, then reveal it"}))
    f.push(Action::RevealWin);
  return x + w + 10 * s;
}

// A click on the plot over N chooses the nearest length.
void choose_length(const UiFrame& f, Panel& p, const RooflinePage& m, const draw::Rect& area) {
  const Hit h = hit(f, "lengths", area);
  if (!h.hovered || m.lengths.empty()) return;
  const double at = double((ImGui::GetIO().MousePos.x - area.x0) / std::max(1.0f, area.width()));
  const auto nearest = std::min_element(m.lengths.begin(), m.lengths.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.first - at) < std::abs(b.first - at);
  });
  plot::upright(p.list, plot::place(area, nearest->first, 0).x, area.y0, area.y1, p.colours.muted, 1.2f * p.s);
  tooltip(f, "Click: N " + n_text(nearest->second));
  if (h.clicked) f.push(ChooseRoofline{.n = nearest->second});
}

void draw_wins_legend(Panel& p, const RooflinePage& m) {
  const float s = p.s, middle = p.y + 8 * s, y = middle - p.fonts.body.size / 2;
  float x = p.x;
  const auto entry = [&](RooflineHue hue, const std::string& label) {
    plot::line(p.list, {{x, middle}, {x + 20 * s, middle}}, colour_of(p.colours, hue), 2 * s, false);
    draw::text(p.list, p.fonts.body, x + 26 * s, y, p.colours.text, label);
    x += 44 * s + draw::text_width(p.fonts.body, label);
  };
  if (m.even_at) {
    entry(RooflineHue::Naive, "naive itself");
    draw::text(p.list, p.fonts.body, x, y, p.colours.muted,
               draw::elided(p.fonts.body, "the curves come with the answers", p.x + p.width - x));
    return;
  }
  for (const WinCurve& curve : m.wins) entry(curve.hue, curve.label);
  plot::mark(p.list, plot::Mark::Square, {x + 6 * s, middle}, 5 * s, p.colours.text, true, p.colours.panel, 2 * s);
  draw::text(p.list, p.fonts.body, x + 18 * s, y, p.colours.text, "recorded");
}

// No label lies on this line.
void keep_line_free(Labels& labels, const ImVec2& from, const ImVec2& to, float s) {
  const int parts = std::max(1, int(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) / (6 * s)));
  for (int i = 0; i <= parts; ++i) {
    const float share = float(i) / float(parts), x = from.x + (to.x - from.x) * share,
                y = from.y + (to.y - from.y) * share;
    labels.keep_free({x - 3 * s, y - 3 * s, x + 3 * s, y + 3 * s});
  }
}

// From naive's mark to that of the fastest kernel, free of both.
void draw_arrow(const UiFrame& f, const Panel& p, const WinArrow& arrow, const draw::Rect& area) {
  const ImVec2 a = plot::place(area, arrow.from.x, arrow.from.y), b = plot::place(area, arrow.to.x, arrow.to.y);
  const float s = p.s, dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy), free = 12 * s;
  f.ui.rects.put("arrow", {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)});
  if (length < 3 * free) return;
  const ImVec2 along{dx / length, dy / length}, tip{b.x - along.x * free, b.y - along.y * free},
      neck{tip.x - along.x * 11 * s, tip.y - along.y * 11 * s}, wing{-along.y * 6 * s, along.x * 6 * s};
  p.list->AddLine({a.x + along.x * free, a.y + along.y * free}, neck, p.colours.accent, 2.6f * s);
  p.list->AddTriangleFilled(tip, {neck.x + wing.x, neck.y + wing.y}, {neck.x - wing.x, neck.y - wing.y},
                            p.colours.accent);
}

// The win in large type, on the arrow, at the first place where it covers no roof.
void label_arrow(const UiFrame& f, const Panel& p, Labels& labels, const WinArrow& arrow, const draw::Rect& area) {
  const ImVec2 a = plot::place(area, arrow.from.x, arrow.from.y), b = plot::place(area, arrow.to.x, arrow.to.y);
  const Font& font = p.fonts.title;
  std::string words = arrow.label + " as fast";
  if (draw::text_width(font, words) > 0.3f * std::hypot(b.x - a.x, b.y - a.y)) words = arrow.label;
  const ImVec2 room{draw::text_width(font, words) + 12 * p.s, font.em + 4 * p.s};
  std::vector<ImVec2> corners;
  for (const float t : {0.5f, 0.42f, 0.58f, 0.35f, 0.65f, 0.28f})
    corners.push_back({a.x + (b.x - a.x) * t - room.x / 2, a.y + (b.y - a.y) * t - room.y / 2});
  const draw::Rect r = labels.put(room, corners);
  draw::box(p.list, r, p.colours.panel, 5 * p.s);
  draw::text_in(p.list, font, r, p.colours.accent, words);
  f.ui.rects.put("win", r);
  keep_line_free(labels, a, b, p.s);
}

}  // namespace

void draw_roofline_choices_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.page<RooflinePage>();
  const float s = p.s, wide = std::min(p.width, drop_down_width(f.theme, m.machine));
  std::vector<DropDownEntry> machines;
  for (const RooflineTags& row : m.choices)
    for (const RooflineTag& tag : row.tags)
      if (&row != &m.choices.back())
        machines.push_back(
            {.id = tag.label, .title = tag.label, .beside = row.title, .active = tag.active, .commands = {tag.choice}});
  drop_down(f,
            {.id = "machine",
             .rect = {p.x, p.y, p.x + wide, p.y + 26 * s},
             .label = m.machine,
             .tip = "The GPU or the CPU that the call runs on. The header has the rest of the call",
             .marked = true},
            machines);
  float x = p.x + wide + 16 * s;
  const RooflineTags& raced = m.choices.back();
  if (x + tags_width(p, raced) > p.x + p.width) x = p.x, p.y += 30 * s;
  x = tag_row(f, p, raced, x, p.y);
  x = measure(f, p, m.measure, own_card(f, p, m, x));
  if (m.revealed && !m.guesses_first && !m.guesses.empty()) x = guess_tool(f, p, x);
  for (const RooflineField& field : m.own) {
    if (field.issue.empty()) continue;
    const float room = draw::text_width(p.fonts.body, field.issue);
    if (x > p.x && x + room > p.x + p.width) x = p.x, p.y += 30 * s;
    draw::text(p.list, p.fonts.body, x, p.y + 12 * s - p.fonts.body.size / 2, p.colours.bad,
               draw::elided(p.fonts.body, field.issue, p.width));
    x += room + 14 * s;
  }
  p.y += 26 * s;
}

void draw_roofline_plot_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.page<RooflinePage>();
  const float s = p.s;
  p.caption("The roofline");
  const bool beside = draw::text_width(p.fonts.strong, m.title) + 14 * s + legend(nullptr, p, m, 0) <= p.width;
  word(f, p.fonts.strong, p.x, p.y, p.colours.text, draw::elided(p.fonts.strong, m.title, p.width));
  const float first = p.y + p.fonts.strong.size / 2;
  p.y += 40 * s;
  legend(&f, p, m, beside ? first : p.y - 18 * s + p.fonts.tiny.size / 2);
  if (m.hides_times)
    p.y +=
        draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y - 16 * s, p.width, p.colours.muted, m.question) +
        4 * s;
  for (const std::string& why : m.unplotted)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y - 16 * s, p.width, p.colours.warn, why) + 4 * s;
  const draw::Rect area{p.x + widest_tick(p.fonts.tiny, m.y_ticks) + 14 * s, p.y, p.x + p.width - 10 * s,
                        std::max(p.y + kLeastPlot * s, p.rect.y1 - ImGui::GetScrollY() - 50 * s)};
  draw_axes(p, area, m.x_ticks, m.y_ticks, m.x_title, m.y_title);
  for (const RoofLine& roof : m.roofs) {
    const ImVec2 from = plot::place(area, roof.from_x, roof.from_y), to = plot::place(area, roof.to_x, roof.to_y);
    plot::line(p.list, {from, to}, roof.lower ? p.colours.muted : p.colours.text, (roof.lower ? 1.2f : 2.2f) * s,
               roof.lower);
  }
  if (m.arrow) draw_arrow(f, p, *m.arrow, area);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const RooflinePoint* under = nullptr;
  Labels labels(area.inset(2 * s));
  for (const RoofLine& roof : m.roofs)
    if (!roof.lower)
      keep_line_free(labels, plot::place(area, roof.from_x, roof.from_y), plot::place(area, roof.to_x, roof.to_y), s);
  if (m.arrow) label_arrow(f, p, labels, *m.arrow, area);
  std::vector<std::pair<const RooflinePoint*, ImVec2>> labelled;
  const auto near = [&](const ImVec2& at) {
    return (mouse.x - at.x) * (mouse.x - at.x) + (mouse.y - at.y) * (mouse.y - at.y) < 100 * s * s;
  };
  for (const RooflinePoint& point : m.points) {
    const ImU32 c = colour_of(p.colours, point.hue);
    ImVec2 at{};
    if (point.predicted) {
      at = plot::place(area, point.predicted->x, point.predicted->y);
      if (point.hue == RooflineHue::Guess) {  // on the axis: a mark at its place would hide the answer's
        at.x = area.x0 + 4 * s;
        const draw::Rect tick{area.x0 - 5 * s, at.y - 1.5f * s, area.x0 + 13 * s, at.y + 1.5f * s};
        draw::box(p.list, tick, c, s);
        f.ui.rects.put("guess", tick);
      } else if (!point.recorded) {
        plot::mark(p.list, plot::Mark::Circle, at, (point.part ? 4 : 6) * s, c, true, p.colours.panel, 2 * s);
      }
    }
    if (point.recorded) {
      const ImVec2 predicted = at;
      at = plot::place(area, point.recorded->x, point.recorded->y);
      if (point.predicted) whisker(p, at, predicted, c);
      plot::mark(p.list, plot::Mark::Circle, at, 6 * s, c, false, p.colours.panel, 2 * s);
    }
    f.ui.rects.put("mark " + point.label, {at.x - 6 * s, at.y - 6 * s, at.x + 6 * s, at.y + 6 * s});
    if (near(at)) under = &point;
    const float wide = (point.recorded && point.predicted ? 11 : 7) * s;
    labels.keep_free({at.x - wide, at.y - 7 * s, at.x + wide, at.y + 7 * s});
    labelled.push_back({&point, at});
  }
  for (const auto& [point, at] : labelled)
    label_point(p, labels, colour_of(p.colours, point->hue), *point, at,
                free_sides(at, labelled, 40 * s, 2 * p.fonts.tiny.size));
  for (const RoofLine& roof : m.roofs) label_roof(f, p, labels, roof, area);
  const Hit over = hit(f, "roofline plot", area);
  if (over.hovered && under) tooltip(f, under->detail);
  if (over.clicked && under && under->walk) f.push(*under->walk);
  p.y = area.y1 + 36 * s;
}

void draw_roofline_wins_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.page<RooflinePage>();
  const float s = p.s;
  p.caption("Times as fast as naive, over N");
  if (m.win_ticks.empty()) return;
  draw_wins_legend(p, m);
  p.y += 28 * s;
  const float jumps =
      m.jumps.empty() ? 0 : draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, p.width, 0, m.jumps) + 4 * s;
  const draw::Rect area{p.x + widest_tick(p.fonts.tiny, m.win_ticks) + 14 * s, p.y, p.x + p.width - 14 * s,
                        std::max(p.y + kLeastWins * s, p.rect.y1 - ImGui::GetScrollY() - jumps - 38 * s)};
  f.ui.rects.put("plot of wins", area);
  draw_axes(p, area, m.n_ticks, m.win_ticks, "", "");
  draw::text(p.list, p.fonts.tiny, p.x, area.y1 + 5 * s, p.colours.muted, "N");
  plot::upright(p.list, plot::place(area, m.n_at, 0).x, area.y0, area.y1, p.colours.text, 1.4f * s);
  if (m.even_at)
    plot::line(p.list, {plot::place(area, 0, *m.even_at), plot::place(area, 1, *m.even_at)},
               colour_of(p.colours, RooflineHue::Naive), 2 * s, false);
  if (m.guess_at) {
    const ImVec2 at = plot::place(area, m.guess_at->x, m.guess_at->y);
    draw::box(p.list, {at.x - 10 * s, at.y - 1.5f * s, at.x + 10 * s, at.y + 1.5f * s},
              colour_of(p.colours, RooflineHue::Guess), s);
  }
  for (const WinCurve& curve : m.wins) {
    const ImU32 c = colour_of(p.colours, curve.hue);
    std::vector<ImVec2> line;
    for (const PlotPoint& point : curve.modelled) line.push_back(plot::place(area, point.x, point.y));
    plot::line(p.list, line, c, 2 * s, false);
    if (curve.chosen)
      plot::mark(p.list, plot::Mark::Circle, plot::place(area, curve.chosen->x, curve.chosen->y), 5 * s, c, true,
                 p.colours.panel, 2 * s);
    for (const PlotPoint& point : curve.recorded)
      plot::mark(p.list, plot::Mark::Square, plot::place(area, point.x, point.y), 5 * s, c, true, p.colours.panel,
                 2 * s);
  }
  choose_length(f, p, m, area);
  p.y = area.y1 + 24 * s;
  if (!m.jumps.empty())
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.jumps);
}

}  // namespace tilewalk
