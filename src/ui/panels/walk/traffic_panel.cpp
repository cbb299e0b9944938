#include <algorithm>

#include "base/units.h"
#include "ui/panels/panels.h"
#include "view/units.h"

namespace tilewalk {
namespace {

TrafficBar measured_bar(const HardwareModel& hardware) {
  TrafficBar bar;
  bar.label = hardware.label;
  bar.text = hardware.text;
  bar.bytes = hardware.bytes;
  return bar;
}

float share_of(const TrafficBar& bar, const std::vector<TrafficBar>& all) {
  std::int64_t longest = 1;
  for (const TrafficBar& each : all) longest = std::max(longest, each.bytes);
  return float(double(bar.bytes) / double(longest));
}

// Says plainly that another problem was measured, beside the caption.
void draw_nearest(const UiFrame& f, Panel& p, const HardwareModel& hardware) {
  const float s = p.s, room = p.width - 110 * s;
  if (room < 60 * s) return;
  const std::string words = draw::elided(p.fonts.tiny, hardware.brief, room);
  const float x = p.x + p.width - draw::text_width(p.fonts.tiny, words);
  draw::text(p.list, p.fonts.tiny, x, p.y, p.colours.muted, words);
  const Hit h = hit(f, "hardware", {x, p.y, p.x + p.width, p.y + 16 * s});
  if (h.hovered) tooltip(f.theme, hardware.about + "\nClick for both, side by side (B)");
  if (h.clicked) f.push(Action::ShowTraffic);
}

}  // namespace

void draw_traffic_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const auto& hardware = f.views.hardware;
  std::vector<TrafficBar> bars = f.views.traffic.bars;
  if (hardware && hardware->exact) bars.push_back(measured_bar(*hardware));
  if (hardware && !hardware->exact) draw_nearest(f, p, *hardware);
  p.caption("HBM traffic");
  p.y -= 2 * s;
  // Four bars lie closer together than three.
  const float pitch = std::clamp((p.rect.y1 - p.y - 18 * s) / float(bars.size()), 32 * s, 46 * s);
  for (const TrafficBar& bar : bars) {
    const float top = p.y;
    const std::string value = draw::elided(p.fonts.strong, bar.text, p.width * 0.6f);
    draw::text_right(p.list, p.fonts.strong, p.x + p.width, p.y, p.colours.text, value);
    draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.text,
               draw::elided(p.fonts.body, bar.label, p.width - draw::text_width(p.fonts.strong, value) - 8 * s));
    p.y += std::min(20 * s, pitch - 16 * s);
    const draw::Rect track{p.x, p.y, p.x + p.width, top + pitch - std::min(9 * s, pitch - 29 * s)};
    draw::box(p.list, track, p.colours.track, 3 * s);
    float x = track.x0;
    for (const TrafficPart& part : bar.parts) {
      const float next = std::min(track.x1, x + float(part.share) * track.width());
      draw::box(p.list, {x, track.y0, next, track.y1}, hue(p.colours, part.tensor), 0);
      x = next;
    }
    if (bar.parts.empty() && bar.bytes > 0)  // the card does not tell tensors apart
      draw::box(p.list, {track.x0, track.y0, track.x0 + share_of(bar, bars) * track.width(), track.y1}, p.colours.muted,
                0);
    p.y = top + pitch;
    const Hit h = hit(f, "bar " + bar.label, {p.x, top, p.x + p.width, track.y1});
    if (h.hovered) {
      std::string text = bar.label + ": bytes asked of global memory" + (bar.parts.empty() ? "" : ", by tensor");
      if (bar.parts.empty() && hardware) text += "\n" + hardware->source + "\n" + hardware->sentence;
      for (const TrafficPart& part : bar.parts)
        text += "\n" + tensor_title(part.tensor) + ": reads " + format_bytes(part.read_bytes) + ", writes " +
                format_bytes(part.write_bytes);
      tooltip(f.theme, text + "\nClick for every counter (B)");
    }
    if (h.clicked) f.push(Action::ShowTraffic);
  }
}

}  // namespace tilewalk
