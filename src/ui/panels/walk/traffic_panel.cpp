#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"
#include "view/words/units.h"

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

// Removes bytes that are still moving from the bar of the walk so far.
void leave_out_what_moves(const Moving& m, TrafficBar& bar) {
  for (const MovingTile& tile : m.motion.tiles) {
    const std::int64_t missing = tile.bytes - tile.bytes_landed(m.t);
    for (TrafficPart& part : bar.parts) {
      if (part.tensor != tile.tensor) continue;
      const double all = double(part.read_bytes + part.write_bytes);
      (tile.to_sram ? part.read_bytes : part.write_bytes) -= missing;
      part.share *= all > 0 ? (all - double(missing)) / all : 0;
    }
  }
  bar.bytes = m.motion.bytes_so_far(m.t);
  bar.text = format_bytes(bar.bytes);
}

// At the right of the caption, or on lines of its own where it does not fit.
void draw_legend(const UiFrame& f, Panel& p, float caption_y, float caption_width) {
  const std::vector<TensorId>& legend = f.views.traffic.legend;
  const float room = p.width - caption_width - 16 * p.s, wide = tensor_legend_width(p, legend);
  if (wide > room) return draw_tensor_legend(f, p, legend, p.x, p.x + p.width, p.y);
  float y = caption_y - 1;
  draw_tensor_legend(f, p, legend, p.x + p.width - wide, p.x + p.width, y);
}

}  // namespace

void draw_bytes_line(const UiFrame& f, Panel& p) {
  const std::vector<TrafficBar>& all = f.views.traffic.bars;
  if (all.size() < 2) return;
  TrafficBar so_far = all.back();
  if (const std::optional<Moving> m = moving(f)) leave_out_what_moves(*m, so_far);
  const TrafficBar &naive = all.front(), &walk = all[all.size() - 2];
  const Font& font = p.fonts.tiny;
  const float y = std::min(p.y, p.rect.y1 - 5 * p.s - font.size);
  if (y < p.y - 9 * p.s) return;  // the numbers above need the place
  std::string words = so_far.label + " " + so_far.text;
  for (const TrafficBar* each : {&walk, &naive}) {
    const std::string more = words + "  ·  " + each->label + " " + each->text;
    if (draw::text_width(font, more) <= p.width) words = more;
  }
  draw::text(p.list, font, p.x, y, p.colours.text, words);
  f.ui.rects.put("bytes " + so_far.text, {p.x, y, p.x + draw::text_width(font, words), y + font.size});
}

void draw_traffic_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const auto& hardware = f.views.hardware;
  std::vector<TrafficBar> bars = f.views.traffic.bars;
  if (const std::optional<Moving> m = moving(f); m && !bars.empty()) leave_out_what_moves(*m, bars.back());
  if (hardware) bars.push_back(measured_bar(*hardware));
  const float caption_y = p.y;
  const float caption_width = p.caption_at(p.x, p.y, "HBM traffic", p.width);
  p.y += 22 * s;
  draw_legend(f, p, caption_y, caption_width);
  // All bars share the height: each has a line of words and, if possible, a bar high enough for its tensors' letters.
  const float words = draw::leading(p.fonts.body), least = 7 * s;
  const float room = is_compact(f.layout) ? 46 * s * float(bars.size()) : p.rect.y1 - 13 * s - p.y;
  const float pitch = std::clamp(room / float(bars.size()), words + least + 3 * s, 46 * s);
  for (const TrafficBar& bar : bars) {
    const float top = p.y;
    const std::string value = draw::elided(p.fonts.strong, bar.text, p.width * 0.6f);
    draw::text_right(p.list, p.fonts.strong, p.x + p.width, p.y, p.colours.text, value);
    draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.text,
               draw::elided(p.fonts.body, bar.label, p.width - draw::text_width(p.fonts.strong, value) - 8 * s));
    const float label = draw::text_width(p.fonts.body, bar.label) + 10 * s,
                left = p.width - label - draw::text_width(p.fonts.strong, value) - 10 * s;
    std::string basis = bar.basis;  // in full in the tooltip
    while (draw::text_width(p.fonts.tiny, basis) > left && !basis.empty())
      basis.erase(basis.rfind(", ") == std::string::npos ? 0 : basis.rfind(", "));
    draw::text(p.list, p.fonts.tiny, p.x + label, p.y + (p.fonts.body.size - p.fonts.tiny.size) * 0.8f, p.colours.muted,
               basis);
    p.y += words - 1 * s;
    const float gap = std::clamp(pitch - words - 15 * p.e, 3 * s, 9 * s);
    const draw::Rect track{p.x, p.y, p.x + p.width, top + pitch - gap};
    draw::box(p.list, track, p.colours.track, 3 * s);
    draw_traffic_parts(p, bar, track);
    if (bar.parts.empty() && bar.bytes > 0)  // the card's counters do not distinguish tensors
      draw::box(p.list, {track.x0, track.y0, track.x0 + share_of(bar, bars) * track.width(), track.y1}, p.colours.muted,
                0);
    p.y = top + pitch;
    const Hit h = hit(f, "bar " + bar.label, {p.x, top, p.x + p.width, track.y1});
    if (h.hovered) {
      std::string text = bar.label + ": bytes asked of global memory" + (bar.parts.empty() ? "" : ", by tensor");
      if (!bar.basis.empty()) text += "\n" + capitalized(bar.basis) + "." + (bar.note.empty() ? "" : " " + bar.note);
      if (bar.parts.empty() && hardware) text += "\n" + hardware->source + "\n" + hardware->sentence;
      for (const TrafficPart& part : bar.parts) text += "\n" + text_of(part);
      tooltip(f, text + "\nClick for every counter (B)");
    }
    if (h.clicked) f.push(Action::ShowTraffic);
  }
  if (is_compact(f.layout)) {
    p.y += 6 * s;
    draw_check_lines(f, p);
  }
  halo(f, p.list, "traffic", p.rect.inset(6 * p.s));
}

}  // namespace tilewalk
