#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "pages/walk/walk_page.h"
#include "ui/matrix/number_block.h"
#include "ui/mistake_marks.h"
#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"
#include "view/hand/hide.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/units.h"

namespace tilewalk {

namespace {

constexpr float kGap = 10;    // between two grids side by side, in design pixels
constexpr float kAbove = 12;  // between one and the other below it

struct Beside {  // a grid of numbers to the right of the output
  const std::vector<float>& values;
  std::int64_t cols;
};

// Digits grow with their cells.
NumberStyle style_for(const UiFrame& f, const std::vector<float>& values, float wide, float high) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s;
  return number_style(f.session.problem(), values, wide, high,
                      {{&fonts.mono_large, 14 * s, 8 * s}, {&fonts.mono, 4 * s, 0}, {&fonts.mono_small, -1, -2}});
}

constexpr float kTight = 0.88f;  // of the figures' own advance

// In cells of that width numbers would touch one another: their figures are closer together.
bool is_tight(const Panel& p, const Font& font, float wide) {
  return &font == &p.fonts.mono_small && draw::text_width(font, "−0.00") + 4 * p.s > wide;
}

float figure_advance(const Font& font, bool tight) { return draw::text_width(font, "0") * (tight ? kTight : 1); }

// The width of a number with a sign.
void note_digits(const UiFrame& f, const Panel& p, const char* name, const NumberStyle& style, float wide, ImVec2 at) {
  if (!style.font) return;
  const float digits = 5 * figure_advance(*style.font, is_tight(p, *style.font, wide));
  f.ui.rects.put(name, {at.x, at.y, at.x + digits, at.y + style.font->em});
}

void draw_value(const UiFrame& f, Panel& p, const NumberStyle& style, const draw::Rect& cell, ImU32 ink, double value) {
  if (!style.font) return;
  const std::string text = style.of(f.session.problem(), value);
  if (!is_tight(p, *style.font, cell.width())) return draw::text_in(p.list, *style.font, cell, ink, text);
  const float advance = figure_advance(*style.font, true);
  float x = (cell.x0 + cell.x1 - advance * float(character_count(text))) / 2;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end, x += advance) {
    end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    draw::text_in(p.list, *style.font, {x, cell.y0, x + advance, cell.y1}, ink, text.substr(at, end - at));
  }
}

// The O tile before the step, if it is the same tile; null where nothing moves.
const OTileModel* o_tile_before(const UiFrame& f, const OTileModel& now) {
  if (!moving(f)) return nullptr;
  const OTileModel& was = before_step(f).o_tile;
  return was.rows == now.rows && was.cols == now.cols && was.row_begin == now.row_begin ? &was : nullptr;
}

// A cell whose value shrinks: the old outline stays, the filled part gets lower.
void draw_shrinking(Panel& p, const draw::Rect& cell, ImU32 fill, float height) {
  const float high = cell.height() * std::clamp(height, 0.0f, 1.0f);
  draw::box(p.list, cell, p.colours.panel, 2 * p.s, p.colours.changed, 1.2f * p.s);
  draw::box(p.list, {cell.x0, cell.y1 - high, cell.x1, cell.y1}, fill, 2 * p.s);
}

template <class Fill>
void draw_beside(const UiFrame& f, Panel& p, const Beside& grid, ImVec2 corner, float wide, float high,
                 std::int64_t most_rows, bool idle, Fill fill_of) {
  const NumberStyle style = style_for(f, grid.values, wide - 2, high - 2);
  note_digits(f, p, "operand digits", style, wide - 2, corner);
  for (std::size_t i = 0; i < grid.values.size() && std::int64_t(i) < most_rows * grid.cols; ++i) {
    const float x = corner.x + float(std::int64_t(i) % grid.cols) * wide,
                y = corner.y + float(std::int64_t(i) / grid.cols) * high;
    const draw::Rect cell{x, y, x + wide - 2, y + high - 2};
    const auto [fill, ink] = look_of_cell(p.colours, fill_of(grid.values[i]), idle);
    draw::box(p.list, cell, fill, 2 * p.s);
    draw_value(f, p, style, cell, ink, grid.values[i]);
  }
}

// The operand of the output's product; rows of a tile that still moves are drawn as awaited.
void draw_operand(const UiFrame& f, Panel& p, const OperandTile& into, ImVec2 corner, float wide, float high,
                  std::int64_t most_rows) {
  const ImU32 colour = hue(p.colours, into.tensor);
  const std::optional<Moving> m = moving(f);
  draw_beside(f, p, {into.values, into.d}, corner, wide, high, most_rows, is_idle(m, into.tensor),
              [&](float) { return mix(colour, p.colours.panel, 0.75f); });
  if (!m) return;
  for (std::int64_t r = 0; r < std::min(into.rows, most_rows); ++r)
    for (std::int64_t c = 0; c < into.d; ++c) {
      const float x = corner.x + float(c) * wide, y = corner.y + float(r) * high;
      const draw::Rect cell{x, y, x + wide - 2, y + high - 2};
      // K is both above the matrix and beside dQ.
      MovingPlace place{PlaceKind::Operand, int(into.tensor), into.row_begin + r, c};
      if (const draw::Rect* const other = m->places.find(place); other && f.layout.scores.holds(other->middle()))
        place.name = kBesideOutput;
      m->places.at[place] = cell;
      if (!waits_for_row(m->motion, into, into.row_begin + r, m->t)) continue;
      draw::box(p.list, cell, p.colours.panel, 2 * p.s);
      draw_awaited(p.list, cell.inset(1), colour, 2 * p.s, p.s);
    }
}

// A row that shrinks is drawn over the operand, which is idle meanwhile; not where that is out of view.
bool covers_operand(const UiFrame& f, const Panel& p, const std::optional<Moving>& m, const draw::Rect& operand) {
  if (!m || !lifted_row(f, *m)) return false;
  const draw::Rect box{std::max(p.x, operand.x0 - 8 * p.s), operand.y0 - 4 * p.s, operand.x1, operand.y1 + 4 * p.s};
  const float end = is_compact(f.layout) ? std::min(p.rect.y1, f.layout.flow.y1) : p.rect.y1;
  if (box.y0 < p.rect.y0 || box.y1 > end) return false;
  m->places.at[{PlaceKind::LiftedRow}] = box;
  return true;
}

// How the tile and its neighbour share the width. It depends on the problem, not on the step, so that nothing moves
// when the neighbour appears.
struct OPlace {
  float high = 0, wide = 0;          // of a row and of a column
  bool pair = false, beside = true;  // not beside: the neighbour is above or below
  std::int64_t rows = 0;             // reserved for each

  float height(float s) const {
    return high * float(rows) * (pair && !beside ? 2 : 1) + (pair && !beside ? kAbove * s : 0);
  }
};

// The y below which the panel's content is not visible until somebody scrolls.
float lowest_in_view(const UiFrame& f, const Panel& p) {
  const float end = is_compact(f.layout) ? p.rect.y0 + f.layout.flow.height() : p.rect.y1;
  return std::min(p.rect.y1, end) - ImGui::GetScrollY();
}

OPlace place_of(const UiFrame& f, const Panel& p, const SideShares& shares) {
  const OTileModel& m = f.views.page<WalkPage>()->o_tile;
  OPlace at;
  // Numbers keep their size; a picture's rows share the height.
  const float each = shares.o_most / float(std::max<std::int64_t>(1, m.most_rows));
  at.high = m.numbers ? std::clamp(each, shares.o_row_least, 1.5f * shares.o_row_least) : 0.87f * each;
  at.rows = std::clamp<std::int64_t>(std::int64_t(shares.o_most / at.high + 0.01f), 1,
                                     std::max<std::int64_t>(1, m.most_rows));
  const bool fault = m.numbers && f.views.page<WalkPage>()->fault && !f.views.page<WalkPage>()->fault->right_o.empty();
  at.pair = m.numbers && !shares.o_alone && (is_hand_size(f.session.problem()) || fault);
  const float cols = float(m.cols > 0 ? m.cols : f.session.problem().shape.d);
  const float half = (p.width - kGap * p.s) / 2;
  // Whether the column has a scroll bar does not matter, else a stacked tile would call for one.
  const float widest = (p.rect.width() - 2 * f.theme.pad() - kGap * p.s) / 2;
  at.beside = widest / cols >= figure_width(f.theme) + 2 && (!shares.stacked || fault);
  at.wide = !m.numbers             ? p.width / cols
            : at.pair && at.beside ? std::min(60 * p.s, half / cols)
                                   : std::min(60 * p.s, p.width / cols);
  return at;
}

// The cells of the first tile, before the first step: outlines, with a dot where a number will be.
void draw_to_come(const UiFrame& f, Panel& p, const OPlace& place, std::int64_t rows) {
  const bool numbers = f.views.page<WalkPage>()->o_tile.numbers;
  const std::int64_t cols = f.session.problem().shape.d, shown = std::min(rows, place.rows);
  const draw::Rect area{p.x, p.y, p.x + place.wide * float(cols), p.y + place.high * float(shown)};
  f.ui.rects.put("o to come", area);
  if (!numbers) return draw_awaited(p.list, area.inset(1), p.colours.cell_line, 2 * p.s, p.s);
  for (std::int64_t i = 0; i < shown * cols; ++i) {
    const float x = area.x0 + float(i % cols) * place.wide, y = area.y0 + float(i / cols) * place.high;
    const draw::Rect cell{x, y, x + place.wide - 2, y + place.high - 2};
    draw::box(p.list, cell, 0, 2 * p.s, p.colours.cell_line);
    draw::text_in(p.list, p.fonts.mono_small, cell, p.colours.faint, "·");
  }
}

}  // namespace

float o_tile_height(const UiFrame& f, const Panel& p, const SideShares& shares) {
  return place_of(f, p, shares).height(p.s) + 14 * p.s;
}

void draw_o_tile_panel(const UiFrame& f, Panel& p, const SideShares& shares) {
  const OTileModel& m = f.views.page<WalkPage>()->o_tile;
  const float s = p.s;
  const OPlace place = place_of(f, p, shares);
  const float high = place.high, wide = place.wide;
  static const OperandTile kNoOperand;
  const OperandTile& into = shares.o_alone ? kNoOperand : f.views.page<WalkPage>()->into_o;
  static const std::vector<float> kNothing;
  const std::vector<float>& should =
      m.numbers && f.views.page<WalkPage>()->fault ? f.views.page<WalkPage>()->fault->right_o : kNothing;
  const ShownTile shown = shown_tile(f.session.schedule(), f.session.state());
  // Above the tile, or below it where the tile would be pushed out of view: the operand of its product. Above, it comes
  // before the heading, which is the tile's.
  const float pitch = high * float(place.rows) + kAbove * s, caption_high = p.fonts.caption.em + 10 * s;
  const bool first = place.pair && !place.beside && m.rows > 0 &&
                     p.y + caption_high + pitch + high * float(std::min(place.rows, m.rows)) > lowest_in_view(f, p);
  const bool above = place.pair && !place.beside && !first && should.empty() && m.rows > 0;
  const float operand_y = p.y;
  if (above) p.y += pitch;
  // The neighbour's name is at the end of the line, or above it.
  const std::string other = m.rows == 0       ? ""
                            : !should.empty() ? std::string("right ") + ledger_row(shown.quantity).letter
                            : !into.empty()   ? f.views.page<WalkPage>()->output_sum
                                              : "";
  const bool compares = !should.empty() && m.rows > 0;
  const float other_width = draw::text_width(p.fonts.tiny, other),
              beside_x = compares && place.beside ? wide * float(m.cols) + kGap * s : p.width - other_width,
              named = other.empty() ? 0 : p.width - beside_x + 8 * s;
  draw::text(p.list, p.fonts.tiny, p.x + beside_x, p.y, compares ? p.colours.good : p.colours.text, other);
  if (compares) f.ui.rects.put("title of right O", {p.x + beside_x, p.y, p.x + beside_x + other_width, p.y + p.e});
  // "Gradient of Q, tile 2, so far, not yet scaled": drops parts from the end where it is too long.
  const std::string wrong_title = std::string("wrong ") + ledger_row(shown.quantity).letter;
  const std::optional<Moving> on_way = moving(f);
  const MovingValues* const made = on_way ? on_way->motion.of(shown.quantity) : nullptr;
  const OTileModel* before = o_tile_before(f, m);
  const bool is_new = !made || !before || made->share_landed(on_way->t) >= 1;
  std::string_view title = compares                 ? wrong_title
                           : is_new                 ? m.title
                           : m.title_on_way.empty() ? before->title
                                                    : m.title_on_way;
  // The operand has its name above it where it is beside the tile.
  const std::string operand = place.pair && place.beside && should.empty() && !into.empty() && m.rows > 0
                                  ? tile_name(into.tensor, into.tile)
                                  : "";
  const float operand_x = wide * float(m.cols) + kGap * s,
              room = operand.empty() ? p.width - named : std::min(p.width - named, operand_x - 6 * s);
  const float caption_y = p.y;
  while (draw::caption_width(f.theme, title) > room && title.rfind(", ") != std::string_view::npos)
    title = title.substr(0, title.rfind(", "));
  note_label(f, 0, 0, "output", {p.x, p.y, p.x + p.width, p.y + p.fonts.caption.size});
  f.ui.rects.put("output title", {p.x, p.y, p.x + draw::caption_width(f.theme, title), p.y + p.fonts.caption.size});
  if (compares) f.ui.rects.put("title of wrong O", {p.x, p.y, p.x + draw::caption_width(f.theme, title), p.y + p.e});
  p.caption(title, named);
  const float below = p.y - (above ? pitch : 0) + o_tile_height(f, p, shares);
  if (m.rows == 0) {
    if (m.rows_to_come > 0)
      draw_to_come(f, p, place, m.rows_to_come);
    else if (f.session.state().started)
      draw::text(p.list, p.fonts.body, p.x, p.y - 2 * s, p.colours.faint, m.note);
    p.y = below;
    return;
  }
  const std::int64_t rows = std::min(place.rows, m.rows);
  const float scale = m.largest > 0 ? m.largest : 1;
  const bool many = m.rows * m.cols > 64;
  const Quantity quantity = shown.quantity;
  const bool idle = is_idle(on_way, shown.tensor);
  std::vector<float> written = m.values;
  if (before) written.insert(written.end(), before->values.begin(), before->values.end());
  const NumberStyle style = style_for(f, written, wide - (many ? 0 : 2), high - (many ? 0 : 2));
  note_digits(f, p, "o digits", style, wide - 2, ImVec2(p.x, p.y));
  // The right tile, or the operand of its product.
  const ImVec2 other_at(p.x + (place.beside ? wide * float(m.cols) + kGap * s : 0),
                        above ? operand_y : p.y + (first ? pitch : 0));
  if (compares)
    f.ui.rects.put("right o numbers",
                   {other_at.x, other_at.y, other_at.x + wide * float(m.cols), other_at.y + high * float(rows)});
  if (!should.empty())
    draw_beside(f, p, {should, m.cols}, other_at, wide, high, rows, false,
                [&](float v) { return diverging(p.colours, v / scale); });
  else if (!into.empty())
    draw_operand(f, p, into, other_at, wide, high, place.rows);
  bool names_operand = should.empty() && !into.empty();
  if (names_operand) {
    const draw::Rect numbers{other_at.x, other_at.y, other_at.x + wide * float(into.d),
                             other_at.y + high * float(std::min(into.rows, place.rows))};
    f.ui.rects.put("operand numbers", numbers);
    names_operand = !covers_operand(f, p, on_way, {numbers.x0, numbers.y0, numbers.x1 - 2, numbers.y1 - 2});
  }
  const auto name_tile = [&](const std::string& label, float x, float y, float end, ImU32 ink) {
    const float x1 = x + draw::text_width(p.fonts.tiny, label);
    if (x1 > end) return;
    draw::text(p.list, p.fonts.tiny, x, y, ink, label);
    f.ui.rects.put("name of " + label, {x, y, x1, y + p.fonts.tiny.size});
  };
  if (!operand.empty() && names_operand)
    name_tile(operand, p.x + operand_x, caption_y, p.x + p.width - named - 8 * s, letters_of(p.colours, into.tensor));
  if (place.pair && !place.beside) {
    const float right = p.x + wide * float(m.cols) + 6 * s, half = (high * float(rows) - p.fonts.tiny.size) / 2;
    const auto name = [&](float y, const std::string& label) {
      name_tile(label, right, y + half, p.x + p.width, p.colours.muted);
    };
    if (names_operand) name(other_at.y, tile_name(into.tensor, into.tile));
    if (!first && !above) p.y += pitch;
    name(p.y, tile_name(shown.tensor, shown.tile));
  }
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < m.cols; ++c) {
      const std::int64_t matrix_row = m.tensor_row(r), matrix_col = m.tensor_col(c);
      const bool moves = made && made->holds(matrix_row, matrix_col);
      const float height = moves ? float(made->height(matrix_row, on_way->t)) : 1;
      const bool waits = moves && !made->of(matrix_row, matrix_col).has_landed(on_way->t);
      const float v = (waits && before ? before : &m)->values[std::size_t(r * m.cols + c)];
      const draw::Rect cell{p.x + float(c) * wide, p.y + float(r) * high, p.x + float(c + 1) * wide - (many ? 0 : 2),
                            p.y + float(r + 1) * high - (many ? 0 : 2)};
      if (std::size_t(r * m.cols + c) < m.hidden.size() || f.session.hand().on()) {
        const HandPlace asked{quantity, m.tensor_row(r), m.tensor_col(c)};
        const bool roomy = draw::text_width(p.fonts.mono, "−0.00") + 8 * s < cell.width();
        if (m.numbers && draw_hand_field(f, asked, cell, roomy ? p.fonts.mono : p.fonts.mono_small)) continue;
        if (!m.hidden.empty() && m.hidden[std::size_t(r * m.cols + c)]) {
          draw::box(p.list, cell, p.colours.panel, 2 * s, p.colours.cell_line);
          continue;
        }
      }
      if (waits && !before) {  // its first value
        draw_awaited(p.list, cell.inset(1), p.colours.cell_line, 2 * s, s);
        continue;
      }
      const auto [fill, ink] = look_of_cell(p.colours, diverging(p.colours, v / scale), idle);
      const std::size_t i = std::size_t(r * m.cols + c);
      const bool wrong = !should.empty() && differs_in_print(m.values[i], should[i]);
      if (wrong) f.ui.rects.put(fmt::format("wrong output {}", matrix_row), cell);
      if (compares && waits) {  // the right number lands with the wrong one
        const ImVec2 by(other_at.x - p.x, other_at.y - p.y);
        draw::box(p.list, {cell.x0 + by.x, cell.y0 + by.y, cell.x1 + by.x, cell.y1 + by.y}, p.colours.panel, 2 * s,
                  p.colours.cell_line);
      }
      if (on_way) on_way->places.at[{PlaceKind::Output, int(quantity), matrix_row, matrix_col}] = cell;
      if (height < 1)
        draw_shrinking(p, cell, fill, height);
      else
        draw::box(p.list, cell, fill, many ? 0 : 2 * s, wrong ? ink_of_mistake(f, p.colours) : 0, 3 * s);
      if (m.numbers) draw_value(f, p, style, cell, ink, v);
    }
  const draw::Rect area{p.x, p.y, p.x + wide * float(m.cols), p.y + high * float(rows)};
  const ScoresModel& scores = f.views.page<WalkPage>()->scores;
  const bool of_keys = ledger_row(quantity).shape == QuantityShape::ColByHead;
  const std::int64_t named_row = of_keys ? scores.named_key : scores.named_row;
  for (std::int64_t r = 0; r < rows; ++r)
    if (m.numbers && named_row >= 0 && m.tensor_row(r) == named_row) {
      const draw::Rect ring{area.x0 - 1, area.y0 + float(r) * high - 1, area.x1 - 1, area.y0 + float(r + 1) * high - 1};
      mark_named_row(p.list, p.colours, ring, p.s);
      f.ui.rects.put("named row of O", ring);
    }
  if (!m.numbers && std::all_of(m.values.begin(), m.values.end(), [](float v) { return v == 0; })) {
    draw::text_in(p.list, p.fonts.body, area, p.colours.muted, "all 0 so far");
    f.ui.rects.put("o is zero", area);
  }
  f.ui.rects.put("o numbers", area);
  halo(f, p.list, "o", area);
  bring_outlined_into_view(f, p, "o", "table", area);
  if (pointed_at(f, "o tile", area)) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    const std::int64_t r = std::min<std::int64_t>(rows - 1, std::int64_t((at.y - area.y0) / high)),
                       c = std::min<std::int64_t>(m.cols - 1, std::int64_t((at.x - area.x0) / wide));
    tooltip(f, words_of_output(inspected_output(f.session, m.tensor_row(r), m.tensor_col(c))));
  }
  p.y = below;
}

}  // namespace tilewalk
