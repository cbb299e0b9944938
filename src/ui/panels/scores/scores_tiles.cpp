// Tiles of scores, in the matrix and in the lens beside it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "ui/matrix/number_block.h"
#include "ui/mistake_marks.h"
#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/scores/scores_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr float kLeastBlock = 4;  // pixels, of what has a colour of its own in the lens

// Cells that the mask leaves out: −∞ in S, a zero by rule in P and dS.
bool is_left_out(const ScoreCell& cell) { return cell.masked && (!std::isfinite(cell.value) || cell.value == 0); }

ImU32 cell_fill(const Palette& c, const ScoresModel& g, const ScoreCell& cell, bool now) {
  if (is_left_out(cell)) return c.masked;
  if (now && g.signed_map) return diverging(c, cell.value / g.now_high);
  const float low = now ? g.now_low : g.low, high = now ? g.now_high : g.high;
  const ImU32 colour = viridis((cell.value - low) / (high - low));
  return now ? colour : quiet_score(c, colour);
}

// Digits grow with their cells; in small cells the space around them shrinks.
NumberStyle style_for(const UiFrame& f, const ScoresModel& g, const ScoreTile& t, const ScoreTile* was, float wide,
                      float high) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s;
  const bool now = t.state == TileState::Now;
  if (!now && wide < 1.25f * figure_width(f.theme)) return {};
  std::vector<float> values;
  const auto add = [&](const ScoresModel& of, std::size_t first) {
    for (std::size_t i = 0; i < std::size_t(t.rows * t.cols); ++i)
      if (of.cells[first + i].known && !is_left_out(of.cells[first + i])) values.push_back(of.cells[first + i].value);
  };
  add(g, t.first_cell);
  if (was) add(before_step(f).scores, was->first_cell);
  return number_style(f.session.problem(), values, wide, high,
                      {{&fonts.mono_large, 8 * s, 6 * s}, {&fonts.mono, 8 * s, 4 * s}, {&fonts.mono_small, -0.5f, 0}});
}

bool has_word(const Panel& p, const draw::Rect& r, const char* word) {
  return r.width() >= draw::text_width(p.fonts.tiny, word) + 12 * p.s && r.height() >= 24 * p.s;
}

draw::Rect now_rect(const ScoresModel& g, const draw::Rect& area) {
  return {area.x0 + g.now_x0, area.y0 + g.now_y0, area.x0 + g.now_x1, area.y0 + g.now_y1};
}

// One word in the middle of a tile, where it fits beside the lifted tile.
void draw_word(const UiFrame& f, Panel& p, const ScoreTile& t, const draw::Rect& r, const char* word, ImU32 ground) {
  const draw::Rect now = now_rect(f.views.page<WalkPage>()->scores, scores_area(p.rect, f.theme));
  const float s = p.s, w = draw::text_width(p.fonts.tiny, word);
  const float cx = (r.x0 + r.x1) / 2, cy = (r.y0 + r.y1) / 2, half = p.fonts.tiny.size / 2 + 2 * s;
  const draw::Rect label{cx - w / 2 - 5 * s, cy - half, cx + w / 2 + 5 * s, cy + half};
  if (!has_word(p, r, word) || label.touches(now.inset(-4 * s))) return;
  draw::box(p.list, label, ground, 4 * s);
  draw::text_in(p.list, p.fonts.tiny, r, p.colours.muted, word);
  note_label(f, t.row_begin, t.col_begin, word, label);
  f.ui.rects.put(fmt::format("word {} {} {}", word, t.row_begin, t.col_begin), label);
}

// The parts of a skipped tile beside the lifted tile, and above or below it.
void note_skipped(const UiFrame& f, const ScoreTile& t, const draw::Rect& r, const draw::Rect& now) {
  const std::optional<Moving> m = moving(f);
  if (!m) return;
  draw::Rect beside = r, above = r;
  if (r.touches(now)) {
    if (r.x0 < now.x0)
      beside.x1 = now.x0;
    else
      beside.x0 = std::min(now.x1, r.x1);
    if (r.y0 < now.y0)
      above.y1 = now.y0;
    else
      above.y0 = std::min(now.y1, r.y1);
  }
  m->places.at[{PlaceKind::Skipped, 0, t.row_begin, t.col_begin}] = beside;
  m->places.at[{PlaceKind::Skipped, 1, t.row_begin, t.col_begin}] = above;
}

void draw_skipped(const UiFrame& f, Panel& p, const ScoreTile& t, const draw::Rect& r) {
  const float s = p.s;
  note_skipped(f, t, r, now_rect(f.views.page<WalkPage>()->scores, scores_area(p.rect, f.theme)));
  draw::box(p.list, r, p.colours.hatch_fill, 4 * s, p.colours.cell_line);
  // A large area of lines at full contrast would outweigh the tile in work; where its word does not fit, it is small.
  const bool large = has_word(p, r, "skipped");
  const ImU32 ink = large ? mix(p.colours.hatch, p.colours.hatch_fill, 0.5f) : p.colours.hatch;
  draw::hatch(p.list, r.inset(1), ink, 8 * s, 1 * s);
  // The outline of the explained row, and its tag, cross no word; the legend names the hatch.
  const std::optional<ExplainedRow>& explained = f.views.page<WalkPage>()->explained;
  if (explained && t.row_begin <= explained->row && explained->row < t.row_begin + t.rows) return;
  draw_word(f, p, t, r, "skipped", p.colours.hatch_fill);
}

// The same tile before the step; null where nothing moves, or the tile had no values.
const ScoreTile* tile_before(const UiFrame& f, const ScoreTile& t) {
  if (!moving(f)) return nullptr;
  for (const ScoreTile& was : before_step(f).scores.tiles)
    if (was.q_tile == t.q_tile && was.kv_tile == t.kv_tile && was.rows == t.rows && was.cols == t.cols) return &was;
  return nullptr;
}

// A weight grows from its score: a bar from the foot of the cell, as high as the weight.
void draw_growing(Panel& p, const draw::Rect& c, ImU32 fill, float weight, float share) {
  const float high = c.height() * std::clamp(weight, 0.0f, 1.0f) * share;
  draw::box(p.list, {c.x0, c.y1 - high, c.x1, c.y1}, fill, 2 * p.s, p.colours.now_line, p.s);
}

// The tile of the visit before.
std::optional<DissolvingTile> dissolving_of(const UiFrame& f, const ScoreTile& t) {
  const std::optional<Moving> m = moving(f);
  if (!m || m->t >= 1) return std::nullopt;
  const std::optional<DissolvingTile>& last = m->motion.dissolving;
  return last && last->tile.q_tile == t.q_tile && last->tile.kv_tile == t.kv_tile ? last : std::nullopt;
}

draw::Rect rect_of(const ScoresModel& g, const ScoreTile& t, const draw::Rect& area) {
  if (t.state != TileState::Now) return {area.x0 + t.x0, area.y0 + t.y0, area.x0 + t.x1, area.y0 + t.y1};
  const draw::Rect all = cells_rect(g, area, t.row_begin, t.row_begin + t.rows, t.col_begin, t.col_begin + t.cols);
  const float gap_x = t.x0 - float(g.cols.at(double(t.col_begin))),
              gap_y = t.y0 - float(g.rows.at(double(t.row_begin)));
  return {all.x0 + gap_x, all.y0 + gap_y, all.x1 - gap_x, all.y1 - gap_y};
}

void draw_dissolving(const UiFrame& f, Panel& p, const ScoreTile& t, const draw::Rect& area) {
  const std::optional<Moving> m = moving(f);
  const std::optional<DissolvingTile> dissolving = dissolving_of(f, t);
  const ScoreTile* was = tile_before(f, t);
  if (!m || !dissolving || !was) return;
  const draw::Rect all = rect_of(before_step(f).scores, *was, area);
  const float wide = all.width() / float(t.cols), high = all.height() / float(t.rows);
  for (std::int64_t i = 0; i < t.rows; ++i)
    for (std::int64_t j = 0; j < t.cols; ++j) {
      const ScoreCell& cell = before_step(f).scores.cells[was->first_cell + std::size_t(i * t.cols + j)];
      const float gone = float(dissolving->of(t.row_begin + i, t.col_begin + j).share(m->t));
      if (!cell.known || is_left_out(cell) || gone >= 1) continue;
      const float x = all.x0 + float(j) * wide, y = all.y0 + float(i) * high;
      draw::specks(p.list, draw::Rect{x, y, x + wide, y + high}.inset(1),
                   cell_fill(p.colours, before_step(f).scores, cell, true), gone);
    }
}

// A tile that was used and is in no memory: an empty outline.
void draw_gone(const UiFrame& f, Panel& p, const ScoreTile& t, const draw::Rect& r) {
  const float s = p.s, wide = r.width() / float(t.cols), high = r.height() / float(t.rows);
  const ImU32 ink = mix(p.colours.muted, p.colours.panel, 0.35f);
  if (std::min(wide, high) < 9 * s) draw::box(p.list, r, mix(p.colours.panel, p.colours.muted, 0.1f), 0);
  if (std::min(r.width(), r.height()) < 10 * s) return;
  f.ui.rects.put("gone tile", r);
  draw::dashed(p.list, r.inset(s), ink, {.length = 4 * s, .thickness = s});
  draw_gone_word(f, p, t, r);
}

struct CellRoom {  // of a tile's cells on screen
  float wide = 0, high = 0, gap = 0, round = 0;
};

CellRoom cell_room(const ScoreTile& t, const draw::Rect& r, float s) {
  const float wide = r.width() / float(t.cols), high = r.height() / float(t.rows), least = std::min(wide, high);
  return {wide, high, least > 14 ? std::max(1.0f, s) : least > 5 ? 0.5f : 0.0f, least > 14 ? 2 * s : 0};
}

NumberStyle style_in(const UiFrame& f, const ScoresModel& g, const ScoreTile& t, const draw::Rect& r) {
  const CellRoom room = cell_room(t, r, f.theme.s);
  const ScoreTile* was = t.state == TileState::Now ? tile_before(f, t) : nullptr;
  return style_for(f, g, t, was, room.wide - 2 * room.gap, room.high - 2 * room.gap);
}

// The row and the cell that the sentence names.
void draw_named(const UiFrame& f, Panel& p, const ScoresModel& g, const ScoreTile& t, const draw::Rect& r) {
  const std::int64_t row = g.named_row - t.row_begin, col = g.named_col - t.col_begin, key = g.named_key - t.col_begin;
  if (t.state != TileState::Now) return;
  const float wide = r.width() / float(t.cols), high = r.height() / float(t.rows);
  if (key >= 0 && key < t.cols) {
    const draw::Rect column{r.x0 + float(key) * wide, r.y0, r.x0 + float(key + 1) * wide, r.y1};
    mark_named_row(p.list, p.colours, column, p.s);
    f.ui.rects.put("named key", column);
  }
  if (row < 0 || row >= t.rows) return;
  const draw::Rect named_row{r.x0, r.y0 + float(row) * high, r.x1, r.y0 + float(row + 1) * high};
  mark_named_row(p.list, p.colours, named_row, p.s);
  f.ui.rects.put("named row", named_row);
  if (col < 0 || col >= t.cols || moving(f)) return;
  const draw::Rect cell{r.x0 + float(col) * wide, r.y0 + float(row) * high, r.x0 + float(col + 1) * wide,
                        r.y0 + float(row + 1) * high};
  draw::box(p.list, cell, 0, 2 * p.s, p.colours.now_line, 2 * p.s);
  f.ui.rects.put("named cell", cell);
}

// A cell that the mask closes: a shutter comes down over its number.
void draw_closing(Panel& p, const draw::Rect& c, float round, float share) {
  if (share <= 0) return;
  const float low = c.y0 + c.height() * share;
  draw::box(p.list, {c.x0, c.y0, c.x1, low}, p.colours.masked, round);
  p.list->AddLine(ImVec2(c.x0, low), ImVec2(c.x1, low), p.colours.now_line, 1.5f * p.s);
}

// The row that the mask is at: its cells close, or it goes on to the next.
void draw_row_at_mask(const UiFrame& f, Panel& p, const MovingValues& mask, const ScoreTile& t, const draw::Rect& r,
                      double at) {
  for (std::int64_t i = 0; i < t.rows; ++i) {
    const Span& all = mask.span;
    const double each = (all.end - all.begin) / double(t.rows);
    const Span span{all.begin + each * double(i), all.begin + each * double(i + 1)};
    if (!span.is_under_way(at)) continue;
    const float high = r.height() / float(t.rows);
    const draw::Rect row{r.x0, r.y0 + high * float(i), r.x1, r.y0 + high * float(i + 1)};
    mark_named_row(p.list, p.colours, row, p.s);
    f.ui.rects.put("row at the mask", row);
  }
}

void draw_cells(const UiFrame& f, Panel& p, const ScoresModel& g, const ScoreTile& t, const draw::Rect& r,
                const NumberStyle& style, bool grey = false) {
  const float s = p.s;
  const bool now = t.state == TileState::Now;
  const auto [w, h, gap, round] = cell_room(t, r, s);
  const std::optional<Moving> m = now ? moving(f) : std::nullopt;
  const ScoreTile* was = m ? tile_before(f, t) : nullptr;
  const Motion* const motion = m ? &m->motion : nullptr;
  MovingPlaces* const places = m ? &m->places : nullptr;
  const double at = m ? m->t : 1;
  const MovingValues* made = motion ? motion->of(g.shown) : nullptr;
  if (now && style.font) f.ui.rects.put("numbers", r);
  for (std::int64_t i = 0; i < t.rows; ++i)
    for (std::int64_t j = 0; j < t.cols; ++j) {
      const std::int64_t row = t.row_begin + i, col = t.col_begin + j;
      const bool waits = was && motion && !motion->has_landed(g.shown, row, col, at);
      const ScoresModel& of = waits ? before_step(f).scores : g;
      const ScoreCell& cell = of.cells[(waits ? was->first_cell : t.first_cell) + std::size_t(i * t.cols + j)];
      draw::Rect c{r.x0 + float(j) * w + gap, r.y0 + float(i) * h + gap, r.x0 + float(j + 1) * w - gap,
                   r.y0 + float(i + 1) * h - gap};
      if (gap >= 1)  // whole pixels, for even borders
        c = {std::round(c.x0), std::round(c.y0), std::round(c.x1), std::round(c.y1)};
      if (places) places->at[{PlaceKind::Score, int(g.shown), row, col}] = c;
      if (now && style.font && f.session.hand().on()) {
        const HandPlace asked{g.shown, row, col};
        if (draw_hand_field(f, asked, c, *style.font)) continue;
      }
      if (!cell.known) {
        if (places) places->blank.push_back(c);
        if (cell.masked)
          draw::box(p.list, c, p.colours.masked, round);
        else
          draw::box(p.list, c, p.colours.panel, round, p.colours.cell_line);
        continue;
      }
      const ImU32 fill = grey && !is_left_out(cell) ? p.colours.button : cell_fill(p.colours, of, cell, now);
      draw::box(p.list, c, fill, round, cell.wrong ? ink_of_mistake(f, p.colours) : 0, 2 * s);
      if (is_left_out(cell) && std::min(w, h) > 9 * s) {
        const float dot = std::round(3 * s), x = std::round((c.x0 + c.x1 - dot) / 2),
                    y = std::round((c.y0 + c.y1 - dot) / 2);
        draw::box(p.list, {x, y, x + dot, y + dot}, p.colours.faint, 0);
      } else if (style.font && !is_left_out(cell)) {
        draw::text_in(p.list, *style.font, c, ink_on(fill), style.of(f.session.problem(), cell.value));
      }
      if (waits && made && made->masks() && made->does_change(row, col))
        draw_closing(p, c, round, float(made->of(row, col).share(at)));
      if (waits && g.shown != of.shown && made->of(row, col).has_begun(at)) {
        const ScoreCell& next = g.cells[t.first_cell + std::size_t(i * t.cols + j)];
        if (next.known && !is_left_out(next))
          draw_growing(p, c, cell_fill(p.colours, g, next, true), next.value, float(made->of(row, col).share(at)));
      }
    }
  if (made && made->masks() && t.rows * t.cols <= kInTurn) draw_row_at_mask(f, p, *made, t, r, at);
  draw_named(f, p, g, t, r);
}

// A tile of more cells than can be told apart: blocks of cells, each with the colour of one of them, which is the one
// that the sentence names where that is in the block.
void draw_blocks(const UiFrame& f, Panel& p, const ScoresModel& g, const ScoreTile& t, const draw::Rect& r,
                 std::int64_t side) {
  const std::optional<Moving> m = moving(f);
  const ScoreTile* was = m ? tile_before(f, t) : nullptr;
  const MovingValues* const made = was ? m->motion.of(g.shown) : nullptr;
  const float wide = r.width() / float(t.cols), high = r.height() / float(t.rows);
  const auto one_of = [&](std::int64_t begin, std::int64_t named) {
    return named >= begin && named < begin + side ? named : begin;
  };
  for (std::int64_t i = 0; i < t.rows; i += side)
    for (std::int64_t j = 0; j < t.cols; j += side) {
      const std::int64_t row = one_of(i, g.named_row - t.row_begin), col = one_of(j, g.named_col - t.col_begin);
      const bool waits = made && !m->motion.has_landed(g.shown, t.row_begin + row, t.col_begin + col, m->t);
      const ScoresModel& of = waits ? before_step(f).scores : g;
      const ScoreCell& cell = of.cells[(waits ? was->first_cell : t.first_cell) + std::size_t(row * t.cols + col)];
      const ImU32 fill = cell.wrong   ? ink_of_mistake(f, p.colours)
                         : cell.known ? cell_fill(p.colours, of, cell, true)
                                      : p.colours.panel;
      draw::box(p.list,
                {r.x0 + float(j) * wide, r.y0 + float(i) * high, r.x0 + float(std::min(j + side, t.cols)) * wide,
                 r.y0 + float(std::min(i + side, t.rows)) * high},
                fill, 0);
    }
  const std::int64_t key = g.named_key - t.col_begin, left = key / side * side;
  if (g.named_key >= 0 && key >= 0 && key < t.cols) {
    const float right = r.x0 + float(std::min(left + side, t.cols)) * wide;
    const draw::Rect column = draw::Rect{r.x0 + float(left) * wide, r.y0, right, r.y1}.inset(-2 * p.s);
    mark_named_row(p.list, p.colours, column, p.s);
    f.ui.rects.put("named key", column);
  }
  const std::int64_t named = g.named_row - t.row_begin, first = named / side * side;
  if (g.named_row < 0 || named < 0 || named >= t.rows) return;
  const float top = r.y0 + float(first) * high, low = r.y0 + float(std::min(first + side, t.rows)) * high;
  const draw::Rect row = draw::Rect{r.x0, top, r.x1, low}.inset(-2 * p.s);
  mark_named_row(p.list, p.colours, row, p.s);
  f.ui.rects.put("named row", row);
}

std::int64_t block_side(const draw::Rect& cells, const ScoreTile& t, float s) {
  const float least = std::min(cells.width() / float(t.cols), cells.height() / float(t.rows));
  return std::max<std::int64_t>(1, std::int64_t(std::ceil(kLeastBlock * s / least)));
}

// The current tile lies above its neighbours: its shadow, and what it covers.
void draw_lift(Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const draw::Rect r = now_rect(g, area);
  for (const float by : {9.0f, 6.0f, 3.0f})
    draw::box(p.list, r.inset(-by * p.s), with_alpha(IM_COL32(0, 0, 0, 255), p.colours.dark ? 0.22f : 0.05f),
              (by + 4) * p.s);
  draw::box(p.list, r, p.colours.panel, 5 * p.s);
}

// From the tile in the matrix, where it is a point, to the lens.
void draw_lens_lines(Panel& p, const ScoresModel& g, const draw::Rect& area, const draw::Rect& lens) {
  const ImU32 ink = with_alpha(p.colours.now_line, 0.3f);
  const float right = area.x0 + g.now_x1;
  p.list->AddLine({right, area.y0 + g.now_y0}, {lens.x0, lens.y0}, ink, p.s);
  p.list->AddLine({right, area.y0 + g.now_y1}, {lens.x0, lens.y1}, ink, p.s);
}

}  // namespace

ImU32 quiet_score(const Palette& c, ImU32 colour) { return mix(colour, c.panel, c.dark ? 0.45f : 0.35f); }

void mark_named_row(ImDrawList* list, const Palette& c, const draw::Rect& r, float s) {
  draw::box(list, r, 0, 3 * s, c.now_line, 1.6f * s);
}

draw::Rect cells_rect(const ScoresModel& g, const draw::Rect& area, std::int64_t row, std::int64_t row_end,
                      std::int64_t col, std::int64_t col_end) {
  const ScoresAxis &rows = g.rows_at(double(row), double(col)), &cols = g.cols_at(double(row), double(col));
  return {area.x0 + float(cols.at(double(col))), area.y0 + float(rows.at(double(row))),
          area.x0 + float(cols.at(double(col_end))), area.y0 + float(rows.at(double(row_end)))};
}

void draw_other_tiles(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area, bool grey) {
  for (const ScoreTile& t : g.tiles) {
    const draw::Rect r = rect_of(g, t, area);
    if (t.state == TileState::Skipped)
      draw_skipped(f, p, t, r);
    else if (t.state == TileState::Done && g.gone)
      draw_gone(f, p, t, r);
    else if (t.state != TileState::Now)
      draw_cells(f, p, g, t, r, style_in(f, g, t, r), grey);
  }
  for (const ScoreTile& t : g.tiles)
    if (t.state != TileState::Now) draw_dissolving(f, p, t, area);
}

void draw_current_tile(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  if (g.now_rows.px > g.rows.px || g.now_cols.px > g.cols.px) draw_lift(p, g, area);
  for (const ScoreTile& t : g.tiles)
    if (t.state == TileState::Now) draw_cells(f, p, g, t, rect_of(g, t, area), style_in(f, g, t, rect_of(g, t, area)));
}

void draw_gone_word(const UiFrame& f, Panel& p, const ScoreTile& t, const draw::Rect& r) {
  if (!dissolving_of(f, t)) draw_word(f, p, t, r, "gone", p.colours.panel);
}

std::optional<LensPlace> lens_of(const ScoresModel& g, const draw::Rect& area) {
  if (!g.lens || g.cells_drawn || g.tiles.empty()) return std::nullopt;
  const ScoreTile& t = g.tiles.front();
  const float x = area.x0 + float(g.lens->x0), y = area.y0 + float(g.lens->y0);
  return LensPlace{t, {x, y, x + float(g.lens->cell_w) * float(t.cols), y + float(g.lens->cell_h) * float(t.rows)}};
}

void draw_score_lens(const UiFrame& f, Panel& p, const ScoresModel& g, const LensPlace& lens, const draw::Rect& area) {
  const float s = p.s;
  const std::int64_t side = block_side(lens.rect, lens.tile, s);
  draw_lens_lines(p, g, area, lens.rect);
  if (side > 1)
    draw_blocks(f, p, g, lens.tile, lens.rect, side);
  else
    draw_cells(f, p, g, lens.tile, lens.rect, style_in(f, g, lens.tile, lens.rect));
  draw::box(p.list, lens.rect.inset(-2 * s), 0, 5 * s, p.colours.now_line, 1.6f * s);
  f.ui.rects.put("lens", lens.rect);
  draw_tile_numbers(f, p, g, lens.rect, lens.tile);
  const std::string name = tile_name(TensorId::Q, lens.tile.q_tile) + " × " + tile_name(TensorId::K, lens.tile.kv_tile);
  std::string words = ledger_row(g.shown).letter + (" of " + name);
  if (side > 1) {
    const std::string drawn = fmt::format(" · 1 of {}×{} ", side, side), whole = words + drawn + "scores drawn";
    words = draw::text_width(p.fonts.tiny, whole) <= p.x + p.width - lens.rect.x0 ? whole : words + drawn + "drawn";
  }
  const float above = lens.rect.y0 - 2 * p.fonts.tiny.em - 11 * s;
  draw::text(p.list, p.fonts.tiny, lens.rect.x0, above, p.colours.text, words);
  note_label(f, lens.tile.row_begin, lens.tile.col_begin, "lens",
             {lens.rect.x0, above, std::max(lens.rect.x1, lens.rect.x0 + draw::text_width(p.fonts.tiny, words)),
              lens.rect.y0});
}

}  // namespace tilewalk
