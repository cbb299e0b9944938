#include "ui/panels/present/present_layout.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// Of the theme's fonts at scale 1: the size of its digits, and how much of it a capital letter is high.
constexpr float kDigits = 13.5f, kCapitalOfDigits = 0.54f;
constexpr float kDigitWide = 0.48f;  // of their size

}  // namespace

float present_scale(float height) {
  return std::ceil(kLeastCapital * height / kCapitalOfDigits / kDigits * 20) / 20;
}

PresentLayout compute_present_layout(float width, float height) {
  const float s = present_scale(height), margin = std::round(height * 0.025f), gap = margin;
  PresentLayout out;
  const float digits = kDigits * s;
  out.line = std::ceil(14.5f * s * 1.42f);
  out.row = std::round(digits * 1.45f);
  out.title = std::round(14.5f * s * 1.5f);
  out.cell = std::round(digits * kDigitWide * 5 + 6 * s);
  out.row_head = std::round(digits * kDigitWide * 3 + 6 * s);
  const float strip = std::round(out.line * 1.15f + 12 * s), lines = width < height * 1.6f ? 5 : 4;
  out.strip = {margin, height - margin - strip, width - margin, height - margin};
  const float words = std::round(out.line * lines + 14 * s);
  out.sentence = {margin, out.strip.y0 - gap - words, width - margin, out.strip.y0 - gap};
  const float bottom = out.sentence.y0 - gap;
  // The table has seven or eight columns of figures; a tile, where it can, eight.
  const float across = width - 3 * margin;
  const float table = std::min(across * 0.60f, digits * kDigitWide * (3 + 7 * 5) + 8 * 7 * s + 20 * s);
  const float tile = std::min(across - table, out.row_head + 8 * out.cell);
  out.tile = {margin, margin, margin + tile, bottom};
  out.table = {width - margin - (across - tile), margin, width - margin, bottom};
  return out;
}

PresentRoom present_room(const PresentLayout& l) {
  PresentRoom room;
  const float high = l.tile.height() - l.title;
  // Below the heads; one line further down says what part of the tile it is.
  room.tile_rows = room.table_rows = int(std::max(1.0f, std::floor(high / l.row) - 2));
  room.tile_cols = int(std::max(1.0f, std::floor((l.tile.width() - l.row_head + 1) / l.cell)));
  room.strip_width = double(l.strip.width());
  return room;
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
