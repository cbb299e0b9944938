// Tiles of scores, their headings, and their operands.
#include <algorithm>
#include <cmath>

#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/scores/scores_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// Cells that the mask leaves out: −∞ in S, a zero by rule in P and dS.
bool is_left_out(const ScoreCell& cell) { return cell.masked && (!std::isfinite(cell.value) || cell.value == 0); }

ImU32 cell_fill(const Palette& c, const ScoresModel& g, const ScoreCell& cell, bool now) {
  if (is_left_out(cell)) return c.masked;
  const float low = now ? g.now_low : g.low, high = now ? g.now_high : g.high;
  const ImU32 colour = viridis((cell.value - low) / (high - low));
  return now ? colour : mix(colour, c.panel, c.dark ? 0.45f : 0.35f);
}

struct Digits {
  const Font* font = nullptr;  // null: numbers do not fit in the cells
  bool brief = false;          // with one digit less
  std::string of(const Problem& p, double value) const { return brief ? brief_number(value) : format_value(p, value); }
};

// Digits grow with their cells. In small cells first the space around them shrinks, then one digit is dropped.
Digits digits_for(const UiFrame& f, const ScoresModel& g, const ScoreTile& t, float wide, float high) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s;
  std::string longest = t.state == TileState::Now ? "" : "−0.00", brief = "−0.0";
  if (t.state == TileState::Now)
    for (std::int64_t i = 0; i < t.rows * t.cols; ++i) {
      const ScoreCell& cell = g.cells[t.first_cell + std::size_t(i)];
      if (!cell.known || !std::isfinite(cell.value)) continue;
      std::string text = format_value(f.session.problem(), cell.value);
      if (text.size() > longest.size()) longest = std::move(text);
    }
  if (longest.size() < 4) longest = "0.00";
  if (draw::font_that_fits({&fonts.mono_large}, longest, wide - 18 * s, high - 12 * s)) return {&fonts.mono_large};
  if (draw::font_that_fits({&fonts.mono}, longest, wide - 8 * s, high - 4 * s)) return {&fonts.mono};
  if (t.state != TileState::Now && wide < 1.25f * figure_width(f.theme)) return {};
  if (draw::font_that_fits({&fonts.mono_small}, longest, wide + 0.5f, high)) return {&fonts.mono_small};
  if (t.state == TileState::Now && draw::font_that_fits({&fonts.mono_small}, brief, wide + 0.5f, high))
    return {&fonts.mono_small, true};
  return {};
}

void draw_skipped(Panel& p, const draw::Rect& r) {
  const float s = p.s;
  draw::box(p.list, r, p.colours.hatch_fill, 4 * s, p.colours.cell_line);
  draw::hatch(p.list, r.inset(1), p.colours.hatch, 8 * s, 1 * s);
  const Font& font = p.fonts.tiny;
  const float w = draw::text_width(font, "skipped");
  if (r.width() < w + 12 * s || r.height() < 24 * s) return;
  const float cx = (r.x0 + r.x1) / 2, cy = (r.y0 + r.y1) / 2, half = font.size / 2 + 2 * s;
  draw::box(p.list, {cx - w / 2 - 5 * s, cy - half, cx + w / 2 + 5 * s, cy + half}, p.colours.hatch_fill, 4 * s);
  draw::text_in(p.list, font, r, p.colours.muted, "skipped");
}

// A bar's colour is paler while its tile is not the current one.
ImU32 head_fill(const Palette& c, TensorId id, bool now) {
  return now ? hue(c, id) : mix(hue(c, id), c.panel, c.dark ? 0.70f : 0.55f);
}

// The same tile before the step; null where nothing moves, or the tile had no values.
const ScoreTile* tile_before(const std::optional<Moving>& m, const ScoreTile& t) {
  if (!m) return nullptr;
  for (const ScoreTile& was : m->step.scores.tiles)
    if (was.q_tile == t.q_tile && was.kv_tile == t.kv_tile && was.rows == t.rows && was.cols == t.cols) return &was;
  return nullptr;
}

// A weight grows from its score: a bar from the foot of the cell, as high as the weight.
void draw_growing(Panel& p, const draw::Rect& c, ImU32 fill, float weight, float share) {
  const float high = c.height() * std::clamp(weight, 0.0f, 1.0f) * share;
  draw::box(p.list, {c.x0, c.y1 - high, c.x1, c.y1}, fill, 2 * p.s, p.colours.now_line, p.s);
}

// The remains of a cell whose tile dissolves: fewer and fewer specks.
void draw_specks(Panel& p, const draw::Rect& c, ImU32 fill, float gone) {
  constexpr int kSide = 3;
  const float wide = c.width() / kSide, high = c.height() / kSide, fall = gone * c.height() * 0.6f;
  for (int i = 0; i < kSide * kSide; ++i) {
    if (float((i * 5) % 9) < gone * 9) continue;
    const float x = c.x0 + float(i % kSide) * wide, y = c.y0 + float(i / kSide) * high + fall;
    const float inset = gone * std::min(wide, high) * 0.4f;
    p.list->AddRectFilled(ImVec2(x + inset, y + inset), ImVec2(x + wide - inset, y + high - inset),
                          with_alpha(fill, 1 - 0.7f * gone));
  }
}

void draw_dissolving(const UiFrame& f, Panel& p, const ScoreTile& t, const draw::Rect& area) {
  const std::optional<Moving> m = moving(f);
  if (!m || !m->step.motion.dissolving) return;
  const DissolvingTile& dissolving = *m->step.motion.dissolving;
  const ScoreTile* was = tile_before(m, t);
  if (!was || dissolving.tile.q_tile != t.q_tile || dissolving.tile.kv_tile != t.kv_tile) return;
  const float wide = (t.x1 - t.x0) / float(t.cols), high = (t.y1 - t.y0) / float(t.rows);
  for (std::int64_t i = 0; i < t.rows; ++i)
    for (std::int64_t j = 0; j < t.cols; ++j) {
      const ScoreCell& cell = m->step.scores.cells[was->first_cell + std::size_t(i * t.cols + j)];
      const float gone = float(dissolving.of(t.row_begin + i, t.col_begin + j).share(m->t));
      if (!cell.known || is_left_out(cell) || gone >= 1) continue;
      const float x = area.x0 + t.x0 + float(j) * wide, y = area.y0 + t.y0 + float(i) * high;
      draw_specks(p, draw::Rect{x, y, x + wide, y + high}.inset(1), cell_fill(p.colours, m->step.scores, cell, true),
                  gone);
    }
}

float head_height(const Theme& theme) { return std::max(16 * theme.s, theme.fonts.caption.em + 4); }

}  // namespace

void draw_score_tile(const UiFrame& f, Panel& p, const ScoresModel& g, const ScoreTile& t, const draw::Rect& area) {
  const float s = p.s;
  const draw::Rect r{area.x0 + t.x0, area.y0 + t.y0, area.x0 + t.x1, area.y0 + t.y1};
  if (t.state == TileState::Skipped) return draw_skipped(p, r);
  const bool now = t.state == TileState::Now;
  const float w = r.width() / float(t.cols), h = r.height() / float(t.rows);
  const float gap = std::min(w, h) > 14 ? std::max(1.0f, s) : std::min(w, h) > 5 ? 0.5f : 0.0f;
  const float round = std::min(w, h) > 14 ? 2 * s : 0;
  const Digits digits = digits_for(f, g, t, w - 2 * gap, h - 2 * gap);
  const std::optional<Moving> m = now ? moving(f) : std::nullopt;
  const ScoreTile* was = tile_before(m, t);
  const MovingValues* made = m ? m->step.motion.of(g.shown) : nullptr;
  if (now && digits.font) f.ui.rects.put(digits.brief ? "brief numbers" : "numbers", r);
  for (std::int64_t i = 0; i < t.rows; ++i)
    for (std::int64_t j = 0; j < t.cols; ++j) {
      const std::int64_t row = t.row_begin + i, col = t.col_begin + j;
      const bool waits = was && !m->step.motion.has_landed(g.shown, row, col, m->t);
      const ScoresModel& of = waits ? m->step.scores : g;
      const ScoreCell& cell = of.cells[(waits ? was->first_cell : t.first_cell) + std::size_t(i * t.cols + j)];
      draw::Rect c{r.x0 + float(j) * w + gap, r.y0 + float(i) * h + gap, r.x0 + float(j + 1) * w - gap,
                   r.y0 + float(i + 1) * h - gap};
      if (gap >= 1)  // whole pixels, for even borders
        c = {std::round(c.x0), std::round(c.y0), std::round(c.x1), std::round(c.y1)};
      if (m) m->places.at[{PlaceKind::Score, int(g.shown), row, col}] = c;
      if (now && digits.font && f.session.hand().on()) {
        const HandPlace asked{g.shown, row, col};
        if (draw_hand_field(f, asked, c, *digits.font)) continue;
      }
      if (!cell.known) {
        if (cell.masked)
          draw::box(p.list, c, p.colours.masked, round);
        else
          draw::box(p.list, c, p.colours.panel, round, p.colours.cell_line);
        continue;
      }
      const ImU32 fill = cell_fill(p.colours, of, cell, now);
      draw::box(p.list, c, fill, round, cell.wrong ? p.colours.bad : 0, 2 * s);
      if (is_left_out(cell) && std::min(w, h) > 9 * s) {
        const float dot = std::round(3 * s), x = std::round((c.x0 + c.x1 - dot) / 2),
                    y = std::round((c.y0 + c.y1 - dot) / 2);
        draw::box(p.list, {x, y, x + dot, y + dot}, p.colours.faint, 0);
      } else if (digits.font && !is_left_out(cell)) {
        draw::text_in(p.list, *digits.font, c, ink_on(fill), digits.of(f.session.problem(), cell.value));
      }
      if (waits && g.shown != of.shown && made->of(row, col).has_begun(m->t)) {
        const ScoreCell& next = g.cells[t.first_cell + std::size_t(i * t.cols + j)];
        if (next.known && !is_left_out(next))
          draw_growing(p, c, cell_fill(p.colours, g, next, true), next.value, float(made->of(row, col).share(m->t)));
      }
    }
  if (!now) draw_dissolving(f, p, t, area);
}

draw::Rect column_head(const Theme& theme, const ScoresModel& g, const ScoreBar& bar, const draw::Rect& area) {
  const float high = head_height(theme), top = area.y0 + float(g.y0) - 6 * theme.s - high;
  return {area.x0 + bar.begin, top, area.x0 + bar.end, top + high};
}

draw::Rect row_head(const Theme& theme, const ScoresModel& g, const ScoreBar& bar, const draw::Rect& area) {
  const float left = area.x0 + float(g.x0) - 31 * theme.s;
  return {left, area.y0 + bar.begin, left + 26 * theme.s, area.y0 + bar.end};
}

void draw_score_heads(Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const auto draw_head = [&](const ScoreBar& bar, TensorId id, const draw::Rect& r) {
    const ImU32 fill = head_fill(p.colours, id, bar.now);
    draw::box(p.list, r, fill, 3 * p.s);
    const Font& font = p.fonts.caption;
    for (const std::string& label : {bar.label, bar.label.substr(0, bar.label.find(' '))})
      if (!label.empty() && draw::text_width(font, label) + 2 * p.s <= r.width() && font.em <= r.height())
        return draw::text_in(p.list, font, r, bar.now ? ink_on(fill) : mix(ink_on(fill), fill, 0.3f), label);
  };
  for (const ScoreBar& bar : g.col_bars) draw_head(bar, TensorId::K, column_head(p.theme, g, bar, area));
  for (const ScoreBar& bar : g.row_bars) draw_head(bar, TensorId::Q, row_head(p.theme, g, bar, area));
}

void draw_score_operands(const UiFrame& f, Panel& p, const ScoresModel& g, const draw::Rect& area) {
  const auto& selection = f.session.walk().selection();
  const Font& font = p.fonts.mono_small;
  const std::optional<Moving> m = moving(f);
  const auto cell = [&](const OperandTile& tile, const draw::Rect& r, std::int64_t row, std::int64_t x, bool chosen) {
    if (m) m->places.at[{PlaceKind::Operand, int(tile.tensor), row, x}] = r;
    if (m && waits_for_row(m->step.motion, tile, row, m->t))
      return draw_awaited(p.list, r.inset(1), hue(p.colours, tile.tensor), 2 * p.s, p.s);
    const ImU32 fill = mix(hue(p.colours, tile.tensor), p.colours.panel, chosen ? 0.45f : 0.75f);
    const draw::Rect inner{std::round(r.x0) + 1, std::round(r.y0) + 1, std::round(r.x1) - 1, std::round(r.y1) - 1};
    draw::box(p.list, inner, fill, 2 * p.s);
    const double value = tile.at(row, x);
    for (const std::string& text : {format_value(f.session.problem(), value), brief_number(value)})
      if (draw::text_width(font, text) <= inner.width() + 1)
        return draw::text_in(p.list, font, inner, ink_on(fill), text);
  };
  const auto name = [&](const OperandTile& tile) { return tile_name(tile.tensor, tile.tile); };
  const float wide = float(g.operand_w), high = float(std::max(16.0f * p.s, font.em + 4));
  draw::Rect left{1e9f, 1e9f, 0, 0}, above = left;  // the areas of both
  for (std::int64_t i = 0; i < g.left.rows; ++i) {
    const std::int64_t row = g.left.row_begin + i;
    const double middle = g.rows.at(double(row) + 0.5);
    if (middle < g.y0 || middle > g.y1) continue;
    const float tall = std::min(high * 1.4f, float(g.rows.size_at(double(row)))),
                top = area.y0 + float(middle) - tall / 2,
                x0 = area.x0 + float(g.x0) - 35 * p.s - wide * float(g.left.d);
    for (std::int64_t x = 0; x < g.left.d; ++x) {
      const draw::Rect r{x0 + float(x) * wide, top, x0 + float(x + 1) * wide, top + tall};
      cell(g.left, r, row, x, selection && selection->row == row);
      left = left.joined(r);
    }
  }
  for (std::int64_t i = 0; i < g.above.rows; ++i) {
    const std::int64_t col = g.above.row_begin + i;
    const double middle = g.cols.at(double(col) + 0.5);
    if (middle < g.x0 || middle > g.x1) continue;
    const float w = std::min(wide * 1.3f, float(g.cols.size_at(double(col)))), x0 = area.x0 + float(middle) - w / 2,
                top = area.y0 + float(g.y0) - 10 * p.s - head_height(p.theme) - high * float(g.above.d);
    for (std::int64_t x = 0; x < g.above.d; ++x) {
      const draw::Rect r{x0, top + float(x) * high, x0 + w, top + float(x + 1) * high};
      cell(g.above, r, col, x, selection && selection->col == col);
      above = above.joined(r);
    }
  }
  if (left.x1 > 0) {
    f.ui.rects.put("values left", left);
    draw::text(p.list, p.fonts.tiny, left.x0 + 2 * p.s, left.y0 - p.fonts.tiny.size - 1 * p.s, p.colours.muted,
               name(g.left));
  }
  if (above.x1 > 0) {
    f.ui.rects.put("values above", above);
    draw::text_right(p.list, p.fonts.tiny, above.x0 - 4 * p.s, above.y0 + (high - p.fonts.tiny.size) / 2,
                     p.colours.muted, name(g.above));
  }
}

}  // namespace tilewalk
