// The result of a walk on the last card: a block of cells for each tensor, tile by tile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "pages/walk/card_parts.h"
#include "ui/labels.h"
#include "ui/panels/panels.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostNumbers = 4096;
constexpr std::int64_t kMostRows = 160, kMostCols = 64;  // of colours

struct ResultBlock {  // how one result is drawn
  std::int64_t row_stride = 1, col_stride = 1, rows = 0, cols = 0;
  float bar = 0, index = 0;               // widths of the tiles' bar and of the numbers of rows
  float cell_w = 0, cell_h = 0, gap = 0;  // gap: between tiles
  int digits = 0;                         // 0: colours alone
};

std::string cell_text(float value, int digits) {
  return std::fabs(value) < 99.5f ? signed_number(value, digits) : compact_number(value);
}

std::int64_t tiles_of(const CardResult& r) {
  return (r.rows + r.tile_rows - 1) / std::max<std::int64_t>(1, r.tile_rows);
}

std::string tile_label(const CardResult& r, std::int64_t tile) {
  return tile_name(r.tensor, r.row_begin / std::max<std::int64_t>(1, r.tile_rows) + tile);
}

float widest_number(const Font& font, const CardResult& r, int digits) {
  float widest = 0;
  for (const float v : r.values) widest = std::max(widest, draw::text_width(font, cell_text(v, digits)));
  return widest;
}

float widest_row_number(const Font& font, const CardResult& r) {
  float widest = 0;
  for (std::int64_t i = 0; i < r.rows; ++i)
    widest = std::max(widest, draw::text_width(font, format_count(r.row_begin + i)));
  return widest;
}

ResultBlock colours_in(const Panel& p, const CardResult& r, float width, float height) {
  ResultBlock b;
  b.bar = 8 * p.s;
  b.index = widest_row_number(p.fonts.tiny, r) + 12 * p.s;
  const float wide = std::max(1.0f, width - b.bar - b.index);
  const auto stride = [](std::int64_t count, float room, std::int64_t most) {
    const std::int64_t shown = std::clamp<std::int64_t>(std::int64_t(room / 2), 1, most);
    return (count + shown - 1) / shown;
  };
  b.row_stride = stride(r.rows, height, kMostRows);
  b.col_stride = stride(r.cols, wide, kMostCols);
  b.rows = (r.rows + b.row_stride - 1) / b.row_stride;
  b.cols = (r.cols + b.col_stride - 1) / b.col_stride;
  b.cell_w = std::min(wide / float(b.cols), 60 * p.s);
  b.cell_h = std::min(height / float(b.rows), 24 * p.s);
  return b;
}

// All numbers of a result, with as many digits as fit; empty: colours alone.
std::optional<ResultBlock> numbers_in(const Panel& p, const CardResult& r, float width, float height) {
  if (r.rows * r.cols > kMostNumbers) return std::nullopt;
  ResultBlock b{.rows = r.rows, .cols = r.cols};
  const float label = draw::text_width(p.fonts.caption, tile_label(r, tiles_of(r) - 1)) + 8 * p.s;
  b.bar = label;
  b.index = widest_row_number(p.fonts.tiny, r) + 12 * p.s;
  b.cell_w = (width - b.bar - b.index) / float(r.cols);
  const float least = p.fonts.mono_small.em + 2;
  for (const float gap : {4 * p.s, 2 * p.s, 0.0f}) {  // between tiles
    b.gap = gap;
    b.cell_h = std::min((height - gap * float(tiles_of(r) - 1)) / float(r.rows), 30 * p.s);
    if (b.cell_h >= least) break;
  }
  if (b.cell_h < least) return std::nullopt;
  for (const int digits : {3, 2}) {
    const float needed = widest_number(p.fonts.mono_small, r, digits) + 8;
    if (needed > b.cell_w) continue;
    b.digits = digits;
    b.cell_w = std::min(b.cell_w, std::max(needed + 8 * p.s, 76 * p.s));
    return b;
  }
  return std::nullopt;
}

struct ResultGrid {
  const UiFrame& f;
  Panel& p;
  const CardResult& r;
  const ResultBlock& b;
  float x, y, largest;  // the corner of the cells
  float top_of(std::int64_t shown_row) const {
    const std::int64_t tile = shown_row * b.row_stride / std::max<std::int64_t>(1, r.tile_rows);
    return y + float(shown_row) * b.cell_h + float(tile) * b.gap;
  }
};

void draw_cells(const ResultGrid& g) {
  const float s = g.p.s, edge = g.b.digits > 0 ? 0.5f * std::max(1.0f, s) : 0;
  for (std::int64_t i = 0; i < g.b.rows; ++i)
    for (std::int64_t j = 0; j < g.b.cols; ++j) {
      const float v = g.r.values[std::size_t(i * g.b.row_stride * g.r.cols + j * g.b.col_stride)];
      const float top = g.top_of(i), left = g.x + float(j) * g.b.cell_w;
      const draw::Rect cell{left + edge, top + edge, left + g.b.cell_w - edge, top + g.b.cell_h - edge};
      const ImU32 fill = diverging(g.p.colours, g.largest > 0 ? v / g.largest : 0);
      draw::box(g.p.list, cell, fill, edge > 0 ? 2 * s : 0);
      const std::size_t at = std::size_t(i * g.b.row_stride * g.r.cols + j * g.b.col_stride);
      if (g.b.digits > 0 && at < g.r.wrong.size() && g.r.wrong[at])
        draw::box(g.p.list, cell, 0, 2 * s, g.p.colours.bad, 1.8f * s);
      if (g.b.digits > 0) draw::text_in(g.p.list, g.p.fonts.mono_small, cell, ink_on(fill), cell_text(v, g.b.digits));
    }
}

// Bars of tiles with their names, and the numbers of rows and columns: of all that can be read, else of a few.
void draw_sides(const ResultGrid& g) {
  const Font& tiny = g.p.fonts.tiny;
  const float s = g.p.s, line = tiny.em + 2 * s, left = g.x - g.b.index - g.b.bar;
  const ImU32 colour = hue(g.p.colours, g.r.tensor);
  const std::int64_t tiles = tiles_of(g.r);
  for (std::int64_t t = 0; t < tiles && tiles <= g.b.rows; ++t) {
    const std::int64_t first = t * g.r.tile_rows / g.b.row_stride,
                       end = t + 1 < tiles ? (t + 1) * g.r.tile_rows / g.b.row_stride : g.b.rows;
    const draw::Rect bar{left, g.top_of(first) + 0.5f * s, left + g.b.bar - 2 * s,
                         g.top_of(std::max(first, end - 1)) + g.b.cell_h - s};
    draw::box(g.p.list, bar, colour, 3 * s);
    const std::string label = tile_label(g.r, t);
    if (draw::text_width(g.p.fonts.caption, label) + 4 * s <= bar.width() && g.p.fonts.caption.em <= bar.height())
      draw::text_in(g.p.list, g.p.fonts.caption, bar, ink_on(colour), label);
  }
  for (std::int64_t i = 0, n = sparse_label_stride(line, g.b.cell_h); i < g.b.rows; i += n) {
    const float middle = g.top_of(i) + g.b.cell_h / 2;
    const std::string text = format_count(g.r.row_begin + i * g.b.row_stride);
    const draw::Rect r{g.x - 6 * s - draw::text_width(tiny, text), middle - tiny.size / 2, g.x - 6 * s,
                       middle + tiny.size / 2};
    draw::text(g.p.list, tiny, r.x0, r.y0, g.p.colours.muted, text);
    g.f.ui.rects.put("row number " + text, r);
  }
  const float widest = draw::text_width(tiny, format_count(g.r.cols - 1)) + 6 * s;
  for (std::int64_t j = 0, n = sparse_label_stride(widest, g.b.cell_w); j < g.b.cols; j += n) {
    const std::string text = format_count(j * g.b.col_stride);
    const float middle = g.x + (float(j) + 0.5f) * g.b.cell_w, wide = draw::text_width(tiny, text);
    const draw::Rect r{middle - wide / 2, g.y - line - 2 * s, middle + wide / 2, g.y - 2 * s};
    draw::text(g.p.list, tiny, r.x0, r.y0, g.p.colours.muted, text);
    g.f.ui.rects.put("column number " + text, r);
  }
}

// A bar of colours from the least value to the most, with both.
void draw_legend(Panel& p, const LastCard& m, float x, float y, float width) {
  float least = 0, most = 0;
  for (const CardResult& r : m.results) least = std::min(least, r.least), most = std::max(most, r.most);
  const float largest = std::max(std::fabs(least), most), wide = std::min(100 * p.s, width * 0.4f);
  constexpr int kParts = 24;
  const float middle = y + p.fonts.mono_small.size / 2;
  for (int i = 0; i < kParts; ++i) {
    const float v = least + (most - least) * (float(i) + 0.5f) / kParts;
    draw::box(p.list,
              {x + wide * float(i) / kParts, middle - 4 * p.s, x + wide * float(i + 1) / kParts, middle + 4 * p.s},
              diverging(p.colours, largest > 0 ? v / largest : 0), 0);
  }
  const std::string words = signed_number(least) + " to " + signed_number(most);
  draw::text(p.list, p.fonts.mono_small, x + wide + 8 * p.s, y, p.colours.muted,
             draw::elided(p.fonts.mono_small, words, width - wide - 8 * p.s));
}

std::string stride_words(const CardResult& r, const ResultBlock& b) {
  std::string out = fmt::format("{} rows, {} columns", format_count(r.rows), format_count(r.cols));
  if (b.row_stride > 1) out += fmt::format("; every {} rows drawn", b.row_stride);
  if (b.col_stride > 1) out += fmt::format("{}every {} columns", b.row_stride > 1 ? ", " : "; ", b.col_stride);
  return out;
}

}  // namespace

void draw_card_results(const UiFrame& f, Panel& p, const LastCard& m, const draw::Rect& area) {
  const float s = p.s, head = 24 * s;
  p.caption_at(area.x0, area.y0, m.result_title, area.width());
  const bool partly = !m.result_note.empty();
  const float foot = draw::leading(p.fonts.mono_small) + (partly ? 2 * draw::leading(p.fonts.tiny) : 0) + 6 * s;
  const float names = m.results.size() > 1 ? draw::leading(p.fonts.tiny) : 0, numbers = p.fonts.tiny.em + 4 * s;
  const float top = area.y0 + head + names + numbers;
  const float space = 14 * s, count = float(std::max<std::size_t>(1, m.results.size()));
  const float width = (area.width() - space * (count - 1)) / count, height = std::max(1.0f, area.y1 - foot - top);
  std::vector<ResultBlock> blocks;
  bool all = true;
  float largest = 0;
  for (const CardResult& r : m.results) {
    const std::optional<ResultBlock> b = numbers_in(p, r, width, height);
    all = all && b;
    if (b) blocks.push_back(*b);
    largest = std::max({largest, std::fabs(r.least), std::fabs(r.most)});
  }
  if (!all) {  // a line below says which rows are drawn
    const float less = partly ? 0 : draw::leading(p.fonts.tiny);
    blocks.clear();
    for (const CardResult& r : m.results) blocks.push_back(colours_in(p, r, width, std::max(1.0f, height - less)));
  }
  float x = area.x0, bottom = top;
  for (std::size_t i = 0; i < blocks.size(); ++i, x += width + space) {
    const ResultGrid g{f, p, m.results[i], blocks[i], x + blocks[i].bar + blocks[i].index, top, largest};
    if (names > 0)
      draw::text(p.list, p.fonts.strong, g.x, area.y0 + head, p.colours.text, name_of(m.results[i].tensor));
    draw_cells(g);
    draw_sides(g);
    const float end = g.top_of(blocks[i].rows - 1) + blocks[i].cell_h;
    f.ui.rects.put(std::string("cells ") + name_of(m.results[i].tensor),
                   {g.x, top, g.x + float(blocks[i].cols) * blocks[i].cell_w, end});
    bottom = std::max(bottom, end);
  }
  f.ui.rects.put(all && !blocks.empty() ? "numbers" : "colours", {area.x0, top, area.x1, bottom});
  float y = bottom + 6 * s;
  if (!m.results.empty()) {
    draw_legend(p, m, area.x0, y, area.width());
    y += draw::leading(p.fonts.mono_small) + 2 * s;
  }
  std::string note = all || m.results.empty() ? "" : stride_words(m.results.front(), blocks.front()) + ". ";
  note += m.result_note;
  draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, area.x0, y, area.width(), p.colours.muted, note);
}

float draw_times_of_call(const UiFrame& f, Panel& p, const std::string& words, const draw::Rect& area, bool draws,
                         bool with_button) {
  const float s = p.s, wide = with_button ? button_width(p.theme, "Race") : 0;
  const float room = area.width() - (wide > 0 ? wide + 10 * s : 0), high = std::max(24 * s, p.fonts.body.em + 6 * s);
  const float lines = draw::paragraph(nullptr, p.fonts.strong, p.fonts.tiny, 0, 0, room, 0, words);
  const float all = std::max(lines, wide > 0 ? high : 0), middle = area.y0 + all / 2;
  if (draws) {
    draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, area.x0, middle - lines / 2, room, p.colours.text, words);
    f.ui.rects.put("times of the call", {area.x0, area.y0, area.x0 + room, area.y0 + all});
    if (wide > 0 && button(f, {.id = "race",
                               .rect = {area.x1 - wide, middle - high / 2, area.x1, middle + high / 2},
                               .label = "Race",
                               .tip = "The recorded race of this length"}))
      f.push(ShowPage{Page::Race});
  }
  return all + 4 * s;
}

}  // namespace tilewalk
