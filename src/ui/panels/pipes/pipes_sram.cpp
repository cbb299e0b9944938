#include "ui/panels/pipes/pipes_sram.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/widgets.h"

namespace tilewalk {
namespace {

void draw_matrix(const SramPen& d, const draw::Rect& r) {
  const PipeMatrix& matrix = d.side.matrix;
  const Palette& c = d.p.colours;
  const float wide = r.width() / float(std::max(1, matrix.cols)), high = r.height() / float(std::max(1, matrix.rows));
  const ImU32 done = matrix.done ? hue(c, *matrix.done) : c.done,
              rest = matrix.before ? mix(c.panel, hue(c, *matrix.before), 0.45f) : c.to_do;
  draw::box(d.p.list, r, c.hatch_fill, 0);
  draw::hatch(d.p.list, r, c.hatch, 6 * d.s, d.s);
  for (int i = 0; i < matrix.rows; ++i)
    for (int j = 0; j < matrix.cols; ++j) {
      const PipeCell cell = matrix.cells[std::size_t(i) * std::size_t(matrix.cols) + std::size_t(j)];
      if (cell == PipeCell::Skipped) continue;
      const draw::Rect at{r.x0 + float(j) * wide, r.y0 + float(i) * high, r.x0 + float(j + 1) * wide,
                          r.y0 + float(i + 1) * high};
      draw::box(d.p.list, at, cell == PipeCell::Done ? done : rest, 0, matrix.cols <= 16 ? c.panel : 0);
    }
  draw::box(d.p.list, r, 0, 0, c.cell_line);  // last: cells would leave two of its edges
  d.f.ui.rects.put(fmt::format("matrix {}", d.index), r);
}

struct LegendEntry {
  ImU32 fill = 0;
  bool hatched = false;
  std::string words;
};

// What the cells of the picture of the matrix mean.
std::vector<LegendEntry> legend_of(const SramPen& d) {
  const PipeMatrix& matrix = d.side.matrix;
  const Palette& c = d.p.colours;
  std::vector<LegendEntry> out;
  const auto entry = [&](PipeCell cell, ImU32 fill, const std::string& words) {
    if (std::count(matrix.cells.begin(), matrix.cells.end(), cell) > 0)
      out.push_back({fill, cell == PipeCell::Skipped, words});
  };
  entry(PipeCell::Done, matrix.done ? hue(c, *matrix.done) : c.done, matrix.done_words);
  entry(PipeCell::ToDo, matrix.before ? mix(c.panel, hue(c, *matrix.before), 0.45f) : c.to_do, matrix.to_do_words);
  entry(PipeCell::Skipped, c.hatch_fill, "skipped");
  return out;
}

// The caption and the entries, broken into lines between them. Returns its height; draws nothing if `list` is null.
float draw_legend(const SramPen& d, ImDrawList* list, float x, float y, float room) {
  const Font& font = d.p.fonts.tiny;
  const Palette& c = d.p.colours;
  const float side = font.size * 0.8f, line = draw::leading(font) + 2 * d.s, gap = 12 * d.s;
  float from = x + draw::text_width(font, d.side.matrix.caption) + gap, down = y;
  if (list) draw::text(list, font, x, y, c.text, d.side.matrix.caption);
  for (const LegendEntry& entry : legend_of(d)) {
    const float wide = side + 5 * d.s + draw::text_width(font, entry.words);
    if (from + wide > x + room) from = x, down += line;
    const draw::Rect box{from, down + (font.size - side) / 2, from + side, down + (font.size + side) / 2};
    if (list) draw::box(list, box, entry.fill, 2 * d.s, c.cell_line);
    if (list && entry.hatched) draw::hatch(list, box, c.hatch, 4 * d.s, d.s);
    if (list) draw::text(list, font, box.x1 + 5 * d.s, down, c.muted, entry.words);
    from += wide + gap;
  }
  return down - y + line;
}

struct SramLayout {
  bool matrix = false;  // the picture of the matrix, with its legend
  float x = 0, room = 0, legend = 0;
  float counted = 0;           // height of the words that say which bytes are counted
  const Font* font = nullptr;  // of the words; null: there is no room for any
  std::string words = {};
};

float top_of(const SramPen& d) { return d.at.y0 + 10 * d.s + draw::leading(d.p.fonts.caption); }

float side_of_matrix(const SramPen& d) {
  return std::max(10.0f, std::min(d.at.y1 - 8 * d.s - top_of(d), d.at.width() * 0.3f));
}

float paragraph_high(const SramPen& d, const Font& font, float room, const std::string& words) {
  return draw::paragraph(nullptr, font, d.p.fonts.tiny, 0, 0, room, 0, words);
}

// As many whole sentences as fit; the words that say which bytes are counted come before all but the first of them.
SramLayout layout_sram(const SramPen& d, bool matrix) {
  const Fonts& fonts = d.p.fonts;
  SramLayout out{.matrix = matrix, .x = d.at.x0 + 10 * d.s + (matrix ? side_of_matrix(d) + 14 * d.s : 0)};
  out.room = d.at.x1 - 10 * d.s - out.x;
  if (matrix) out.legend = draw_legend(d, nullptr, 0, 0, out.room) + 3 * d.s;
  const float space = d.at.y1 - 6 * d.s - top_of(d) - draw::leading(fonts.strong) - 2 * d.s - out.legend;
  const float counted = paragraph_high(d, fonts.tiny, out.room, d.side.counted);
  for (const bool with_counted : {true, false})
    for (std::string words = d.side.sram_text;; words.resize(words.rfind(". ") + 1)) {
      for (const Font* const font : {&fonts.body, &fonts.tiny})
        if (paragraph_high(d, *font, out.room, words) + (with_counted ? counted : 0) <= space) {
          out.font = font, out.words = words, out.counted = with_counted ? counted : 0;
          return out;
        }
      if (words.find(". ") == std::string::npos) break;
    }
  return out;
}

float chip_height(const Panel& p) { return std::max(p.fonts.strong.size, draw::leading(p.fonts.caption)); }

bool in_registers(const MemoryResident& tile) { return tile.bytes == 0; }

struct ChipTiles {  // one memory's tiles in a row
  const char* memory;
  std::vector<const MemoryResident*> tiles;
};

// The tiles that the thread block has on chip, of equal width as on a presented walk, beside the name of their memory.
// Those in registers are outlined: the walk's bytes of SRAM leave them out.
void draw_tiles_on_chip(const SramPen& d) {
  const Font& font = d.p.fonts.strong;
  const float gap = 8 * d.s, pad = 8 * d.s, high = chip_height(d.p), top = d.at.y0 + (d.at.height() - high) / 2;
  const float name_y = d.at.y0 + (d.at.height() - d.p.fonts.caption.size) / 2;
  ChipTiles groups[] = {{"SRAM", {}}, {"registers", {}}};
  float widest = 0;
  for (const MemoryResident& each : d.side.on_chip) {
    groups[in_registers(each)].tiles.push_back(&each);
    widest = std::max(widest, draw::text_width(font, each.tile) + 2 * pad);
  }
  float x = d.at.x0 + 10 * d.s, of_names = 0;
  for (const ChipTiles& group : groups)
    if (&group == groups || !group.tiles.empty())
      of_names += draw::text_width(d.p.fonts.caption, group.memory) + 24 * d.s;
  const float count = float(d.side.on_chip.size()), room = d.at.x1 - 10 * d.s - x - of_names,
              wide = std::min(widest, (room + gap) / std::max(1.0f, count) - gap);
  for (const ChipTiles& group : groups) {
    if (&group != groups && group.tiles.empty()) continue;
    x += d.p.caption_at(x, name_y, group.memory, d.at.x1 - 10 * d.s - x) + 14 * d.s;
    for (const MemoryResident* const each : group.tiles) {
      const std::string& words = each->label == "m ℓ" ? each->label : each->tile;
      const draw::Rect at{x, top, x + wide, top + high};
      const ImU32 own = hue(d.p.colours, each->tensor), fill = in_registers(*each) ? d.p.colours.panel : own;
      draw::box(d.p.list, at, fill, 4 * d.s, own);
      const Font* const fits =
          draw::font_that_fits({&font, &d.p.fonts.body, &d.p.fonts.tiny}, words, wide - 2 * d.s, at.height());
      draw::text_in(d.p.list, fits ? *fits : d.p.fonts.tiny, at, in_registers(*each) ? d.p.colours.text : ink_on(fill),
                    words);
      d.f.ui.rects.put(fmt::format("{} {} {}", in_registers(*each) ? "in registers" : "on chip", d.index, words), at);
      x += wide + gap;
    }
    x += 6 * d.s;
  }
  if (d.side.on_chip.empty())
    draw::text(d.p.list, d.p.fonts.body, x, d.at.y0 + (d.at.height() - d.p.fonts.body.size) / 2, d.p.colours.muted,
               "empty: nothing has moved yet");
}

}  // namespace

float least_height_of_sram(const Panel& p) {
  return draw::leading(p.fonts.caption) + draw::leading(p.fonts.strong) + draw::leading(p.fonts.tiny) + 18 * p.s;
}

float height_of_sram_for_class(const Panel& p) { return 14 * p.s + chip_height(p); }

bool fits_matrix(const SramPen& d) { return layout_sram(d, true).font; }

void draw_pipe_sram(const SramPen& d, bool matrix) {
  const draw::Rect& r = d.at;
  const Fonts& fonts = d.p.fonts;
  draw::box(d.p.list, r, d.p.colours.callout, 7 * d.s, mix(d.p.colours.panel, d.p.colours.accent, 0.5f));
  d.f.ui.rects.put(fmt::format("sram {}", d.index), r);
  if (d.f.session.presents_page()) return draw_tiles_on_chip(d);
  d.p.caption_at(r.x0 + 10 * d.s, r.y0 + 6 * d.s, "SRAM, one thread block", r.width() - 20 * d.s);
  const float top = top_of(d), side = side_of_matrix(d);
  const SramLayout layout = layout_sram(d, matrix);
  if (matrix) draw_matrix(d, {r.x0 + 10 * d.s, top, r.x0 + 10 * d.s + side, top + side});
  const std::string whole = d.side.sram_of + d.side.sram_title;
  draw::text(d.p.list, fonts.strong, layout.x, top, d.p.colours.text,
             draw::text_width(fonts.strong, whole) <= layout.room ? whole : d.side.sram_title);
  float y = top + draw::leading(fonts.strong) + 2 * d.s;
  if (layout.font)
    y += draw::paragraph(d.p.list, *layout.font, fonts.tiny, layout.x, y, layout.room, d.p.colours.muted, layout.words);
  if (matrix) {
    d.f.ui.rects.put(fmt::format("legend {}", d.index),
                     {layout.x, y + 3 * d.s, layout.x + layout.room, y + layout.legend});
    y += 3 * d.s + draw_legend(d, d.p.list, layout.x, y + 3 * d.s, layout.room);
  }
  if (layout.counted > 0)
    draw::paragraph(d.p.list, fonts.tiny, fonts.tiny, layout.x, r.y1 - 6 * d.s - layout.counted, layout.room,
                    d.p.colours.muted, d.side.counted);
}

}  // namespace tilewalk
