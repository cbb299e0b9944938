// The race at one shape: a bar for each kernel, with its floor, and what bounds it. While it runs, the bars grow on one
// axis of time under a clock, and the clock is where the winner's margin will be.
#include <algorithm>
#include <cmath>
#include <optional>

#include "pages/compare/blocks/draw_axis_ticks.h"
#include "pages/race/race_marks.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"
#include "ui/plot.h"
#include "view/words/glossary.h"

namespace tilewalk {
namespace {

constexpr float kMostPitch = 150, kMostThick = 84;  // of a bar
constexpr float kLarge = 40;                        // from this thickness on a bar's name and figure are large

struct RaceUi {
  int frame = -1;  // the last one that showed the page
};

// The lane of a contender without a figure: a sign, and why, in as many lines as there is room for.
void draw_stopped(const UiFrame& f, const Panel& p, const RaceBar& bar, const draw::Rect& lane) {
  const float s = p.s, middle = (lane.y0 + lane.y1) / 2, left = lane.x0 + 24 * s, room = lane.x1 - left;
  draw::sign(p.list, sign_of_missing(bar.no_memory), {lane.x0, middle - 9 * s, lane.x0 + 18 * s, middle + 9 * s},
             p.colours.warn, s);
  const auto high = [&](const Font& font) {
    return draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, room, 0, bar.value);
  };
  const Font& font = high(p.fonts.body) <= lane.height() + 2 * s ? p.fonts.body : p.fonts.tiny;
  draw::paragraph(p.list, font, p.fonts.tiny, left, middle - high(font) / 2, room, p.colours.warn, bar.value);
  f.ui.rects.put("stopped " + bar.title, {left, middle - high(font) / 2, lane.x1, middle + high(font) / 2});
}

const Font& value_font_of(const Panel& p, const RaceBar& bar, float thick) {
  return thick >= kLarge * p.s ? p.fonts.mono_large : bar.best ? p.fonts.mono_strong : p.fonts.mono;
}

const Font& name_font_of(const Panel& p, bool best, float thick) {
  if (thick >= kLarge * p.s) return best ? p.fonts.title : p.fonts.large;
  return best ? p.fonts.strong : p.fonts.body;
}

// A predicted bar is an outline.
void draw_body(const Panel& p, const RaceBar& bar, const draw::Rect& r) {
  const ImU32 ink = colour_of(p.colours, bar.look);
  if (bar.predicted) return draw::box(p.list, r, 0, 3 * p.s, ink, 2.5f * p.s);
  plot::bar(p.list, r, ink, bar.look.hollow, p.s);
}

// A bar of the race as it runs: it ends at the clock, or where its kernel is done, with its time over the clock's line.
void draw_lane(const UiFrame& f, const Panel& p, const RaceBar& bar, const draw::Rect& lane, float clock) {
  const float s = p.s;
  if (!bar.counts) return draw_stopped(f, p, bar, lane);
  draw::box(p.list, lane, p.colours.track, 3 * s);
  plot::upright(p.list, clock, lane.y0, lane.y1, p.colours.text, 1.4f * s);
  const draw::Rect r{lane.x0, lane.y0, lane.x0 + std::max(2 * s, float(bar.share) * lane.width()), lane.y1};
  draw_body(p, bar, r);
  f.ui.rects.put("running " + bar.title, r);
  if (bar.ran < 1) return;
  const Font& font = value_font_of(p, bar, lane.height());
  const float w = draw::text_width(font, bar.value), x = std::min(r.x1 + 8 * s, lane.x1 - w - 6 * s),
              middle = (lane.y0 + lane.y1) / 2;
  draw::box(p.list, {x - 4 * s, middle - font.em / 2 - 2 * s, x + w + 4 * s, middle + font.em / 2 + 2 * s},
            p.colours.panel, 3 * s);
  draw::text(p.list, font, x, middle - font.size / 2, p.colours.text, bar.value);
}

// Where the bar would end if the kernel took as long as its floor.
void draw_floor(const Panel& p, float at, float y0, float y1) {
  draw::box(p.list, {at - 1.5f * p.s, y0, at + 1.5f * p.s, y1}, p.colours.text, p.s);
}

void draw_bar(const UiFrame& f, const Panel& p, const RaceBar& bar, const draw::Rect& lane) {
  const float s = p.s, middle = (lane.y0 + lane.y1) / 2, left = lane.x0, right = lane.x1, thick = lane.height();
  if (!bar.counts) return draw_stopped(f, p, bar, lane);
  const draw::Rect r{left, lane.y0, left + std::max(2 * s, float(bar.share) * (right - left)), lane.y1};
  const Font& value_font = value_font_of(p, bar, thick);
  const float w = draw::text_width(value_font, bar.value);
  const float at = middle - value_font.size / 2;
  const ImU32 fill = colour_of(p.colours, bar.look);
  draw_body(p, bar, r);
  const bool open = bar.look.hollow || bar.predicted;
  const float floor = left + float(bar.floor.value_or(0)) * (right - left);
  // The figure is right of the floor's tick, which it would cover.
  const bool covers = bar.floor && floor > r.x1 - 4 * s && floor < r.x1 + w + 18 * s;
  const float end = covers ? std::max(r.x1, floor + 2 * s) : r.x1;
  const bool inside = end + w + 10 * s > right;
  if (inside) {
    float x = r.x1 - w - 8 * s;  // left of the floor's mark, where that would cross it
    if (bar.floor && floor > x - 4 * s) x = std::min(x, std::max(r.x0 + 4 * s, floor - w - 8 * s));
    const float half = value_font.em / 2 + 3 * s;  // of the figure alone: the hatch goes on above and below it
    const draw::Rect plate{x - 6 * s, std::max(middle - half, lane.y0 + 2 * s), x + w + 6 * s,
                           std::min(middle + half, lane.y1 - 2 * s)};
    if (open) draw::box(p.list, plate, p.colours.panel, 4 * s);
    f.ui.rects.put("plate " + bar.title, plate);
    draw::text(p.list, value_font, x, at, open ? p.colours.text : ink_on(fill), bar.value);
    f.ui.rects.put("value " + bar.title, {x, at, x + w, at + value_font.size});
  } else {
    const float half = value_font.em / 2 + 2 * s;
    const draw::Rect plate{end + 4 * s, middle - half, end + w + 12 * s, middle + half};
    draw::box(p.list, plate, p.colours.panel, 0);
    draw::text(p.list, value_font, end + 8 * s, at, p.colours.text, bar.value);
  }
  if (!bar.floor) return;
  draw_floor(p, floor, lane.y0 - 3 * s, lane.y1 + 3 * s);
  f.ui.rects.put("floor " + bar.title, {floor - 1.5f * s, lane.y0 - 3 * s, floor + 1.5f * s, lane.y1 + 3 * s});
}

float kernels_high(const Panel& p) { return std::max(26 * p.s, p.fonts.body.em + 8 * p.s); }

float kernels_wide(const Panel& p, const RaceModel& m) {
  return m.kernels.label.empty() ? 0 : draw::text_width(p.fonts.body, m.kernels.label) + 24 * p.s;
}

// The control that shows all kernels, or a few again.
void draw_kernels(const UiFrame& f, const RaceModel& m, const draw::Rect& at) {
  if (button(f, {.id = "kernels",
                 .rect = at,
                 .label = m.kernels.label,
                 .tip = "Bars, curves and table: every kernel of the race, or naive, FA-2, the fastest by Tilewalk and "
                        "the fastest of PyTorch"}))
    f.push(m.kernels.choice);
}

// A speed-up is larger than the figures of other pages: the page is about it. Its font has digits and × alone.
Font win_font(const Panel& p, const RaceModel& m) {
  constexpr float kShare = 0.8f;  // of the largest figure of all
  const Font& win = p.fonts.win;
  if (!m.figure.ends_with("×")) return p.fonts.figure;
  return {win.font, std::floor(win.size * kShare), win.em * kShare};
}

// The winner's margin with its words; while the race runs, the clock in its place.
void draw_figure(const UiFrame& f, Panel& p, const RaceModel& m) {
  if (m.figure.empty() && !m.runs) return;
  const Font large = win_font(p, m);
  const auto wide = [&](const std::string& figure) {
    return draw::text_width(figure == m.figure ? large : p.fonts.figure, figure) + 14 * p.s;
  };
  const auto words = [&](const std::string& figure, const std::string& text) {
    return draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, p.width - wide(figure), 0, text);
  };
  const float high =
      std::max(large.size, words(m.figure, m.figure_words));  // the same when the race ends: nothing jumps
  const std::string& figure = m.runs ? m.clock : m.figure;
  const Font& shown = m.runs ? p.fonts.figure : large;  // a clock has letters
  const std::string& text = m.runs ? m.clock_words : m.figure_words;
  draw::text(p.list, shown, p.x, p.y + (high - shown.size) / 2,
             m.runs       ? p.colours.text
             : !m.differs ? p.colours.accent
                          : p.colours.muted,
             figure);
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x + wide(figure), p.y + (high - words(figure, text)) / 2,
                  p.width - wide(figure), p.colours.text, text);
  f.ui.rects.put(m.runs ? "clock" : "figure", {p.x, p.y, p.x + wide(figure), p.y + high});
  p.y += high + 10 * p.s;
}

float later_high(const Panel& p) { return std::max(30 * p.s, p.fonts.body.em + 14 * p.s); }

// What a class needs: no floors and ceilings, no choices, and of the reasons naive's.
RaceModel model_for_room(RaceModel m, bool answered) {
  if (!answered && !m.beside_in_room.empty()) m.beside = m.beside_in_room;
  m.kernels = {}, m.metrics = {};
  m.floor_text.clear(), m.notes.clear(), m.peak_share = 0;
  for (RaceBar& bar : m.bars) bar.floor.reset();
  if (m.reasons.size() > 1) m.reasons.resize(1);
  return m;
}

float again_wide(const Panel& p) { return draw::text_width(p.fonts.body, "Run again") + 20 * p.s; }

// True if the control of the kernels has space beside the title and its button; else it is below the bars.
bool kernels_beside_title(const Panel& p, const RaceModel& m) {
  const float title = draw::text_width(p.fonts.strong, m.bars_title);
  return !m.kernels.label.empty() && title + again_wide(p) + kernels_wide(p, m) + 26 * p.s <= p.width;
}

// The title with the button, while it runs too.
void draw_title(const UiFrame& f, Panel& p, const RaceModel& m, bool with_button) {
  const float s = p.s, again = with_button ? again_wide(p) : 0;
  word(f, p.fonts.strong, p.x, p.y, p.colours.text,
       draw::elided(p.fonts.strong, m.bars_title, p.width - again - 10 * s));
  if (kernels_beside_title(p, m)) {
    const float right = p.x + p.width - again - 8 * s;
    draw_kernels(f, m, {right - kernels_wide(p, m), p.y - 3 * s, right, p.y + 19 * s});
  }
  if (with_button &&
      button(f, {.id = "run again",
                 .rect = {p.x + p.width - again, p.y - 3 * s, p.x + p.width, p.y + 19 * s},
                 .label = "Run again",
                 .tip = m.predicted ? "The bars run at their predicted times, slowed down so that one sees them"
                                    : "The bars run at their recorded times, slowed down so that one sees them"}))
    f.push(Action::RunRace);
  p.y += 26 * s;
}

}  // namespace

void draw_race_bars_panel(const UiFrame& f, Panel& p) {
  const bool for_room = f.session.presents_page();
  const RaceModel& page = *f.views.page<RaceModel>();
  const std::optional<RaceModel> taught =
      for_room ? std::optional(model_for_room(page, f.session.race().answered)) : std::nullopt;
  const RaceModel& m = taught ? *taught : page;
  const float s = p.s;
  if (!for_room) p.caption(m.predicted ? "Your call" : "At one shape");
  draw_figure(f, p, m);
  if (!m.beside.empty())  // while the bars run its space stays free
    p.y += draw::paragraph(m.runs ? nullptr : p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                           m.beside) +
           8 * s;
  if (!for_room) {
    wrapped_tags(f, p, std::vector{m.metrics});
    p.y += 8 * s;
  }
  // A person who comes to the page sees the race run, unless motion is reduced.
  RaceUi& ui = f.ui.of<RaceUi>();
  const bool arrived = ui.frame + 1 != ImGui::GetFrameCount();
  ui.frame = ImGui::GetFrameCount();
  const bool shows_itself = f.session.tour().watches();  // the film runs the bars, and a command of a person ends it
  if (arrived && !shows_itself && !f.session.race().answered && f.ui.motion && f.session.document().view.motion &&
      !m.bars.empty())
    f.push(Action::RunRace);
  draw_title(f, p, m, !for_room);
  if (!m.raced_with.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, m.raced_with) + 6 * s;
  const float count = float(std::max<std::size_t>(1, m.bars.size()));
  float said = 0;
  for (const auto* words : {&m.reasons, &m.notes})
    for (const std::string& each : *words)
      said += draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, p.width, 0, each);
  const bool explains = m.peak_share > 0 || !m.floor_text.empty();
  const float later = float(m.no_memory_later.size()) * (later_high(p) + 4 * s),
              axis = m.axis.ticks.empty() ? 0 : axis_high(p) + 6 * s;
  const bool kernels_below = !m.kernels.label.empty() && !kernels_beside_title(p, m);
  const float foot =
      axis + later + (explains ? 26 : 6) * s + 18 * s + said + (kernels_below ? kernels_high(p) + 12 * s : 0);
  const float least = p.fonts.mono.em + 6;  // of a bar that contains its number
  const float pitch = std::clamp((p.rect.y1 - 14 * s - foot - p.y) / count, least + 7 * s, kMostPitch * s);
  const float thick = std::max(least, std::min(kMostThick * s, pitch * 0.62f));
  float names = 0;
  for (const auto* bars : {&m.bars, &m.no_memory_later})
    for (const RaceBar& bar : *bars) names = std::max(names, draw::text_width(name_font_of(p, true, thick), bar.title));
  names = std::min(names + 32 * s, p.width * 0.4f);
  const float left = p.x + names, right = p.x + p.width - 4 * s;
  const float top = p.y, bars_end = top + pitch * count, clock = left + float(m.clock_at) * (right - left);
  if (m.runs) {
    plot::upright(p.list, clock, top, bars_end, p.colours.text, 1.4f * s);
    f.ui.rects.put("now", {clock - s, top, clock + s, bars_end});
  }
  for (const RaceBar& bar : m.bars) {
    const float middle = p.y + pitch / 2;
    draw_mark(p, bar.look, {p.x + 8 * s, middle}, 5.5f * s);
    const Font& font = name_font_of(p, bar.best, thick);
    draw::text(p.list, font, p.x + 22 * s, middle - font.size / 2, p.colours.text,
               draw::elided(font, bar.title, names - 28 * s));
    f.ui.rects.put("name " + bar.title, {p.x + 22 * s, middle - font.size / 2, left, middle + font.size / 2});
    const draw::Rect lane{left, middle - thick / 2, right, middle + thick / 2};
    if (m.runs)
      draw_lane(f, p, bar, lane, clock);
    else
      draw_bar(f, p, bar, lane);
    if (pointed_at(f, bar.title, {p.x, p.y, right, p.y + pitch})) tooltip(f, with_meanings(bar.detail, bar.title));
    p.y += pitch;
  }
  draw_axis(f, p, m.axis, "race", left, right);
  if (axis > 0) p.y += 6 * s;
  for (const RaceBar& bar : m.no_memory_later) {
    const draw::Rect lane{left, p.y, right, p.y + later_high(p)};
    draw_mark(p, bar.look, {p.x + 8 * s, lane.middle().y}, 5.5f * s);
    draw::text(p.list, p.fonts.body, p.x + 22 * s, lane.middle().y - p.fonts.body.size / 2, p.colours.text,
               draw::elided(p.fonts.body, bar.title, names - 28 * s));
    draw_stopped(f, p, bar, lane);
    if (pointed_at(f, "later " + bar.title, {p.x, lane.y0, right, lane.y1}))
      tooltip(f, with_meanings(bar.detail, bar.title));
    p.y = lane.y1 + 4 * s;
  }
  const float below = p.y;
  if (m.peak_share > 0 && !m.runs) {
    const float at = left + float(m.peak_share) * (right - left);
    plot::upright(p.list, at, top, p.y, p.colours.warn, 1.4f * s);
    draw::text(p.list, p.fonts.tiny, std::min(at, right) - draw::text_width(p.fonts.tiny, m.peak_text), p.y + 4 * s,
               p.colours.warn, m.peak_text);
    const float words = draw::text_width(p.fonts.tiny, m.peak_text), end = std::min(at, right);
    if (pointed_at(f, "ceiling", {end - words, p.y, end, p.y + 4 * s + p.fonts.tiny.em})) tooltip(f, m.ceilings + ".");
  }
  if (!m.floor_text.empty() && !m.runs) {
    draw_floor(p, p.x + 8 * s, p.y + 4 * s, p.y + 4 * s + p.fonts.tiny.size);
    const float room = p.width - 26 * s - (m.peak_share > 0 ? draw::text_width(p.fonts.tiny, m.peak_text) : 0);
    word(f, p.fonts.tiny, p.x + 16 * s, p.y + 4 * s, p.colours.muted, draw::elided(p.fonts.tiny, m.floor_text, room));
  }
  p.y = below + (explains && !m.runs ? 22 : 0) * s + 10 * s;
  if (kernels_below) {
    draw_kernels(f, m, {p.x, p.y, p.x + kernels_wide(p, m), p.y + kernels_high(p)});
    p.y += kernels_high(p) + 12 * s;
  }
  const float words = p.y;
  const bool answered = !m.runs && (!for_room || f.session.race().answered);
  for (const std::string& reason : m.reasons)
    p.y += draw::paragraph(answered ? p.list : nullptr, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                           reason);
  for (const std::string& note : m.notes)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, note);
  f.ui.rects.put("words", {p.x, words, p.x + p.width, p.y});
  if (answered && !m.reasons.empty()) f.ui.rects.put("reasons", {p.x, words, p.x + p.width, p.y});
}

}  // namespace tilewalk
