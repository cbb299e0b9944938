// Bytes by tensor: a bar in parts, and the legend of their colours.
#include <algorithm>

#include "ui/panels/panels.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct Entry {  // tensors with the same colour are joined
  ImU32 colour;
  std::string names;
};

std::vector<Entry> entries_of(const Palette& colours, const std::vector<TensorId>& legend) {
  std::vector<Entry> entries;
  for (const TensorId id : legend) {
    const ImU32 colour = hue(colours, id);
    if (!entries.empty() && entries.back().colour == colour)
      entries.back().names += ", " + tensor_title(id);
    else
      entries.push_back({colour, tensor_title(id)});
  }
  return entries;
}

float width_of(const Panel& p, const Entry& e) {
  return std::max(18 * p.s, draw::text_width(p.fonts.caption, e.names) + 8 * p.s);
}

}  // namespace

float tensor_legend_width(const Panel& p, const std::vector<TensorId>& legend) {
  float total = 0;
  for (const Entry& e : entries_of(p.colours, legend)) total += width_of(p, e) + 4 * p.s;
  return std::max(0.0f, total - 4 * p.s);
}

void draw_tensor_legend(const UiFrame& f, Panel& p, const std::vector<TensorId>& legend, float left, float right,
                        float& y) {
  const float s = p.s, high = p.fonts.caption.em + 4;
  float x = left;
  for (const Entry& e : entries_of(p.colours, legend)) {
    const float wide = width_of(p, e);
    if (x > left && x + wide > right + 1) x = left, y += high + 3 * s;
    const draw::Rect r{x, y, x + wide, y + high};
    draw::box(p.list, r, e.colour, 3 * s, p.colours.cell_line);
    draw::text_in(p.list, p.fonts.caption, r, ink_on(e.colour), e.names);
    explain(f, "legend " + e.names, r, e.names);
    x = r.x1 + 4 * s;
  }
  y += high + 4 * s;
}

void draw_traffic_parts(Panel& p, const TrafficBar& bar, const draw::Rect& track) {
  const Font& font = p.fonts.caption;
  float x = track.x0;
  for (const TrafficPart& part : bar.parts) {
    const draw::Rect r{x, track.y0, std::min(track.x1, x + float(part.share) * track.width()), track.y1};
    const ImU32 fill = hue(p.colours, part.tensor);
    draw::box(p.list, r, fill, 0);
    const std::string name = tensor_title(part.tensor);
    if (r.width() > draw::text_width(font, name) + 6 * p.s && r.height() >= font.em)
      draw::text_in(p.list, font, r, ink_on(fill), name);
    x = r.x1;
  }
  if (!bar.parts.empty()) draw::box(p.list, {track.x0, track.y0, x, track.y1}, 0, 0, p.colours.cell_line);
}

}  // namespace tilewalk
