#include "ui/present_layout.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr float kCapital = 0.727f;                                  // of an em; the same in every font here
constexpr float kDigitWide = 0.602f;                                // of an em of figures
constexpr float kWordsOfHeight = 0.0405f, kWordsOfWidth = 0.0228f;  // an em of words that is easy to read in a room

}  // namespace

float present_scale(float width, float height) {
  const float least = kLeastCapital * height / kCapital / kFigures.em,
              wished = std::min(kWordsOfHeight * height, kWordsOfWidth * width) / kWords.em;
  return std::ceil(std::max(least, wished) * 20) / 20;
}

PresentLayout compute_present_layout(float width, float height, bool film) {
  const float s = present_scale(width, height), margin = std::round(height * 0.025f), gap = margin;
  const float digits = kFigures.em * s, words = kWords.em * s;
  PresentLayout out;
  out.line = std::ceil(words * 1.45f);
  out.row = std::round(digits * 1.4f);
  out.title = std::round(words * 1.6f);
  out.cell = std::round(digits * kDigitWide * 5 + 4 * s);
  out.row_head = std::round(digits * kDigitWide * 3 + 6 * s);
  const float strip = std::round(out.line * 1.1f + 12 * s), lines = width < height * 1.6f ? 4 : 3;
  out.strip = {margin, height - margin - strip, width - margin, height - margin};
  const float sentence = std::round(out.line * lines + 14 * s);
  out.sentence = {margin, out.strip.y0 - gap - sentence, width - margin, out.strip.y0 - gap};
  const float bottom = out.sentence.y0 - gap;
  // A half each, unless the table needs more for its columns.
  const float across = width - 3 * margin, columns = out.row_head + 6 * (digits * kDigitWide * 5 + 10 * s);
  const float table = std::clamp(columns, across * 0.5f, across * 0.56f);
  const float chip = std::round(words * 1.15f + 6 * s);
  out.hbm = {margin, margin, width - margin, margin + chip};
  out.between = {margin, out.hbm.y1, width - margin, out.hbm.y1 + std::round(words * 1.42f)};
  out.sram = {margin, out.between.y1, width - margin, out.between.y1 + chip};
  out.memory_name = std::round(words * 3.9f);
  const float top = out.sram.y1 + std::round(margin * 0.6f);
  out.tile = {margin, top, margin + across - table, bottom};
  out.table = {width - margin - table, top, width - margin, bottom};
  if (!film) return out;
  for (draw::Rect* r : {&out.hbm, &out.between, &out.sram, &out.tile, &out.table, &out.sentence})
    r->y0 += out.line, r->y1 += out.line;
  out.strip.y0 += out.line;
  return out;
}

PresentLayout with_large_memories(PresentLayout l) {
  const float top = l.hbm.y0, high = l.tile.y1 - top;
  l.hbm.y1 = l.between.y0 = std::round(top + 0.28f * high);
  l.between.y1 = l.sram.y0 = std::round(top + 0.66f * high);
  l.sram.y1 = l.tile.y1;
  return l;
}

PresentRoom present_room(const PresentLayout& l) {
  PresentRoom room;
  if (l.row <= 0) return room;  // no window yet
  const float high = l.tile.height() - l.title;
  // Below the headings; one line at the bottom names the part of the tile.
  room.tile_rows = room.table_rows = int(std::max(1.0f, std::floor(high / l.row) - 2));
  room.whole_rows = room.tile_rows + 1;
  room.tile_cols = int(std::max(1.0f, std::floor((l.tile.width() - l.row_head + 1) / l.cell)));
  room.strip_width = double(l.strip.width());
  room.memory_tiles = std::floor((l.hbm.width() - l.memory_name) / (1.35 * l.line));
  return room;
}

float present_row_height(const PresentLayout& l, std::size_t rows, bool part, bool right) {
  constexpr float kLeastBesideRight = 0.75f;     // of a row: its figures and a hairline
  const float high = l.tile.height() - l.title;  // for headings, rows and the line below
  return std::clamp(std::floor(high / float(rows + (part ? 2 : 1))), right ? kLeastBesideRight * l.row : l.row,
                    2.4f * l.row);
}

Palette present_palette(bool dark) {
  Palette p = palette_of(dark);
  const auto rgb = [](unsigned hex) { return IM_COL32(hex >> 16 & 255, hex >> 8 & 255, hex & 255, 255); };
  p.background = p.panel = rgb(dark ? 0x000000 : 0xffffff);
  p.raised = rgb(dark ? 0x14171f : 0xf2f4f8);
  p.text = rgb(dark ? 0xffffff : 0x000000);
  p.muted = rgb(dark ? 0xd6dbe6 : 0x23293a);
  p.faint = p.cell_line = rgb(dark ? 0x98a1b5 : 0x566075);
  p.border = p.row_line = rgb(dark ? 0x4a5265 : 0xa0a9ba);
  p.row_mark = rgb(dark ? 0x1d2c55 : 0xdde8ff);
  p.changed = rgb(dark ? 0xffa56b : 0x8f2d00);
  p.fresh = rgb(dark ? 0xf0e442 : 0x574800);
  p.accent = rgb(dark ? 0x7ba2ff : 0x0b3fb0);
  p.accent_text = rgb(dark ? 0x05070c : 0xffffff);
  p.now_line = p.text;
  return p;
}

}  // namespace tilewalk
