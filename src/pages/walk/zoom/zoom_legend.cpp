// The legend of the zoom: a sign and a word for each colour and outline that the picture has now.
#include <algorithm>
#include <functional>
#include <vector>

#include "pages/walk/zoom/zoom_parts.h"

namespace tilewalk {
namespace {

struct LegendItem {
  std::string words;
  float wide = 0;  // of the sign
  std::function<void(const draw::Rect&)> draw;
};

// From the lowest score to the highest.
void draw_range(const Panel& p, const draw::Rect& r) {
  constexpr int kParts = 12;
  for (int i = 0; i < kParts; ++i)
    draw::box(p.list, {r.x0 + r.width() * float(i) / kParts, r.y0, r.x0 + r.width() * float(i + 1) / kParts, r.y1},
              viridis((float(i) + 0.5f) / kParts), 0);
}

std::vector<LegendItem> items_of(const UiFrame& f, Panel& p, const EndlessZoomModel& m, const draw::Rect& picture,
                                 bool brief) {
  const float sign = p.fonts.tiny.size, s = p.s;
  const auto filled = [&p](ImU32 fill, ImU32 border, float thick = 1) {
    return [&p, fill, border, thick](const draw::Rect& r) { draw::box(p.list, r, fill, 0, border, thick); };
  };
  const std::string by =
      m.levels[m.at].square.kind < ZoomSquareKind::Length ? " by the walk's mask" : " by your call's mask";
  const ImU32 kept = kept_fill(p, m, legend_level(m));
  std::vector<LegendItem> out;
  out.push_back({!m.diagonal ? "scores" : brief ? "kept" : "kept" + by, sign, filled(kept, p.colours.muted)});
  if (m.diagonal)
    out.push_back({brief ? "skipped" : "skipped" + by, sign, filled(skipped_fill(p, kept), p.colours.muted)});
  out.push_back({"tile on chip", sign, filled(0, p.colours.now_line, 2 * s)});
  const bool larger = std::any_of(m.levels.begin(), m.levels.end(), [&](const ZoomLevel& level) {
    return !level.on_chip && &level != &m.levels[m.at] && zoom_place(f, p, m, picture, level).width() > 3 * s;
  });
  if (larger && m.written)
    out.push_back({"written to HBM", sign, filled(0, p.colours.text)});
  else if (larger)
    out.push_back({"never written", sign,
                   [&p, s](const draw::Rect& r) { draw::dashed(p.list, r, p.colours.muted, {.length = 3 * s}); }});
  if (!m.levels[m.at].on_chip && !m.written)
    out.push_back({brief ? "current" : "current square", sign, filled(0, p.colours.accent, 2 * s)});
  const auto tile = std::find_if(m.levels.begin(), m.levels.end(),
                                 [](const ZoomLevel& level) { return level.square.kind == ZoomSquareKind::Tile; });
  if (tile != m.levels.end() && zoom_place(f, p, m, picture, *tile).width() >= 2 * float(m.tile.cols))
    out.push_back({brief                     ? "score"
                   : m.tile.low_text.empty() ? "a score, low to high"
                                             : "a score, " + m.tile.low_text + " to " + m.tile.high_text,
                   (brief ? 2 : 4) * sign, [&p](const draw::Rect& r) { draw_range(p, r); }});
  return out;
}

}  // namespace

float draw_zoom_legend(const UiFrame& f, Panel& p, const EndlessZoomModel& m, const draw::Rect& picture,
                       const draw::Rect& row, bool brief, bool draws) {
  const float s = p.s, sign = p.fonts.tiny.size, high = draw::leading(p.fonts.tiny);
  float x = row.x0, y = row.y0;
  for (const LegendItem& item : items_of(f, p, m, picture, brief)) {
    const float wide = item.wide + 6 * s + draw::text_width(p.fonts.tiny, item.words);
    if (x > row.x0 && x + wide > row.x1) x = row.x0, y += high + 2 * s;
    if (draws) {
      item.draw({x, y, x + item.wide, y + sign});
      draw::text(p.list, p.fonts.tiny, x + item.wide + 6 * s, y, p.colours.text, item.words);
      f.ui.rects.put("legend " + item.words, {x, y, x + wide, y + high});
    }
    x += wide + (brief ? 12 : 16) * s;
  }
  return y + high - row.y0;
}

}  // namespace tilewalk
