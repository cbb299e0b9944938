#include <algorithm>

#include "base/units.h"
#include "ui/panels/panels.h"
#include "view/units.h"

namespace tilewalk {

void draw_counters_panel(const UiFrame& f) {
  Panel p("traffic", f.layout.traffic, f.theme);
  const float s = p.s;
  p.caption("HBM traffic");
  p.y -= 2 * s;
  for (const TrafficBar& bar : f.views.counters.bars) {
    ImGui::PushID(bar.label.c_str());
    const float top = p.y;
    const std::string value = draw::elided(p.fonts.strong, bar.text, p.width * 0.6f);
    draw::text_right(p.list, p.fonts.strong, p.x + p.width, p.y, p.colours.text, value);
    draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.text,
               draw::elided(p.fonts.body, bar.label, p.width - draw::text_width(p.fonts.strong, value) - 8 * s));
    p.y += 20 * s;
    const draw::Rect track{p.x, p.y, p.x + p.width, p.y + 17 * s};
    draw::box(p.list, track, p.colours.track, 3 * s);
    float x = track.x0;
    for (const TrafficPart& part : bar.parts) {
      const float next = std::min(track.x1, x + float(part.share) * track.width());
      draw::box(p.list, {x, track.y0, next, track.y1}, hue(p.colours, part.tensor), 0);
      x = next;
    }
    p.y = track.y1 + 9 * s;
    const Hit h = hit("bar", {p.x, top, p.x + p.width, track.y1}, f.theme);
    if (h.hovered) {
      std::string text = bar.label + ": bytes asked of global memory, by tensor";
      for (const TrafficPart& part : bar.parts)
        text += "\n" + tensor_title(part.tensor) + ": reads " + format_bytes(part.read_bytes) + ", writes " +
                format_bytes(part.write_bytes);
      tooltip(f.theme, text + "\nClick for every counter (B)");
    }
    if (h.clicked) f.push(CommandId::ShowTraffic);
    ImGui::PopID();
  }
}

}  // namespace tilewalk
