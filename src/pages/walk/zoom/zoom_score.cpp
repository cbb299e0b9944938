// One score of the zoom, as large as its cell: the number, and below it the two rows that meet in it.
#include <algorithm>
#include <array>
#include <optional>

#include "base/units.h"
#include "pages/walk/zoom/zoom_parts.h"

namespace tilewalk {
namespace {

constexpr std::size_t kColumns = 4;
using Line = std::array<std::string, kColumns>;

std::vector<Line> lines_of(const PresentMeeting& m) {
  std::vector<Line> out = {{m.left_title, m.upper_title, "product", "sum"}};
  for (const MeetingTerm& term : m.terms) out.push_back({term.left, term.upper, term.product, term.sum});
  return out;
}

// The table, with its sum last. Returns its upper end; empty where it has no room, and then draws nothing.
std::optional<float> draw_meeting(const UiFrame& f, Panel& p, const PresentMeeting& m, const draw::Rect& r) {
  const float s = p.s, pad = 12 * s, row = draw::leading(p.fonts.mono) + 4 * s;
  const std::vector<Line> lines = lines_of(m);
  const std::string more = m.left_out > 0 ? "… and " + format_count(m.left_out) + " more products" : "",
                    total = m.total.text + " = " + m.total.result;
  std::array<float, kColumns> widths{};
  for (const Line& line : lines)
    for (std::size_t c = 0; c < kColumns; ++c)
      widths[c] = std::max(widths[c], draw::text_width(&line == &lines.front() ? p.fonts.body : p.fonts.mono, line[c]));
  float wide = 2 * pad;
  for (float& width : widths) wide += width += 18 * s;
  wide = std::max({wide, draw::text_width(p.fonts.strong, m.title) + 2 * pad,
                   draw::text_width(p.fonts.mono_strong, total) + 2 * pad});
  const float title = draw::leading(p.fonts.strong) + 4 * s,
              high = title + row * float(lines.size() + 1 + (more.empty() ? 0 : 1)) + 2 * pad;
  if (wide > r.width() || high > r.height()) return std::nullopt;
  const float x0 = r.middle().x - wide / 2, y0 = r.middle().y - high / 2;
  draw::box(p.list, {x0, y0, x0 + wide, y0 + high}, p.colours.panel, 8 * s, p.colours.border);
  f.ui.rects.put("meeting", {x0, y0, x0 + wide, y0 + high});
  float y = y0 + pad;
  draw::text(p.list, p.fonts.strong, x0 + pad, y, p.colours.text, m.title);
  y += title;
  const ImU32 hues[] = {hue(p.colours, m.left), hue(p.colours, m.upper)};
  for (const Line& line : lines) {
    const bool head = &line == &lines.front();
    const Font& font = head ? p.fonts.body : p.fonts.mono;
    float x = x0 + pad;
    for (std::size_t c = 0; c < kColumns; ++c) {
      const draw::Rect cell{x, y, x + widths[c], y + row};
      if (!head && c < 2) draw::box(p.list, cell.inset(s), mix(hues[c], p.colours.panel, 0.75f), 3 * s);
      draw::text_right(p.list, font, cell.x1 - 6 * s, y + (row - font.size) / 2,
                       head ? p.colours.muted : p.colours.text, line[c]);
      x += widths[c];
    }
    y += row;
  }
  if (!more.empty()) draw::text(p.list, p.fonts.body, x0 + pad, y, p.colours.muted, more), y += row;
  draw::text_right(p.list, p.fonts.mono_strong, x0 + wide - pad - 6 * s, y + 2 * s, p.colours.text, total);
  return y0;
}

}  // namespace

void draw_zoom_score(const UiFrame& f, Panel& p, const ZoomTile& tile, const draw::Rect& r) {
  const float s = p.s, figure = p.fonts.figure.size;
  const bool kept = tile.meeting.has_value();
  const ZoomCell& cell = tile.at((tile.row - tile.tile_row) * tile.rows / std::max<std::int64_t>(1, tile.tile_rows),
                                 (tile.col - tile.tile_col) * tile.cols / std::max<std::int64_t>(1, tile.tile_cols));
  const ImU32 fill = kept ? viridis((cell.value - tile.low) / std::max(1e-6f, tile.high - tile.low)) : p.colours.masked;
  if (r.width() < 3 * figure) return;  // the cell of the tile has its number
  draw::box(p.list, r.inset(std::max(1.0f, s)), fill, 2 * s);
  const float head = figure + 24 * s;
  const std::optional<float> table =
      kept ? draw_meeting(f, p, *tile.meeting, {r.x0 + 8 * s, r.y0 + head, r.x1 - 8 * s, r.y1 - 8 * s}) : std::nullopt;
  draw::text_in(p.list, p.fonts.figure, table ? draw::Rect{r.x0, *table - head, r.x1, *table} : r, ink_on(fill),
                tile.value);
}

}  // namespace tilewalk
