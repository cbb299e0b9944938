#include "pages/compare/blocks/draw_whole_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "pages/compare/blocks/draw_axis_ticks.h"
#include "ui/widgets.h"

namespace tilewalk {

float bar_high(const Panel& p) { return draw::leading(p.fonts.tiny) + 4 * p.s; }

void draw_whole(const UiFrame& f, Panel& p, const LaneWhole& whole, const draw::Rect& area, float words,
                const std::string& name, bool now) {
  const float s = p.s, high = bar_high(p) - 4 * s, thick = 8 * s, most = area.width() - words;
  const float wide = std::max(2 * s, float(whole.share) * most), from = area.x0 + float(whole.from) * most;
  const float top = p.y + (high - thick) / 2;
  const draw::Rect bar{from, top, from + wide, top + thick};
  draw::box(p.list, bar, now ? p.colours.accent : p.colours.muted, thick / 4);
  f.ui.rects.put(name + " bar", bar);
  if (hit(f, name, {p.x, std::min(top, p.y), area.x1, top + thick}).hovered) tooltip(f, whole.tip);
  draw::text(p.list, p.fonts.body, p.x, p.y + (high - p.fonts.body.size) / 2, p.colours.muted,
             draw::elided(p.fonts.body, whole.name, area.x0 - p.x - 6 * s));
  draw::text(p.list, p.fonts.tiny, bar.x1 + 10 * s, p.y + (high - p.fonts.tiny.size) / 2, p.colours.text, whole.text);
  p.y += bar_high(p);
}

namespace {

// The launches of a call, one after the other in one row, each as wide as its time.
void draw_launches(const UiFrame& f, Panel& p, const LanesPicture& picture, const draw::Rect& area, float words,
                   std::size_t side) {
  const float s = p.s, high = bar_high(p) - 2 * s, most = area.width() - words;
  draw::text(p.list, p.fonts.body, p.x, p.y + (high - p.fonts.body.size) / 2, p.colours.muted, "launches");
  for (std::size_t k = 0; k < picture.launches.size(); ++k) {
    const LaneWhole& launch = picture.launches[k];
    const float from = area.x0 + float(launch.from) * most;
    const draw::Rect box{from, p.y, std::max(from + 2 * s, from + float(launch.share) * most - 2 * s), p.y + high};
    draw::box(p.list, box, p.colours.button, 3 * s, p.colours.border);
    // In a narrow box the time alone, or nothing: a time that is cut is another time.
    const std::size_t colon = launch.text.find(": ");
    for (const std::string& each : {launch.text, launch.text.substr(colon == std::string::npos ? 0 : colon + 2)})
      if (draw::text_width(p.fonts.tiny, each) <= box.width() - 4 * s) {
        draw::text_in(p.list, p.fonts.tiny, box, p.colours.text, each);
        f.ui.rects.put(fmt::format("launch {} {} text", side, k), box.inset(2 * s));
        break;
      }
    const std::string id = fmt::format("launch {} {}", side, k);
    f.ui.rects.put(id, box);
    if (hit(f, id, box).hovered) tooltip(f, launch.name + ", " + launch.text + ". " + launch.tip + ".");
  }
  constexpr const char* kNone = "no lanes";
  const float from = area.x0 + most + 8 * s;
  if (!picture.note.empty() && draw::text_width(p.fonts.tiny, kNone) <= area.x1 - from) {
    draw::text(p.list, p.fonts.tiny, from, p.y + (high - p.fonts.tiny.size) / 2, p.colours.muted, kNone);
    explain(f, fmt::format("none {}", side), {from, p.y, area.x1, p.y + high}, picture.note);
  }
  p.y += bar_high(p);
}

}  // namespace

void draw_whole_calls(const UiFrame& f, Panel& p, const LanesModel& m, const draw::Rect& area, float words,
                      bool launches) {
  for (std::size_t i = 0; i < m.pictures.size(); ++i) {
    const LanesPicture& picture = m.pictures[i];
    if (picture.whole)
      draw_whole(f, p, *picture.whole, area, words, "whole " + std::to_string(i), i + 1 == m.pictures.size());
    if (launches && !picture.launches.empty()) draw_launches(f, p, picture, area, words, i);
  }
  draw_axis(f, p, m.whole, "whole", area.x0, area.x1 - words);
  p.y += 3 * p.s;
}

}  // namespace tilewalk
