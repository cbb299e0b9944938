// The screen for a room: one tile, one table, one sentence in large type, and a strip with the class's place in the
// walk.
#include "ui/panels/present/present_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/panels/present/present_parts.h"
#include "ui/widgets.h"

namespace tilewalk {
namespace {

ImU32 fill_of(const PresentPen& p, const PresentTile& tile, const PresentCell& cell) {
  if (cell.asked) return p.c.accent;
  if (cell.text.empty() || cell.left_out) return p.c.panel;
  const ImU32 full = tile.two_signs ? diverging(p.c, cell.at) : viridis(cell.at);
  return p.c.dark ? full : mix(full, p.c.panel, 0.7f);  // pale, so that black figures are legible on weak projectors
}

// The strip also names the tiles of the visit, so the title may leave them out.
void draw_title(const PresentPen& p, const draw::Rect& r, std::string_view title) {
  if (draw::line_width(p.fonts.strong, p.fonts.tiny, title) > r.width()) title = title.substr(0, title.rfind(" · "));
  draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, r.x0, r.y0, 2 * r.width(), p.c.muted,
                  draw::line_width(p.fonts.strong, p.fonts.tiny, title) > r.width()
                      ? draw::elided(p.fonts.strong, title, r.width())
                      : std::string(title));
}

std::string longest_of(const std::vector<std::string>& heads) {
  std::string longest;
  for (const std::string& head : heads)
    if (head.size() > longest.size()) longest = head;
  return longest;
}

// The models of the state before the step, of the same rows and columns and of the same kind; null: there are none.
const PresentTile* tile_before(const PresentPen& p) {
  if (!p.moving) return nullptr;
  const PresentTile &was = p.m.moving->tile, &is = p.m.tile;
  const bool same_kind = ledger_row(was.quantity).shape == ledger_row(is.quantity).shape;
  return same_kind && was.rows == is.rows && was.columns == is.columns && was.cells.size() == is.cells.size() ? &was
                                                                                                              : nullptr;
}

bool waits(const PresentPen& p, const PresentTile& t, std::size_t r, std::size_t c) {
  return p.moving && !p.moving->motion.has_landed(t.quantity, t.row_begin + std::int64_t(r),
                                                  t.col_begin + std::int64_t(c), p.moving->t);
}

// The places of the tile's cells, and of its row and column numbers, which stand for rows of Q and K.
void note_places(const PresentPen& p, const PresentTile& t, std::size_t r, std::size_t c, const draw::Rect& cell,
                 const draw::Rect& row_number, const draw::Rect& column_number) {
  if (!p.moving) return;
  auto& at = p.moving->places.at;
  const std::int64_t row = t.row_begin + std::int64_t(r), col = t.col_begin + std::int64_t(c);
  const bool scores = ledger_row(t.quantity).shape == QuantityShape::Cell;
  at[{scores ? PlaceKind::Score : PlaceKind::Output, int(t.quantity), row, col}] = cell;
  if (!scores) return;
  constexpr std::int64_t kNoColumn = -1;
  at[{PlaceKind::Operand, int(left_operand_of(t.quantity)), row, kNoColumn}] = row_number;
  at[{PlaceKind::Operand, int(upper_operand_of(t.quantity)), col, kNoColumn}] = column_number;
}

// The cells of the visit before, whose S and P no memory keeps.
void draw_dissolving(const PresentPen& p, std::size_t r, std::size_t c, const draw::Rect& box) {
  if (!p.moving || !p.moving->motion.dissolving) return;
  const PresentTile& was = p.m.moving->tile;
  if (r >= was.rows.size() || c >= was.columns.size() || ledger_row(was.quantity).shape != QuantityShape::Cell) return;
  const PresentCell& cell = was.at(r, c);
  const float gone =
      float(p.moving->motion.dissolving->of(was.row_begin + std::int64_t(r), was.col_begin + std::int64_t(c))
                .share(p.moving->t));
  if (gone < 1 && !cell.text.empty() && !cell.left_out) draw::specks(p.list, box, fill_of(p, was, cell), gone);
}

// A number that a deliberate mistake changes: it glows, and has a cross, so that it differs without colour too.
void draw_wrong(const PresentPen& p, const draw::Rect& r) {
  draw::box(p.list, r, 0, 4 * p.s, with_alpha(p.c.bad, 0.4f), 4 * p.s);
  draw::box(p.list, r.inset(p.s), 0, 3 * p.s, p.c.bad, 2.5f * p.s);
  const float side = std::min(12 * p.s, r.height() * 0.3f);
  const draw::Rect corner{r.x0 + 3 * p.s, r.y0 + 3 * p.s, r.x0 + 3 * p.s + side, r.y0 + 3 * p.s + side};
  draw::box(p.list, corner, p.c.panel, 2 * p.s);
  draw::sign(p.list, draw::Sign::Cross, corner, p.c.bad, 0.6f * p.s);
  p.f.ui.rects.put("wrong", r);
}

void draw_tile(const PresentPen& p) {
  const PresentTile& t = p.m.tile;
  const PresentTile* const was = tile_before(p);
  const draw::Rect& r = p.at.tile;
  draw_title(p, r, t.title);
  const float count = float(std::max<std::size_t>(1, t.columns.size()));
  const float row_head = std::max(p.at.row_head, draw::text_width(p.fonts.mono, longest_of(t.rows)) + 8 * p.s);
  const float top = r.y0 + p.at.title, row = present_row_height(p.at, t.rows.size(), !p.m.tile.part.empty()),
              left = r.x0 + row_head, wide = std::min((r.x1 - left) / count, 2.4f * p.at.cell);
  const auto text_y = [&](float y, const Font& font) { return y + (row - font.size) / 2; };
  // One size for all cells: the largest in which all fit.
  std::string longest = "−0.00";
  for (const PresentCell& cell : t.cells)
    if (draw::text_width(p.fonts.mono, cell.text) > draw::text_width(p.fonts.mono, longest)) longest = cell.text;
  const float head_wide = draw::text_width(p.fonts.mono, t.rows.empty() ? "" : t.rows.back());
  const bool large = draw::font_that_fits({&p.fonts.mono_large}, longest, wide - 6 * p.s, row - 4 * p.s) != nullptr;
  const Font& digits = large ? p.fonts.mono_large : p.fonts.mono;
  const Font* const narrow =
      draw::font_that_fits({&p.fonts.mono, &p.fonts.mono_small}, longest_of(t.columns), wide - 4 * p.s, 1e9f);
  const Font &columns = narrow ? *narrow : p.fonts.tiny, &rows = p.fonts.mono;
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    draw::text_in(p.list, columns, {left + wide * float(c), top, left + wide * float(c + 1), top + row}, p.c.muted,
                  t.columns[c]);
  float y = top + row;
  for (std::size_t i = 0; i < t.rows.size(); ++i, y += row) {
    draw::text_right(p.list, rows, left - 6 * p.s, text_y(y, rows), p.c.muted, t.rows[i]);
    p.f.ui.rects.put("row number " + std::to_string(i),
                     {left - 6 * p.s - draw::text_width(rows, t.rows[i]), y, left - 6 * p.s, y + row});
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      const bool old = waits(p, t, i, c);
      static const PresentCell kEmpty;
      const PresentCell& cell = !old ? t.at(i, c) : was ? was->at(i, c) : kEmpty;
      const draw::Rect box{std::round(left + wide * float(c)) + 1, y + 1, std::round(left + wide * float(c + 1)) - 1,
                           y + row - 1};
      note_places(p, t, i, c, box, {left - 6 * p.s - head_wide, y + 1, left - 2 * p.s, y + row - 1},
                  {box.x0, top + 1, box.x1, top + row - 1});
      const ImU32 fill = fill_of(p, old && was ? *was : t, cell);
      draw::box(p.list, box, fill, 2 * p.s, fill == p.c.panel || !p.c.dark ? p.c.cell_line : 0);
      draw::text_in(p.list, cell.asked && !large ? p.fonts.mono_strong : digits, box, ink_on(fill), cell.text);
      if (cell.wrong) draw_wrong(p, box);
      draw_dissolving(p, i, c, box);
    }
    if (int(i) == t.spoken)
      draw::box(p.list, {left - 1, y - 1, left + wide * float(t.columns.size()) + 1, y + row + 1}, 0, 3 * p.s,
                p.c.now_line, 2 * p.s);
  }
  if (!t.part.empty())
    draw::text(p.list, p.fonts.body, r.x0, y + 3 * p.s, p.c.muted, draw::elided(p.fonts.body, t.part, r.width()));
  p.f.ui.rects.put("tile", {left, top + row, left + wide * float(t.columns.size()), y});
}

// Of the head and the figures of a column of the table, and the space beside them.
float table_column_width(const PresentPen& p, std::size_t c) {
  const PresentTable& t = p.m.table;
  float wide = draw::text_width(p.fonts.body, t.columns[c]);
  for (const PresentTableRow& row : t.rows)
    if (c < row.cells.size()) wide = std::max(wide, draw::text_width(p.fonts.mono_strong, row.cells[c]));
  return wide + 8 * p.s;
}

// What the output's row is multiplied with, at the left of the table, which gives way.
void draw_column(PresentPen& p) {
  if (!p.m.column) return;
  const PresentColumn& of = *p.m.column;
  const draw::Rect& r = p.at.table;
  const ImU32 ink = hue(p.c, of.tensor);
  float number = 0, wide = draw::text_width(p.fonts.strong, of.title);
  for (std::size_t i = 0; i < of.values.size(); ++i) {
    number = std::max(number, draw::text_width(p.fonts.mono, std::to_string(of.row_begin + std::int64_t(i))));
    wide = std::max(wide, number + 14 * p.s + draw::text_width(p.fonts.mono, of.values[i]));
  }
  float output = 0;  // its figures come first
  for (std::size_t c = 0; c < p.m.table.columns.size(); ++c) output += table_column_width(p, c);
  if (r.width() - wide - 24 * p.s < output) return;
  draw::text(p.list, p.fonts.strong, r.x0, r.y0, ink, of.title);
  const float row = present_row_height(p.at, p.m.table.rows.size(), !p.m.tile.part.empty());
  float y = r.y0 + p.at.title;
  draw::text_right(p.list, p.fonts.body, r.x0 + wide - 4 * p.s, y + (row - p.fonts.body.size) / 2, p.c.muted,
                   std::to_string(of.head_col));
  y += row;
  for (std::size_t i = 0; i < of.values.size(); ++i, y += row) {
    const std::int64_t at = of.row_begin + std::int64_t(i);
    const float text_y = y + (row - p.fonts.mono.size) / 2;
    const draw::Rect cell{r.x0 + number + 6 * p.s, y + 2, r.x0 + wide, y + row - 2};
    draw::text_right(p.list, p.fonts.mono, r.x0 + number, text_y, p.c.muted, std::to_string(at));
    draw::box(p.list, cell, mix(ink, p.c.panel, 0.75f), 2 * p.s);
    draw::text_right(p.list, p.fonts.mono, cell.x1 - 4 * p.s, text_y, p.c.text, of.values[i]);
    if (p.moving) p.moving->places.at[{PlaceKind::Operand, int(of.tensor), at, of.head_col}] = cell;
  }
  p.f.ui.rects.put("column", {r.x0, r.y0, r.x0 + wide, y});
  p.at.table.x0 += wide + 24 * p.s;
}

// Columns have the width of their figures; where that is too wide, columns that follow from the others are dropped.
std::vector<float> column_widths(const PresentPen& p, std::vector<std::size_t>& shown) {
  const PresentTable& t = p.m.table;
  const auto total = [&] {
    float sum = 0;
    for (const std::size_t c : shown) sum += table_column_width(p, c);
    return sum;
  };
  for (const char* dispensable : {"tile ℓ", "tile max", "m", "ℓ"}) {
    if (total() <= p.at.table.width()) break;
    std::erase_if(shown, [&](std::size_t c) {
      return t.columns[c] == dispensable &&
             std::none_of(t.rows.begin(), t.rows.end(), [&](const PresentTableRow& r) { return r.asked == int(c); });
    });
  }
  const float spare = std::max(0.0f, p.at.table.width() - total()) / float(std::max<std::size_t>(1, shown.size()));
  std::vector<float> widths;
  for (const std::size_t c : shown) widths.push_back(table_column_width(p, c) + spare);
  return widths;
}

// The row before the step, until the number of that column has landed.
const PresentTableRow& row_seen(const PresentPen& p, std::size_t r, std::size_t c) {
  const PresentTableRow& row = p.m.table.rows[r];
  if (!p.moving || p.moving->motion.values.empty() || c >= p.m.table.quantities.size()) return row;
  const PresentTable& was = p.m.moving->table;
  if (r >= was.rows.size() || was.rows[r].row != row.row || was.columns != p.m.table.columns) return row;
  if (was.rows[r].cells.size() != row.cells.size() || was.rows[r].cells[c] == row.cells[c]) return row;
  const Motion& motion = p.moving->motion;
  const std::optional<Quantity> quantity = p.m.table.quantities[c];
  const bool landed = p.m.table.output ? motion.has_landed(*quantity, row.row, std::int64_t(c) - 1, p.moving->t)
                                       : motion.span_of_figure(quantity, row.row).has_landed(p.moving->t);
  return landed ? row : was.rows[r];
}

void note_figure(const PresentPen& p, const PresentTableRow& row, std::size_t c, const draw::Rect& r) {
  if (!p.moving) return;
  if (c >= p.m.table.quantities.size() || !p.m.table.quantities[c] || c == 0) {
    p.moving->places.at[{PlaceKind::Words, 0, row.row, std::int64_t(c), "figure"}] = r;
    return;
  }
  const int quantity = int(*p.m.table.quantities[c]);
  p.moving->places.at[p.m.table.output ? MovingPlace{PlaceKind::Output, quantity, row.row, std::int64_t(c) - 1}
                                       : MovingPlace{PlaceKind::Figure, quantity, row.row, 0}] = r;
}

void draw_table(const PresentPen& p) {
  const PresentTable& t = p.m.table;
  const draw::Rect& r = p.at.table;
  draw_title(p, r, t.title);
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < t.columns.size(); ++c) shown.push_back(c);
  const std::vector<float> widths = column_widths(p, shown);
  float all = 0;
  for (const float w : widths) all += w;
  const float row = present_row_height(p.at, t.rows.size(), !p.m.tile.part.empty()), pad = 4 * p.s;
  float y = r.y0 + p.at.title;
  float x = r.x0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    x += widths[i];
    draw::text_right(p.list, p.fonts.body, x - pad, y + (row - p.fonts.body.size) / 2, p.c.muted, t.columns[shown[i]]);
  }
  y += row;
  const float top = y;
  for (std::size_t r_at = 0; r_at < t.rows.size(); ++r_at) {
    const PresentTableRow& line = t.rows[r_at];
    p.list->AddLine(ImVec2(r.x0, y), ImVec2(r.x0 + all, y), p.c.row_line, draw::hairline());
    const draw::Rect mark{r.x0, y + 1, r.x0 + all, y + row - 1};
    if (line.spoken) draw::box(p.list, mark, p.c.row_mark, 3 * p.s, p.c.now_line, 2 * p.s);
    x = r.x0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      x += widths[i];
      const std::size_t c = shown[i];
      if (c >= line.cells.size()) continue;
      const bool asked = line.asked == int(c), alpha = int(c) == t.alpha_column && line.rescaled;
      const Font& font = asked || alpha ? p.fonts.mono_strong : p.fonts.mono;
      const std::string& figure = row_seen(p, r_at, c).cells[c];
      note_figure(p, line, c, {x - widths[i] + pad, y + 2, x, y + row - 2});
      if (c > 0) draw_shrinking(p, line.row, {x - widths[i] + pad, y + 2, x, y + row - 2});
      if (asked) draw::box(p.list, {x - widths[i] + pad, y + 2, x, y + row - 2}, p.c.accent, 3 * p.s);
      if (c < line.wrong.size() && line.wrong[c] && &row_seen(p, r_at, c) == &line)
        draw_wrong(p, {x - widths[i] + 2 * pad, y + 4, std::min(x + pad / 2, r.x0 + all - 2), y + row - 4});
      draw::text_right(p.list, font, x - pad, y + (row - font.size) / 2,
                       asked   ? p.c.accent_text
                       : alpha ? p.c.changed
                               : p.c.text,
                       figure.empty() ? "·" : figure);
    }
    y += row;
  }
  if (t.rows.empty()) draw::text(p.list, p.fonts.body, r.x0, y, p.c.muted, "No rows are on chip.");
  p.f.ui.rects.put("table", {r.x0, top, r.x0 + all, y});
}

void draw_sentence(const PresentPen& p) {
  const draw::Rect& r = p.at.sentence;
  draw::box(p.list, r, p.m.question_open ? p.c.row_mark : p.c.raised, 6 * p.s);
  draw::box(p.list, {r.x0, r.y0, r.x0 + 4 * p.s, r.y1}, p.c.accent, 2 * p.s);
  const float x = r.x0 + 14 * p.s, wide = r.x1 - 10 * p.s - x;
  const Font& font = p.m.question_open ? p.fonts.strong : p.fonts.body;
  const float high = draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, wide, 0, p.m.sentence);
  // The arithmetic is below, where all of it has room.
  const double t = p.moving ? p.moving->t : 1;
  const auto sums = [&](double at) { return p.m.arithmetic.on_one_line(at); };
  float below = sums(1).empty() ? 0 : draw::paragraph(nullptr, p.fonts.mono, p.fonts.tiny, 0, 0, wide, 0, sums(1));
  if (high + below > r.height() - 8 * p.s) below = 0;
  const float y = std::max(r.y0 + 6 * p.s, (r.y0 + r.y1 - high - below) / 2);
  draw::paragraph(p.list, font, p.fonts.tiny, x, y, wide, p.c.text, p.m.sentence,
                  p.moving ? waiting_words(p.m.moving->landing, t, p.c.muted) : std::vector<draw::Tint>{});
  if (below > 0) {
    draw::paragraph(p.list, p.fonts.mono, p.fonts.tiny, x, y + high, wide, p.c.changed, sums(t));
    p.f.ui.rects.put("arithmetic", {x, y + high, r.x1 - 10 * p.s, y + high + below});
  }
  p.f.ui.rects.put("sentence", {x, y, r.x1 - 10 * p.s, y + high});
}

void draw_walk(const PresentPen& p, const draw::Rect& r) {
  const TimelineModel& t = p.m.timeline;
  if (t.folded) {
    draw::box(p.list, r, p.c.panel, 2 * p.s, p.c.cell_line);
    draw::box(p.list, {r.x0, r.y0, r.x0 + std::max(3 * p.s, r.width() * float(t.done)), r.y1}, p.c.accent, 2 * p.s);
  }
  for (const TimelineBox& box : t.boxes) {
    const draw::Rect b{r.x0 + box.x0 * r.width(), r.y0, r.x0 + box.x1 * r.width(), r.y1};
    const bool wrong = mark_of(box, p.f.session.walk().healing().t()) == VisitCheck::Differs && box.done;
    const ImU32 of_done = wrong ? p.c.bad : p.c.accent;
    const ImU32 fill = box.now ? of_done : box.done ? mix(of_done, p.c.panel, wrong ? 0.25f : 0.55f) : p.c.panel;
    draw::box(p.list, b, box.skipped ? p.c.panel : fill, 2 * p.s, box.now ? p.c.now_line : p.c.cell_line,
              box.now ? 2 * p.s : draw::hairline());
    if (box.skipped) draw::hatch(p.list, b.inset(1), p.c.cell_line, 6 * p.s, p.s);
    if (wrong && b.width() >= 9 * p.s) draw::sign(p.list, draw::Sign::Cross, b, p.c.text, 0.75f * p.s);
  }
}

// Returns true if the mouse is over a button.
bool draw_strip(const PresentPen& p) {
  const draw::Rect& r = p.at.strip;
  const float high = p.at.line, y1 = r.y0 + high;
  float right = r.x1;
  bool held = false;
  const auto choice = [&](const char* id, const char* label, draw::Sign sign, bool on, const char* tip, Action action) {
    const float wide = draw::text_width(p.fonts.strong, label) + 34 * p.s;
    const draw::Rect b{right - wide, r.y0, right, y1};
    const Hit h = hit(p.f, id, b);
    draw::box(p.list, b, on || h.hovered ? p.c.row_mark : p.c.panel, 4 * p.s, p.c.cell_line);
    draw::sign(p.list, sign, {b.x0 + 5 * p.s, b.y0, b.x0 + 25 * p.s, b.y1}, p.c.text, p.s);
    draw::text(p.list, p.fonts.strong, b.x0 + 27 * p.s, b.y0 + (high - p.fonts.strong.size) / 2, p.c.text, label);
    if (h.hovered) tooltip(p.f, tip);
    if (h.clicked) p.f.push(action);
    held |= h.held;
    right = b.x0 - 6 * p.s;
  };
  choice("leave", "Esc", draw::Sign::Cross, false, "Back to the walk (Esc)", Action::Present);
  choice("ask", "Ask", p.m.asks_first ? draw::Sign::Check : draw::Sign::Ring, p.m.asks_first,
         "A question before each answer, until the next press (Q)", Action::AskFirst);
  for (const std::string& place : p.m.place) {
    if (draw::text_width(p.fonts.strong, place) > right - r.x0 && &place != &p.m.place.back()) continue;
    draw::text(p.list, p.fonts.strong, r.x0, r.y0 + (high - p.fonts.strong.size) / 2, p.c.text, place);
    break;
  }
  draw_walk(p, {r.x0, y1 + 5 * p.s, r.x1, r.y1});
  p.f.ui.rects.put("walk", {r.x0, y1 + 5 * p.s, r.x1, r.y1});
  return held;
}

}  // namespace

void draw_present_panel(const UiFrame& f) {
  const ImGuiIO& io = ImGui::GetIO();
  const Palette colours = present_palette(f.theme.colours.dark);
  const PresentModel& model = *f.views.present;
  f.ui.rects.within("present");
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, model.blank ? IM_COL32(0, 0, 0, 255) : colours.background);
  ImGui::Begin("present", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  PresentPen pen{f,       model,     compute_present_layout(io.DisplaySize.x, io.DisplaySize.y),
                 colours, moving(f), ImGui::GetWindowDrawList()};
  f.ui.spotlight = false;
  if (!model.blank) {
    draw_present_memories(pen);
    if (model.end && !pen.moving) {
      draw_present_end(pen);
    } else if (model.map && !model.map->facts.empty()) {
      draw_present_start(pen);
    } else {
      model.map ? draw_present_map(pen, pen.at.tile) : draw_tile(pen);
      draw_column(pen);
      draw_table(pen);
      draw_sentence(pen);
    }
    const bool on_button = draw_strip(pen);
    const draw::Rect screen{0, 0, io.DisplaySize.x, io.DisplaySize.y};
    const bool asked = (ImGui::IsMouseDown(0) && !on_button) || io.KeyShift;
    f.ui.spotlight = asked && screen.holds(io.MousePos) && f.session.view().dialog() == Dialog::None;
    if (f.ui.spotlight) draw_spotlight(pen);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  if (!model.blank && !f.ui.spotlight) draw_motion(f, colours);
}

}  // namespace tilewalk
