// The names of the zoom's tiles, below the picture, so that they cover no square.
#include <algorithm>

#include "pages/walk/zoom/zoom_parts.h"

namespace tilewalk {
namespace {

constexpr float kMostOfPicture = 0.6f;  // a larger tile needs no name: the words beside the picture have it
constexpr float kRing = 5, kIndent = 14, kGap = 4;

bool is_tile(const ZoomLevel& level) { return level.on_chip && level.square.kind != ZoomSquareKind::Score; }

float chip_height(const Panel& p) { return draw::leading(p.fonts.strong) + 4 * p.s; }

// The fullest that fits.
std::string words_of(const Panel& p, const ZoomLevel& level, float room) {
  const std::string size = level.size + ", exists", sides = level.sides + " · " + size;
  for (const std::string& words : {"one visit: " + sides, sides, size})
    if (draw::text_width(p.fonts.tiny, words) <= room) return words;
  return "";
}

}  // namespace

float zoom_callouts_height(const Panel& p, const EndlessZoomModel& m) {
  return float(std::count_if(m.levels.begin(), m.levels.end(), is_tile)) * (chip_height(p) + kGap * p.s) + kGap * p.s;
}

void draw_zoom_callouts(const UiFrame& f, Panel& p, const EndlessZoomModel& m, const draw::Rect& picture) {
  const float s = p.s, high = chip_height(p), pad = 8 * s;
  float y = picture.y1 + kGap * s, lane = picture.x0 + 2 * s;
  bool ringed = false;
  for (const ZoomLevel& level : m.levels) {
    if (!is_tile(level)) continue;
    const draw::Rect square = zoom_place(f, p, m, picture, level);
    if (square.width() > kMostOfPicture * picture.width()) continue;
    const float left = picture.x0 + kIndent * s, name = draw::text_width(p.fonts.strong, level.name),
                room = picture.x1 - left - 3 * pad - name;
    const std::string words = words_of(p, level, room);
    const draw::Rect chip{
        left, y, left + 2 * pad + name + (words.empty() ? 0 : pad + draw::text_width(p.fonts.tiny, words)), y + high};
    // In the margin of the picture, up to the tile.
    const float ring = square.width() < kLeastSeen * s ? kRing * s : 0;
    const ImVec2 to(std::max(square.x0, picture.x0 + kZoomMargin * s) - ring,
                    std::clamp(square.y0 + std::min(square.height() / 2, 24 * s), picture.y0, picture.y1));
    // Tiles that share a ring share their line.
    const ImVec2 corners[] = {{chip.x0, (chip.y0 + chip.y1) / 2}, {lane, (chip.y0 + chip.y1) / 2}, {lane, to.y}, to};
    p.list->AddPolyline(corners, ringed && ring > 0 ? 3 : 4, p.colours.now_line, 0, 1.4f * s);
    if (ring > 0 && !ringed) {
      p.list->AddCircle(ImVec2(to.x + ring, to.y), ring, p.colours.now_line, 24, 1.6f * s);
      f.ui.rects.put("ring of " + level.name, {to.x, to.y - ring, to.x + 2 * ring, to.y + ring});
    }
    draw::box(p.list, chip, p.colours.raised, 5 * s, p.colours.now_line);
    draw::text(p.list, p.fonts.strong, chip.x0 + pad, y + (high - p.fonts.strong.size) / 2, p.colours.text, level.name);
    draw::text(p.list, p.fonts.tiny, chip.x0 + 2 * pad + name, y + (high - p.fonts.tiny.size) / 2, p.colours.text,
               words);
    f.ui.rects.put("callout " + level.name, chip);
    y += high + kGap * s;
    ringed |= ring > 0;
    if (ring <= 0) lane += 3 * s;
  }
}

}  // namespace tilewalk
