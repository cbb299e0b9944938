// The page of the roofline: choices, and the win over N.
#include <algorithm>

#include "pages/roofline/draw_axes.h"
#include "pages/roofline/roofline_page.h"
#include "ui/panels/drop_down.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"
#include "ui/plot.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

constexpr float kLeastWins = 110;  // minimum height of the plot; the panel scrolls where it does not fit
constexpr const char* kGuess = "Guess first";

// The rates of an own card, each before its unit; wraps like tags. Returns its right end.
float own_card(const UiFrame& f, Panel& p, const RooflinePage& m, float x) {
  const float s = p.s, high = 24 * s, wide = 84 * s;
  const auto middle = [&] { return p.y + (high - p.fonts.tiny.size) / 2; };
  const float title = draw::text_width(p.fonts.tiny, "yours") + 8 * s;
  float all = title;
  for (const RooflineField& field : m.own) all += wide + draw::text_width(p.fonts.tiny, field.unit) + 12 * s;
  if (x + std::min(all, p.width) > p.x + p.width) x = p.x, p.y += 30 * s;  // one line for all, if it can be
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
             .tip = "The GPU is your call's: the header chooses it, for all pages. Here a CPU takes its place, or this "
                    "machine once it is measured",
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

void draw_roofline_wins_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.page<RooflinePage>();
  const float s = p.s;
  const std::string_view title = "Times as fast as naive, over N";
  const float wide = draw::text_width(p.fonts.tiny, m.over_n), top = p.y;
  const bool beside = draw::caption_width(f.theme, title) + 16 * s + wide <= p.width;
  p.caption(title, beside ? wide + 16 * s : 0);
  if (m.win_ticks.empty()) return;
  if (beside) draw::text_right(p.list, p.fonts.tiny, p.x + p.width, top, p.colours.muted, m.over_n);
  if (!beside)
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.over_n) + 4 * s;
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
