// The matrix of scores of the inputs, and which of its tiles the learner's run has visited.
#include <algorithm>
#include <cmath>

#include "core/problem/format_value.h"
#include "pages/lab/lab_model.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

ImU32 quiet(const Palette& c, ImU32 fill) { return mix(fill, c.panel, 0.45f); }

struct CellDigits {
  const Font* font = nullptr;  // null: numbers do not fit
  int decimals = 2;
  float widest = 0;  // of the numbers
};

// weights: those of the current tile are in its cells; else it has scores there as all tiles have.
void draw_scores(Panel& p, const LabMatrixModel& m, const LabTile& tile, const draw::Rect& r, const CellDigits& digits,
                 bool weights) {
  const Palette& c = p.colours;
  const std::int64_t row0 = tile.q_tile * m.br, col0 = tile.kv_tile * m.bc;
  const std::int64_t rows = std::min(m.br, m.rows - row0), cols = std::min(m.bc, m.cols - col0);
  const float wide = r.width() / float(cols), high = r.height() / float(rows);
  const float gap = std::min(wide, high) > 8 ? std::max(1.0f, 0.8f * p.s) : 0;
  const bool now = tile.state == LabTile::State::Now, known = tile.state != LabTile::State::ToDo;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) {
      const auto place = std::size_t((row0 + i) * m.cols + col0 + j);
      const double score = m.scores[place];
      const bool wrong = place < m.wrong_cells.size() && m.wrong_cells[place];
      const draw::Rect cell{r.x0 + float(j) * wide + gap, r.y0 + float(i) * high + gap,
                            r.x0 + float(j + 1) * wide - gap, r.y0 + float(i + 1) * high - gap};
      if (wrong) {  // its colour says so: on the scale of values it would look like a right one
        draw::box(p.list, cell, c.bad_fill, 2 * p.s);
        if (digits.font && m.own)
          draw::text_in(p.list, *digits.font, cell, c.bad,
                        std::isfinite(score) ? signed_number(score, digits.decimals) : "–");
      } else if (!std::isfinite(score)) {
        draw::box(p.list, cell, c.masked, 2 * p.s);
        if (digits.font && m.own) draw::text_in(p.list, *digits.font, cell, c.muted, "–");
      } else if (!known) {
        const float shade = float((score - m.low) / std::max(1e-9, m.high - m.low));
        const ImU32 fill = m.before ? mix(viridis(shade), c.panel, 0.55f) : c.panel;
        draw::box(p.list, cell, fill, 2 * p.s, c.cell_line);
        if (m.before && m.own && digits.font)
          draw::text_in(p.list, *digits.font, cell, ink_on(fill), signed_number(score, digits.decimals));
      } else {
        const std::size_t at = std::size_t(i * cols + j);
        const bool weight = weights && now && at < m.weights.size();
        const ImU32 colour = viridis(float(weight ? m.weights[at] : (score - m.low) / std::max(1e-9, m.high - m.low)));
        const ImU32 fill = now || m.own ? colour : quiet(c, colour);
        draw::box(p.list, cell, fill, 2 * p.s);
        if ((weight || m.own) && digits.font)
          draw::text_in(p.list, *digits.font, cell, ink_on(fill),
                        signed_number(m.own ? score : m.weights[at], digits.decimals));
      }
      if (!wrong) continue;
      const bool first = std::int64_t(place) == m.wrong_cell;  // its numbers are beside the matrix
      draw::box(p.list, cell.inset(first ? -1.5f * p.s : 0), 0, 2 * p.s, c.bad, first ? 4 * p.s : 1.5f * p.s);
    }
}

void draw_tile(const UiFrame& f, Panel& p, const LabMatrixModel& m, const LabTile& tile, const draw::Rect& r,
               const CellDigits& digits, bool weights) {
  const Palette& c = p.colours;
  const float s = p.s;
  const std::string name = "Q" + std::to_string(tile.q_tile) + " × K" + std::to_string(tile.kv_tile);
  if (tile.state == LabTile::State::Skipped) {
    draw::box(p.list, r, c.hatch_fill, 4 * s, c.cell_line);
    draw::hatch(p.list, r.inset(1), c.hatch, 8 * s, s);
  } else if (m.scores.empty()) {
    draw::box(p.list, r, tile.state == LabTile::State::ToDo ? c.panel : c.done, 4 * s, c.cell_line);
  } else {
    draw_scores(p, m, tile, r, digits, weights);
  }
  if (tile.state == LabTile::State::Now) draw::box(p.list, r.inset(-1 * s), 0, 4 * s, c.now_line, 2.2f * s);
  if (tile.state == LabTile::State::Wrong) draw::box(p.list, r, 0, 4 * s, c.bad, 2 * s);
  static constexpr const char* kWords[] = {"not visited yet", "this visit", "visited, right", "visited, wrong",
                                           "no row sees a key of it"};
  if (!m.own && pointed_at(f, "tile " + name, r)) tooltip(f, name + ": " + kWords[int(tile.state)]);
}

// Weights are 0.00 to 1.00; the learner's own numbers may be longer, and have fewer decimals where two do not fit.
CellDigits digits_for(const Panel& p, const LabMatrixModel& m, float wide, float high) {
  const float margin = 7 * p.s;
  CellDigits out;
  for (out.decimals = 2; out.decimals >= (m.own ? 0 : 2); --out.decimals) {
    std::string longest = signed_number(0, out.decimals);
    for (const double own : m.own ? m.scores : std::vector<double>())
      if (const std::string text = signed_number(own, out.decimals); std::isfinite(own) && text.size() > longest.size())
        longest = text;
    out.font = draw::font_that_fits({&p.fonts.mono_large, &p.fonts.mono, &p.fonts.mono_small}, longest, wide - margin,
                                    high - 2 * p.s);
    if (out.font) {
      out.widest = draw::text_width(*out.font, longest);
      break;
    }
  }
  return out;
}

constexpr std::int64_t kMostInLens = 8;    // rows and columns
constexpr float kLeastBesideLens = 0.45f;  // of the height that the matrix has without a lens
constexpr float kWidestLens = 0.55f;       // of the panel: its legend is at its right
constexpr float kLongestCell = 1.3f;       // the longer side of a cell, over the shorter one

struct Lens {
  std::int64_t rows = 0, cols = 0;  // 0: there is none
  float wide = 0, high = 0;         // of a cell
  const Font* digits = nullptr;
  float width(float s) const { return wide * float(cols) + 8 * s; }
  float height(float s) const { return high * float(rows) + 8 * s; }
};

// A lens for the current tile, before a run for the first, which has too many weights for one if it is larger than
// kMostInLens. Its digits are as large as the height that the matrix leaves allows.
Lens lens_of(const Panel& p, const LabMatrixModel& m, float height) {
  for (const LabTile& tile : m.tiles) {
    if ((tile.state != LabTile::State::Now && !m.before) || m.weights.empty()) continue;
    const std::int64_t cols = std::min(m.bc, m.cols - tile.kv_tile * m.bc),
                       rows = std::int64_t(m.weights.size()) / std::max<std::int64_t>(1, cols);
    if (rows > kMostInLens || cols > kMostInLens) return {};
    Lens out;
    for (const Font* font : {&p.fonts.mono_large, &p.fonts.mono, &p.fonts.mono_small}) {
      out = {rows, cols, draw::text_width(*font, "0.00") + 8 * p.s, font->em + 7 * p.s, font};
      if (out.height(p.s) <= height && out.width(p.s) <= kWidestLens * p.width) break;
    }
    return out;
  }
  return {};
}

// A scale of colours with its words at the right; parts of the words that do not fit are left out.
void draw_scale(Panel& p, float x, float y, float width, const std::string& words) {
  const float s = p.s, scale = std::min(110 * s, width * 0.34f);
  for (int i = 0; i < 12; ++i)
    draw::box(p.list, {x + scale * float(i) / 12, y + 2 * s, x + scale * float(i + 1) / 12, y + 12 * s},
              viridis(float(i) / 11), 0);
  std::string text = words;
  while (draw::text_width(p.fonts.mono_small, text) > width - scale - 10 * s) {
    const std::size_t part = text.rfind("  ·  ");
    if (part == std::string::npos) break;
    text.erase(part);
  }
  draw::text(p.list, p.fonts.mono_small, x + scale + 10 * s, y, p.colours.muted,
             draw::elided(p.fonts.mono_small, text, width - scale - 10 * s));
}

// Draws the weights of the current tile below the matrix, and right of them their name, formula and scale.
void draw_lens(const UiFrame& f, Panel& p, const LabMatrixModel& m, const Lens& lens, float x, float y) {
  const Palette& c = p.colours;
  const float s = p.s;
  const draw::Rect box{x, y, x + lens.width(s), y + lens.height(s)};
  f.ui.rects.put("lens", box);
  draw::box(p.list, box, c.panel, 5 * s, c.now_line, 1.5f * s);
  for (std::int64_t i = 0; i < lens.rows; ++i)
    for (std::int64_t j = 0; j < lens.cols; ++j) {
      const double weight = m.weights[std::size_t(i * lens.cols + j)];
      const draw::Rect cell{x + 4 * s + lens.wide * float(j) + 1, y + 4 * s + lens.high * float(i) + 1,
                            x + 4 * s + lens.wide * float(j + 1) - 1, y + 4 * s + lens.high * float(i + 1) - 1};
      const ImU32 fill = std::isfinite(weight) ? viridis(float(weight)) : c.masked;
      draw::box(p.list, cell, fill, 2 * s);
      if (std::isfinite(weight)) draw::text_in(p.list, *lens.digits, cell, ink_on(fill), signed_number(weight));
    }
  const float words = box.x1 + 12 * s, room = p.x + p.width - words;
  float at = y + 4 * s;
  draw::text(p.list, p.fonts.strong, words, at, c.text, draw::elided(p.fonts.strong, m.weights_title, room));
  at += draw::leading(p.fonts.strong);
  at += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, words, at, room, c.muted, m.weights_formula) + 4 * s;
  draw_scale(p, words, at, room, "0 to 1");
  f.ui.rects.put("lens legend", {words, y, words + room, at + p.fonts.mono_small.size});
}

constexpr double kFilled = 0.75;  // of the flood's time: every tile is green, and the wash fades to a frame

// Green fills one tile after the other, from its left, and fades to a frame with a sign.
void draw_flood(const UiFrame& f, Panel& p, const LabSuccess& m, const std::vector<draw::Rect>& tiles, bool signs) {
  const double t = f.ui.motion || m.held ? m.t : 1;
  const double wash = std::min(1.0, (1 - t) / (1 - kFilled));
  for (std::size_t place = 0; place < m.tiles.size(); ++place) {
    const draw::Rect& r = tiles[m.tiles[place]];
    const double part = std::clamp(t / kFilled * double(m.tiles.size()) - double(place), 0.0, 1.0);
    if (part <= 0) continue;
    const draw::Rect filled{r.x0, r.y0, r.x0 + float(part) * r.width(), r.y1};
    if (wash > 0) draw::box(p.list, filled, with_alpha(p.colours.good, float(0.6 * wash)), 4 * p.s);
    f.ui.rects.put("flood " + std::to_string(m.tiles[place]), filled);
    if (part < 1) continue;
    draw::box(p.list, r, 0, 4 * p.s, p.colours.good, 2 * p.s);
    const float side = 18 * p.s;
    if (!signs || std::min(r.width(), r.height()) < 2 * side) continue;
    const draw::Rect sign{r.x1 - side, r.y1 - side, r.x1, r.y1};
    draw::box(p.list, sign, p.colours.good_fill, 4 * p.s, p.colours.good, 1.5f * p.s);
    draw::sign(p.list, draw::Sign::Check, sign, p.colours.good, 0.9f * p.s);
  }
}

}  // namespace

void draw_lab_matrix_panel(const UiFrame& f, Panel& p) {
  const LabPage& page = *f.views.page<LabPage>();
  if (page.tasks.empty()) return;
  const LabMatrixModel& m = page.matrix;
  const float s = p.s;
  const float caption_y = p.y;
  p.y += 22 * s;
  const float foot = m.scale.empty() ? 0 : 22 * s, bar = draw::text_width(p.fonts.strong, "Q00") + 10 * s,
              head = p.fonts.strong.size + 8 * s;
  const float room_w = p.width - bar, room_h = p.rect.y1 - 24 * s - foot - p.y - head;
  // Cells are higher than wide only where no step has a lens: the matrix keeps its size while the run is walked.
  const float square = room_w / float(m.cols);
  const bool has_lens =
      !m.own && m.br <= kMostInLens && m.bc <= kMostInLens && !digits_for(p, m, square, room_h / float(m.rows)).font;
  float high = std::max(2.0f, std::min(square * (has_lens ? 1 : kLongestCell), room_h / float(m.rows)));
  float wide = std::min(square, kLongestCell * high);
  // Weights that do not fit in their cells are below the matrix, which leaves the lens its height.
  Lens lens = digits_for(p, m, wide, high).font ? Lens() : lens_of(p, m, room_h - high * float(m.rows) - 14 * s);
  const float lens_high = lens.height(s) + 14 * s;
  if (room_h - lens_high < kLeastBesideLens * room_h) lens = {};
  if (lens.rows > 0) {
    high = std::max(2.0f, std::min(high, (room_h - lens_high) / float(m.rows)));
    wide = std::min(square, kLongestCell * high);
  }
  const float left = p.x + bar + std::max(0.0f, (room_w - wide * float(m.cols)) / 2), top = p.y + head;
  const CellDigits digits = digits_for(p, m, wide, high);
  // Weights have one place, beside their own legend: the lens, or else the current tile's cells.
  const bool weights = lens.rows == 0 && !m.weights.empty() && !m.before;
  const std::string title = weights ? m.title_with_weights : m.title;
  p.caption_at(p.x, caption_y, title, p.width);
  f.ui.rects.put("title " + title, {p.x, caption_y, p.x + p.width, caption_y + p.fonts.caption.size});
  f.ui.rects.put("widest number", {left, top, left + digits.widest, top + high});
  f.ui.rects.put("matrix", {left, top, left + wide * float(m.cols), top + high * float(m.rows)});
  const float gap = std::min(3 * s, high * float(std::min(m.br, m.bc)) * 0.06f);
  std::vector<draw::Rect> tiles;
  for (const LabTile& tile : m.tiles) {
    const std::int64_t row = tile.q_tile * m.br, col = tile.kv_tile * m.bc;
    tiles.push_back({left + float(col) * wide + gap, top + float(row) * high + gap,
                     left + float(std::min(col + m.bc, m.cols)) * wide - gap,
                     top + float(std::min(row + m.br, m.rows)) * high - gap});
    const draw::Rect& r = tiles.back();
    const bool now = tile.state == LabTile::State::Now;
    if (tile.kv_tile == 0) {
      const draw::Rect name{left - bar, r.y0, left - 6 * s, r.y1};
      draw::box(p.list, name, mix(hue(p.colours, TensorId::Q), p.colours.panel, 0.6f), 4 * s);
      if (r.height() > p.fonts.strong.em)
        draw::text_in(p.list, p.fonts.strong, name, p.colours.text, "Q" + std::to_string(tile.q_tile));
    }
    if (tile.q_tile == 0) {
      const draw::Rect name{r.x0, top - head, r.x1, top - 5 * s};
      draw::box(p.list, name, mix(hue(p.colours, TensorId::K), p.colours.panel, 0.6f), 4 * s);
      const std::string words = "K" + std::to_string(tile.kv_tile);
      if (name.width() > draw::text_width(p.fonts.strong, words))
        draw::text_in(p.list, p.fonts.strong, name, p.colours.text, words);
    }
    draw_tile(f, p, m, tile, r, now || m.own ? digits : CellDigits(), weights);
  }
  draw_flood(f, p, page.success, tiles, !digits.font);
  p.y = top + high * float(m.rows) + 6 * s;
  if (lens.rows > 0) {
    draw_lens(f, p, m, lens, left - bar, p.y + 4 * s);
    p.y += lens_high;
  }
  if (m.scale.empty()) return;
  const float y = std::max(p.y, p.rect.y1 - 16 * s - p.fonts.mono_small.size);
  const bool formula = weights && !m.weights_formula.empty();
  draw_scale(p, p.x, y, p.width, formula ? m.scale + "  ·  this tile: " + m.weights_formula : m.scale);
  p.y = y + p.fonts.mono_small.size;
}

}  // namespace tilewalk
