// What is beside the score matrix: headings of tiles, numbers of rows and columns, values of Q and K.
#include <algorithm>
#include <cmath>
#include <string>

#include "ui/labels.h"
#include "ui/matrix/number_block.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/scores/scores_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// A bar's colour is paler while its tile is not the current one.
ImU32 head_fill(const Palette& c, TensorId id, bool now) {
  return now ? hue(c, id) : mix(hue(c, id), c.panel, c.dark ? 0.70f : 0.55f);
}

float head_height(const Theme& theme) { return std::max(16 * theme.s, theme.fonts.caption.em + 4); }

}  // namespace

namespace {

struct HeadEnds {
  float begin = 0, end = 0;
};

// The heading of the lifted tile is as long as the tile; those beside it end where it begins.
HeadEnds ends_of(const ScoreBar& bar, float now_begin, float now_end, float gap) {
  if (now_end <= now_begin) return {bar.begin, bar.end};
  if (bar.now) return {now_begin, now_end};
  if (bar.begin < now_begin) return {bar.begin, std::min(bar.end, now_begin - gap)};
  return {std::max(bar.begin, now_end + gap), bar.end};
}

}  // namespace

draw::Rect column_head(const Theme& theme, const ScoresModel& g, const ScoreBar& bar, const draw::Rect& area) {
  const float high = head_height(theme), top = area.y0 + float(g.y0 - g.label_h) - 6 * theme.s - high;
  const bool all = std::none_of(g.col_bars.begin(), g.col_bars.end(), [](const ScoreBar& each) { return each.now; });
  const HeadEnds ends = ends_of(bar, all ? 0 : g.now_x0, all ? 0 : g.now_x1, 5 * theme.s);
  return {area.x0 + ends.begin, top, area.x0 + ends.end, top + high};
}

draw::Rect row_head(const Theme& theme, const ScoresModel& g, const ScoreBar& bar, const draw::Rect& area) {
  // Small windows have letters that are larger than their scale: two digits fit in any.
  const float right = area.x0 + float(g.x0 - g.label_w) - 5 * theme.s,
              left = right - std::max(26 * theme.s, draw::text_width(theme.fonts.tiny, "Q88") + 1);
  const HeadEnds ends = ends_of(bar, g.now_y0, g.now_y1, 5 * theme.s);
  return {left, area.y0 + ends.begin, right, area.y0 + ends.end};
}

void draw_score_heads(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const auto draw_heads = [&](const std::vector<ScoreBar>& bars, TensorId id, bool query) {
    const auto rect = [&](const ScoreBar& bar) {
      return query ? row_head(p.theme, g, bar, area) : column_head(p.theme, g, bar, area);
    };
    const auto short_label = [](const ScoreBar& bar) { return bar.label.substr(0, bar.label.find(' ')); };
    // Bars of rows have one width: "Q63" is written smaller where it would be too wide.
    const bool narrow = query && std::any_of(bars.begin(), bars.end(), [&](const ScoreBar& bar) {
                          return draw::text_width(p.fonts.caption, short_label(bar)) > rect(bar).width();
                        });
    const Font& font = narrow ? p.fonts.tiny : p.fonts.caption;
    // One form for all labels; where not even the short one fits, every nth bar has it, with space between two of them.
    float longest = 0, brief = 0, room = 1e9f;
    for (const ScoreBar& bar : bars) {
      longest = std::max(longest, draw::text_width(font, bar.label));
      brief = std::max(brief, draw::text_width(font, short_label(bar)));
    }
    for (const ScoreBar& bar : bars)  // those cut by the edge of the view do not count
      if (bars.size() < 3 || (&bar != &bars.front() && &bar != &bars.back()))
        room = std::min(room, bar.end - bar.begin);
    const float need = query ? font.em : brief + 2 * p.s;
    const std::int64_t nth = sparse_label_stride(need, std::max(1.0f, room), query ? 3 : 1.6f);
    for (const ScoreBar& bar : bars) draw::box(p.list, rect(bar), head_fill(p.colours, id, bar.now), 3 * p.s);
    const auto label_of = [&](const ScoreBar& bar) {
      return longest + 2 * p.s <= rect(bar).width() ? bar.label : short_label(bar);
    };
    // Wider than its bar by this at each end.
    const auto beyond = [&](const ScoreBar& bar) {
      const draw::Rect r = rect(bar);
      return ((query ? font.em : draw::text_width(font, label_of(bar))) - (query ? r.height() : r.width())) / 2;
    };
    const auto place = [&](const ScoreBar& bar) {
      const draw::Rect r = rect(bar);
      const float by = std::max(0.0f, beyond(bar));
      return query ? draw::Rect{r.x0, r.y0 - by, r.x1, r.y1 + by} : draw::Rect{r.x0 - by, r.y0, r.x1 + by, r.y1};
    };
    const auto at_hand = std::find_if(bars.begin(), bars.end(), [](const ScoreBar& bar) { return bar.now; });
    for (const ScoreBar& bar : bars) {
      const draw::Rect r = rect(bar), at = place(bar);
      const bool every = nth > 1;
      if (bar.label.empty() || (bar.tile % nth != 0 && !bar.now) || (query && brief > r.width())) continue;
      if (beyond(bar) > 0 && !every) continue;  // a bar cut by the edge
      if (every && !bar.now && at_hand != bars.end() && !at_hand->label.empty() &&
          place(*at_hand).inset(-2 * p.s).touches(at))
        continue;
      const std::string label = label_of(bar);
      if (every && bar.now) draw::box(p.list, at.inset(-p.s), head_fill(p.colours, id, true), 3 * p.s);
      const ImU32 fill = head_fill(p.colours, id, bar.now);
      draw::text_in(p.list, font, at, bar.now ? ink_on(fill) : mix(ink_on(fill), fill, 0.3f), label);
      note_label(f, query ? bar.tile : -1, query ? -1 : bar.tile, "head", r);
      f.ui.rects.put((query ? "row head " : "column head ") + std::to_string(bar.tile), at);
    }
  };
  draw_heads(g.col_bars, TensorId::K, false);
  draw_heads(g.row_bars, TensorId::Q, true);
}

namespace {

// Numbers along an edge, at the middles of their cells; every nth where all would touch.
struct EdgeNumbers {
  std::int64_t first = 0, count = 0;
  float begin = 0, px = 0;  // position of the first cell, and its size
};

void draw_row_numbers(const UiFrame& f, Panel& p, const ScoresModel& g, const EdgeNumbers& of, float right, float low,
                      float high) {
  const Font& font = p.fonts.tiny;
  const std::int64_t n = sparse_label_stride(font.em, of.px);
  for (std::int64_t i = 0; i < of.count; ++i) {
    const float middle = of.begin + (float(i) + 0.5f) * of.px;
    if ((of.first + i) % n != 0 || middle < low || middle > high) continue;
    const std::string number = std::to_string(of.first + i);
    const float top = middle - font.size / 2;
    draw::text_right(p.list, font, right, top, of.first + i == g.named_row ? p.colours.text : p.colours.muted, number);
    note_label(f, of.first + i, std::int64_t(right), "row number",
               {right - draw::text_width(font, number), top, right, top + font.size});
  }
}

// The column whose cell is on its way, else the one that the sentence names.
std::int64_t column_now(const UiFrame& f, const ScoresModel& g) {
  if (const std::optional<Moving> m = moving(f))
    for (const MovingValues& v : m->motion.values)
      if (const auto ring = v.ringed(m->t); ring && v.shape == QuantityShape::Cell && v.named_row >= 0)
        return ring->second;
  return g.named_col;
}

void draw_column_numbers(const UiFrame& f, Panel& p, const ScoresModel& g, const EdgeNumbers& of, float low, float left,
                         float right) {
  const Font& font = p.fonts.tiny;
  const std::int64_t n = label_stride(draw::text_width(font, std::to_string(of.first + of.count - 1)) + 4 * p.s, of.px),
                     now = column_now(f, g);
  for (std::int64_t i = 0; i < of.count; ++i) {
    const float middle = of.begin + (float(i) + 0.5f) * of.px;
    if ((of.first + i) % n != 0 || middle < left || middle > right) continue;
    draw::text_in(p.list, font, {middle - of.px, low - std::max(float(g.label_h), font.em), middle + of.px, low},
                  of.first + i == now ? p.colours.text : p.colours.muted, std::to_string(of.first + i));
  }
}

}  // namespace

void draw_tile_numbers(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& r, const ScoreTile& t) {
  draw_row_numbers(f, p, g, {t.row_begin, t.rows, r.y0, r.height() / float(t.rows)}, r.x0 - 5 * p.s, r.y0, r.y1);
  draw_column_numbers(f, p, g, {t.col_begin, t.cols, r.x0, r.width() / float(t.cols)},
                      r.y0 - (g.cells_drawn ? 3 : 7) * p.s, r.x0, r.x1);
}

void draw_matrix_numbers(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const State& state = f.session.state();
  if (g.label_w <= 0 || g.now_q_tile < 0 || !state.started || !g.cells_drawn) return;
  const Tiling& tiling = f.session.problem().tiling;
  const Shape& shape = f.session.problem().shape;
  const std::int64_t r0 = g.now_q_tile * tiling.br;
  draw_row_numbers(
      f, p, g,
      {r0, std::min(tiling.br, shape.n_q - r0), area.y0 + float(g.now_rows.at(double(r0))), float(g.now_rows.px)},
      area.x0 + float(g.x0) - 5 * p.s, area.y0 + float(g.y0), area.y0 + float(g.y1));
  if (const std::optional<Moving> m = moving(f))
    m->places.at[{PlaceKind::Lane}] = {area.x0 + float(g.x0), area.y0 + float(g.y0 - g.label_h) - 6 * p.s,
                                       area.x0 + float(g.x1), area.y0 + float(g.y0)};
  f.ui.rects.put("row numbers", {area.x0 + float(g.x0 - g.label_w), area.y0 + float(g.y0), area.x0 + float(g.x0),
                                 area.y0 + float(g.y1)});
  const bool whole = whole_rows_at_hand(state);
  if (g.now_kv_tile < 0 && !whole) return;
  const std::int64_t c0 = whole ? 0 : g.now_kv_tile * tiling.bc,
                     count = whole ? shape.n_kv : std::min(tiling.bc, shape.n_kv - c0);
  draw_column_numbers(f, p, g, {c0, count, area.x0 + float(g.now_cols.at(double(c0))), float(g.now_cols.px)},
                      area.y0 + float(g.y0) - 2 * p.s, area.x0 + float(g.x0), area.x0 + float(g.x1));
  const float begin = area.x0 + float(g.now_cols.at(double(c0)));
  note_label(
      f, -1, c0, "columns",
      {begin, area.y0 + float(g.y0 - g.label_h), begin + float(count) * float(g.now_cols.px), area.y0 + float(g.y0)});
}

namespace {

// Rows keep the height that numbers need; then the block is higher than its tile.
float left_row_height(const ScoresModel& g) {
  const float high = float(g.operand_h);
  return std::max(high, std::min(high * 3.5f, float(g.now_rows.px)));
}

// The values of the upper operand: a column for each column of its tile.
struct AboveBlock {
  float left = 0, top = 0;
  float pitch = 0, value_w = 0;  // from column to column; of a value
};

// named: the space that its name needs at its left. fits: all of its numbers fit in the columns of the matrix.
std::optional<AboveBlock> above_block(const Panel& p, const ScoresModel& g, const draw::Rect& area, float named,
                                      bool fits) {
  if (g.above.empty()) return std::nullopt;
  const float wide = float(g.operand_w), tall = float(g.operand_h) * float(g.above.d);
  const float px = float(g.now_cols.px), w = std::max(fits ? 0 : wide, std::min(wide * 2, px)), pitch = std::max(w, px),
              block = pitch * float(g.above.rows);
  const float middle = area.x0 + float(g.now_cols.at(double(g.above.row_begin) + double(g.above.rows) / 2));
  // A block that is wider than its tile stays in the panel, and free of its name.
  const float left = pitch > px
                         ? std::clamp(middle - block / 2, area.x0 + named, std::max(area.x0 + named, area.x1 - block))
                         : middle - block / 2;
  const float low = area.y0 + float(g.y0 - g.label_h) - 10 * p.s - head_height(p.theme);
  return AboveBlock{left, low - tall, pitch, w};
}

}  // namespace

std::optional<draw::Rect> left_operand_rect(const ScoresModel& g, const draw::Rect& area, float s) {
  if (g.left.empty()) return std::nullopt;
  const float pitch = std::max(left_row_height(g), float(g.now_rows.px)),
              right = area.x0 + float(g.x0 - g.label_w) - 35 * s, half = pitch * float(g.left.rows) / 2,
              middle = area.y0 + float(g.now_rows.at(double(g.left.row_begin) + double(g.left.rows) / 2));
  return draw::Rect{right - float(g.operand_w) * float(g.left.d), middle - half, right, middle + half};
}

void draw_score_operands(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const auto& selection = f.session.walk().selection();
  const Problem& problem = f.session.problem();
  const Font& font = p.fonts.mono_small;
  const std::optional<Moving> m = moving(f);
  const float wide = float(g.operand_w), high = float(g.operand_h);
  const auto style_of = [&](const OperandTile& tile, float w, float h) {
    return number_style(problem, tile.values, w - 2, h - 2, {{&font, -1, -2}});
  };
  const auto cell = [&](const OperandTile& tile, const NumberStyle& style, const draw::Rect& r, std::int64_t row,
                        std::int64_t x, bool chosen) {
    if (m) m->places.at[{PlaceKind::Operand, int(tile.tensor), row, x}] = r;
    if (m && waits_for_row(m->motion, tile, row, m->t))
      return draw_awaited(p.list, r.inset(1), hue(p.colours, tile.tensor), 2 * p.s, p.s);
    const bool idle = is_idle(m, tile.tensor);
    const ImU32 hued = mix(hue(p.colours, tile.tensor), p.colours.panel, chosen && !idle ? 0.45f : 0.75f);
    const auto [fill, ink] = look_of_cell(p.colours, hued, idle);
    const draw::Rect inner{std::round(r.x0) + 1, std::round(r.y0) + 1, std::round(r.x1) - 1, std::round(r.y1) - 1};
    draw::box(p.list, inner, fill, 2 * p.s);
    if (style.font) draw::text_in(p.list, *style.font, inner, ink, style.of(problem, tile.at(row, x)));
  };
  const auto is_chosen = [&](std::int64_t selected, std::int64_t named, std::int64_t at) {
    return at == named || (selection && at == selected);
  };
  const auto name = [&](const OperandTile& tile) { return tile_name(tile.tensor, tile.tile); };
  if (const std::optional<draw::Rect> place = left_operand_rect(g, area, p.s)) {
    const draw::Rect block = *place;
    const float tall = left_row_height(g), pitch = block.height() / float(g.left.rows), x0 = block.x0, right = block.x1;
    const NumberStyle style = style_of(g.left, wide, tall);
    draw::Rect shown{1e9f, 1e9f, 0, 0};
    for (std::int64_t i = 0; i < g.left.rows; ++i) {
      const std::int64_t row = g.left.row_begin + i;
      const float at = block.y0 + (float(i) + 0.5f) * pitch;
      if (at < area.y0 || at > area.y1) continue;
      for (std::int64_t x = 0; x < g.left.d; ++x) {
        const draw::Rect r{x0 + float(x) * wide, at - tall / 2, x0 + float(x + 1) * wide, at + tall / 2};
        cell(g.left, style, r, row, x, is_chosen(selection ? selection->row : -1, g.named_row, row));
        shown = shown.joined(r);
      }
      if (row != g.named_row) continue;
      mark_named_row(p.list, p.colours, {x0, at - tall / 2, right, at + tall / 2}, p.s);
      f.ui.rects.put("named row left", {x0, at - tall / 2, right, at + tall / 2});
    }
    if (shown.x1 > 0) {
      f.ui.rects.put("values left", shown);
      if (style.font) f.ui.rects.put("numbers left", shown);
      draw::text(p.list, p.fonts.tiny, shown.x0 + 2 * p.s, shown.y0 - p.fonts.tiny.size - 1 * p.s, p.colours.muted,
                 name(g.left));
    }
  }
  const float named = draw::text_width(p.fonts.tiny, name(g.above)) + 6 * p.s;
  const std::optional<AboveBlock> at =
      above_block(p, g, area, named, style_of(g.above, float(g.now_cols.px), high).font);
  if (!at) return;
  const float w = at->value_w, top = at->top, low = top + high * float(g.above.d);
  const NumberStyle style = style_of(g.above, w, high);
  const std::int64_t named_above = g.reads_above ? g.named_col : -1;
  draw::Rect shown{1e9f, 1e9f, 0, 0};
  for (std::int64_t i = 0; i < g.above.rows; ++i) {
    const std::int64_t col = g.above.row_begin + i;
    const float middle = at->left + (float(i) + 0.5f) * at->pitch;
    if (middle < area.x0 || middle > area.x1) continue;
    for (std::int64_t x = 0; x < g.above.d; ++x) {
      const draw::Rect r{middle - w / 2, top + float(x) * high, middle + w / 2, top + float(x + 1) * high};
      cell(g.above, style, r, col, x, is_chosen(selection ? selection->col : -1, named_above, col));
      shown = shown.joined(r);
    }
    if (col == named_above) mark_named_row(p.list, p.colours, {middle - w / 2, top, middle + w / 2, low}, p.s);
  }
  if (shown.x1 <= 0) return;
  f.ui.rects.put("values above", shown);
  if (style.font) f.ui.rects.put("numbers above", shown);
  draw::text_right(p.list, p.fonts.tiny, shown.x0 - 4 * p.s, shown.y0 + (high - p.fonts.tiny.size) / 2, p.colours.muted,
                   name(g.above));
}

}  // namespace tilewalk
