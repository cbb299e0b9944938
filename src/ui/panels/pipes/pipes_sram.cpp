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

// What the cells of the picture of the matrix mean, on one line below its words. Draws nothing that does not fit.
void draw_matrix_legend(const SramPen& d, float x, float y, float right) {
  const PipeMatrix& matrix = d.side.matrix;
  const Palette& c = d.p.colours;
  const Font& font = d.p.fonts.tiny;
  const auto entry = [&](PipeCell cell, ImU32 fill, const std::string& words) {
    if (std::count(matrix.cells.begin(), matrix.cells.end(), cell) == 0) return;
    const float side = font.size * 0.8f, wide = side + 5 * d.s + draw::text_width(font, words);
    if (x + wide > right) return;
    const draw::Rect box{x, y + (font.size - side) / 2, x + side, y + (font.size + side) / 2};
    draw::box(d.p.list, box, fill, 2 * d.s, c.cell_line);
    if (cell == PipeCell::Skipped) draw::hatch(d.p.list, box, c.hatch, 4 * d.s, d.s);
    draw::text(d.p.list, font, box.x1 + 5 * d.s, y, c.muted, words);
    x += wide + 12 * d.s;
  };
  const auto written = [](const std::optional<TensorId>& id) {
    return id ? tensor_title(*id) + std::string(" written") : std::string("scores computed");
  };
  entry(PipeCell::Done, matrix.done ? hue(c, *matrix.done) : c.done, written(matrix.done));
  entry(PipeCell::ToDo, matrix.before ? mix(c.panel, hue(c, *matrix.before), 0.45f) : c.to_do,
        matrix.before ? tensor_title(*matrix.before) + std::string(" alone") : std::string("to come"));
  entry(PipeCell::Skipped, c.hatch_fill, "skipped");
}

}  // namespace

void draw_pipe_sram(const SramPen& d) {
  const draw::Rect& r = d.at;
  const Fonts& fonts = d.p.fonts;
  draw::box(d.p.list, r, d.p.colours.callout, 7 * d.s, mix(d.p.colours.panel, d.p.colours.accent, 0.5f));
  d.p.caption_at(r.x0 + 10 * d.s, r.y0 + 6 * d.s, "SRAM, one thread block", r.width() - 20 * d.s);
  const float top = r.y0 + 24 * d.s, side = std::max(10.0f, std::min(r.y1 - 8 * d.s - top, r.width() * 0.3f));
  draw_matrix(d, {r.x0 + 10 * d.s, top, r.x0 + 10 * d.s + side, top + side});
  const float x = r.x0 + 10 * d.s + side + 14 * d.s, room = r.x1 - 10 * d.s - x;
  draw::text(d.p.list, fonts.strong, x, top, d.p.colours.text, draw::elided(fonts.strong, d.side.sram_title, room));
  const float y = top + draw::leading(fonts.strong) + 2 * d.s;
  const float bottom = r.y1 - 4 * d.s;
  const auto high = [&](const Font& font, const std::string& words) {
    return draw::paragraph(nullptr, font, fonts.tiny, 0, 0, room, 0, words);
  };
  std::string words = d.side.sram_text;
  const Font& font = y + high(fonts.body, words) <= bottom ? fonts.body : fonts.tiny;
  while (y + high(font, words) > bottom && words.find(". ") != std::string::npos)  // whole sentences
    words.resize(words.rfind(". ") + 1);
  if (y + high(font, words) > bottom) {
    draw::text(d.p.list, font, x, y, d.p.colours.muted, draw::elided(font, words, room));
    return;
  }
  float below = y + draw::paragraph(d.p.list, font, fonts.tiny, x, y, room, d.p.colours.muted, words);
  const float legend = draw::leading(fonts.tiny) + 3 * d.s;
  if (below + legend <= bottom) {
    draw_matrix_legend(d, x, below + 3 * d.s, x + room);
    below += legend;
  }
  const float counted = high(fonts.tiny, d.side.counted);
  if (below + counted <= r.y1 - 6 * d.s)
    draw::paragraph(d.p.list, fonts.tiny, fonts.tiny, x, r.y1 - 6 * d.s - counted, room, d.p.colours.muted,
                    d.side.counted);
}

}  // namespace tilewalk
