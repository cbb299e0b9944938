#include "ui/panels/pipes/pipes_foot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/walk/in_step.h"
#include "ui/controls.h"
#include "ui/panels/walk/walk_buttons.h"
#include "ui/widgets.h"

namespace tilewalk {
namespace {

constexpr float kTransport = 34;  // design pixels: the buttons and the space below them

// Of each pass a band for each tensor, as high as its share of the pass's bytes; quiet from `at` on.
void draw_bands(Panel& p, const PipeSide& side, const draw::Rect& bar, float at) {
  draw::box(p.list, bar, p.colours.track, 2 * p.s, p.colours.border);
  if (side.of_axis <= 0) return;
  const auto x_of = [&](std::size_t pass) {
    const double begin = pass < side.passes.size() ? side.passes[pass].begin : side.of_axis;
    return bar.x0 + float(begin / side.of_axis) * bar.width();
  };
  for (std::size_t i = 0; i < side.passes.size(); ++i) {
    const float x0 = x_of(i), x1 = x_of(i + 1), now = std::clamp(at, x0, x1);
    double all = 0, below = 0;
    for (const Pipe& pipe : side.pipes) all += pipe.section == int(i) ? double(pipe.bytes) : 0;
    for (const Pipe& pipe : side.pipes) {
      if (pipe.section != int(i) || all <= 0) continue;
      const float y0 = bar.y0 + float(below / all) * bar.height();
      below += double(pipe.bytes);
      const float y1 = bar.y0 + float(below / all) * bar.height();
      const ImU32 colour = hue(p.colours, pipe.tensor);
      if (now > x0) p.list->AddRectFilled(ImVec2(x0, y0), ImVec2(now, y1), colour);
      if (x1 > now) p.list->AddRectFilled(ImVec2(now, y0), ImVec2(x1, y1), mix(p.colours.panel, colour, 0.22f));
    }
  }
}

// Both sides' bytes, or time, from the start, on one axis; a click on the lower one goes there, in the walk or call
// that is moved.
void draw_track(const UiFrame& f, Panel& p, const PipesModel& m, const Schedule* steered, const draw::Rect& r) {
  const float s = p.s;
  const double longest = std::max(m.sides[0].of_axis, m.sides[1].of_axis), most = longest > 0 ? longest : 1;
  float label = 0;
  for (const PipeSide& side : m.sides) label = std::max(label, draw::text_width(p.fonts.strong, side.title) + 12 * s);
  const float x0 = r.x0 + label, wide = r.x1 - x0, words = draw::leading(p.fonts.tiny);
  const float pitch = r.height() / 2, high = std::max(6 * s, pitch - words - 4 * s);
  for (int i = 0; i < 2; ++i) {
    const PipeSide& side = m.sides[i];
    const float top = r.y0 + float(i == m.left ? 0 : 1) * pitch + words;
    const draw::Rect bar{x0, top, x0 + float(side.of_axis / most) * wide, top + high};
    draw::text(p.list, p.fonts.strong, r.x0, top + (high - p.fonts.strong.size) / 2, p.colours.text, side.title);
    const float at = x0 + float(side.at / most) * wide;
    draw_bands(p, side, bar, at);
    float free = bar.x0;
    for (const PipePass& pass : side.passes) {
      const float x = x0 + float(pass.begin / most) * wide;
      if (&pass != &side.passes.front())
        p.list->AddLine(ImVec2(x, bar.y0), ImVec2(x, bar.y1), p.colours.panel, 2 * draw::hairline());
      if (x < free || pass.label.empty() || x + draw::text_width(p.fonts.tiny, pass.label) > r.x1) continue;
      draw::text(p.list, p.fonts.tiny, x, bar.y0 - words, p.colours.muted, pass.label);
      free = x + draw::text_width(p.fonts.tiny, pass.label) + 10 * s;
    }
    p.list->AddLine(ImVec2(at, bar.y0 - 3 * s), ImVec2(at, bar.y1 + 3 * s), p.colours.now_line,
                    std::max(1.0f, 1.6f * s));
    const std::string said = fmt::format("{} · {}", side.moved, side.place);
    const float said_x = std::max(at, bar.x1) + 8 * s;
    if (said_x + draw::text_width(p.fonts.tiny, said) <= r.x1)
      draw::text(p.list, p.fonts.tiny, said_x, bar.y0 + (high - p.fonts.tiny.size) / 2, p.colours.muted, said);
    const Hit h = hit(f, fmt::format("track {}", i), bar);
    if (h.hovered) tooltip(f, said + (i == 1 && steered ? "\nClick: there" : ""));
    if (i == 1 && steered && h.clicked && bar.width() > 0) {
      const double share = std::clamp(double((ImGui::GetIO().MousePos.x - bar.x0) / bar.width()), 0.0, 1.0);
      const std::int64_t there =
          m.by_time ? cursor_at_time(*steered, share)
                    : last_cursor_within(*steered, std::llround(share * double(side.of_bytes)), Pace::Byte);
      f.push(steered == &f.session.schedule() ? Command{GoToStep{there}} : Command{GoToCallStep{there}});
    }
  }
}

}  // namespace

float pipes_foot_height(const UiFrame& f, const Panel& p) {
  return !shows_controls(f) ? 0 : 2 * (draw::leading(p.fonts.tiny) + 20 * p.s) + kTransport * p.s;
}

void draw_pipes_foot(const UiFrame& f, Panel& p, const PipesModel& m, const Schedule* steered, const draw::Rect& r) {
  if (!shows_controls(f)) return;  // the heads say how far both sides are
  const float s = p.s;
  float from = draw_walk_buttons(f, p, r.x0, r.y0) + 6 * s;
  for (std::size_t i = 0; i < m.stills.size(); ++i) {
    const PipeStill& still = m.stills[i];
    const float wide = draw::text_width(p.fonts.strong, still.label) + 20 * s;
    if (from + wide > r.x1 - 120 * s) break;
    if (button(f, {.id = fmt::format("still {}", i),
                   .rect = {from, r.y0, from + wide, r.y0 + 26 * s},
                   .label = still.label,
                   .tip = still.tip}))
      for (const Command& command : still.commands) f.push(command);
    from += wide + 6 * s;
  }
  const std::string place = !m.clock.empty() && !m.by_time ? m.clock
                                                           : fmt::format("{} moved by {} · {}", m.sides[1].moved,
                                                                         m.sides[1].title, m.sides[1].place);
  const float x = from + 10 * s, middle = r.y0 + 13 * s;
  const float moved = draw::text_width(p.fonts.strong, place), time = draw::text_width(p.fonts.body, m.time_text);
  const bool both = m.time_text.empty() || x + moved + 16 * s + time <= r.x1;
  const std::string words = both ? place : m.time_text;  // in little space the times alone: the track shows the place
  draw::text(p.list, p.fonts.strong, x, middle - p.fonts.strong.size / 2, p.colours.text,
             draw::elided(p.fonts.strong, words, r.x1 - x));
  if (!m.time_text.empty()) {
    if (both)
      draw::text_right(p.list, p.fonts.body, r.x1, middle - p.fonts.body.size / 2, p.colours.muted, m.time_text);
    const draw::Rect time_text{both ? r.x1 - time : x, r.y0, r.x1, r.y0 + 26 * s};
    if (hit(f, "time", time_text).hovered) tooltip(f, m.time_detail);
  }
  draw_track(f, p, m, steered, {r.x0, r.y0 + kTransport * s, r.x1, r.y1});
}

}  // namespace tilewalk
