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

// A square of each tensor's colour with its name; those that share a colour share a square. At the right of the
// caption, or where it has no room there, on lines of its own.
void draw_legend(const UiFrame& f, Panel& p, float caption_y, float caption_width) {
  struct Entry {
    ImU32 colour;
    std::string names;
  };
  const float s = p.s, square = 10 * s;
  std::vector<Entry> entries;
  for (const TensorId id : f.views.traffic.legend) {
    const ImU32 colour = hue(p.colours, id);
    if (!entries.empty() && entries.back().colour == colour)
      entries.back().names += ", " + tensor_title(id);
    else
      entries.push_back({colour, tensor_title(id)});
  }
  const auto width_of = [&](const Entry& e) {
    return square + 5 * s + draw::text_width(p.fonts.caption, e.names) + 11 * s;
  };
  float total = -11 * s;
  for (const Entry& e : entries) total += width_of(e);
  const bool beside = total <= p.width - caption_width - 16 * s;
  float x = beside ? p.x + p.width - total : p.x, y = beside ? caption_y : p.y - 2 * s;
  for (const Entry& e : entries) {
    const float wide = width_of(e);
    if (!beside && x > p.x && x + wide - 11 * s > p.x + p.width) x = p.x, y += 18 * s;
    const float top = y + (p.fonts.caption.size - square) / 2;
    draw::box(p.list, {x, top, x + square, top + square}, e.colour, 2 * s, p.colours.faint);
    draw::text(p.list, p.fonts.caption, x + square + 5 * s, y, p.colours.muted, e.names);
    explain(f, "legend " + e.names, {x, y - 2 * s, x + wide - 8 * s, y + 16 * s}, e.names);
    x += wide;
  }
  if (!beside) p.y = y + 22 * s;
}

// Parts, each with its name where there is room for it.
void draw_parts(Panel& p, const TrafficBar& bar, const draw::Rect& track) {
  const Font& font = p.fonts.caption;
  float x = track.x0;
  for (const TrafficPart& part : bar.parts) {
    const draw::Rect r{x, track.y0, std::min(track.x1, x + float(part.share) * track.width()), track.y1};
    const ImU32 fill = hue(p.colours, part.tensor);
    draw::box(p.list, r, fill, 0);
    const std::string name = tensor_title(part.tensor);
    if (r.width() > draw::text_width(font, name) + 6 * p.s && r.height() >= font.size)
      draw::text_in(p.list, font, r, ink_on(fill), name);
    x = r.x1;
  }
  if (!bar.parts.empty()) draw::box(p.list, {track.x0, track.y0, x, track.y1}, 0, 0, p.colours.cell_line);
}

}  // namespace

void draw_traffic_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const auto& hardware = f.views.hardware;
  std::vector<TrafficBar> bars = f.views.traffic.bars;
  if (hardware) bars.push_back(measured_bar(*hardware));
  const float caption_y = p.y;
  const float caption_width = p.caption_at(p.x, p.y, "HBM traffic", p.width);
  p.y += 24 * s;
  draw_legend(f, p, caption_y, caption_width);
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
    draw_parts(p, bar, track);
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
  halo(f, p.list, "traffic", p.rect.inset(6 * p.s));
}

}  // namespace tilewalk
