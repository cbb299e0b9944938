// The table for a room: max and sum, or the rows of the output; at its left what the output's row is multiplied with.
#include <algorithm>

#include "ui/mistake_marks.h"
#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/present/present_parts.h"

namespace tilewalk {
namespace {

// The widest figure that a column usually has; maxima and outputs have a sign.
const char* usual_figure(const PresentTable& t, std::size_t c) {
  if (c == 0) return "";
  const bool has_sign = t.output ? int(c) != t.alpha_column : t.columns[c].find('m') != std::string::npos;
  return has_sign ? "−0.00" : "0.00";
}

// Of the head and the figures of a column of the table, before the step and after it, and the space beside them. usual:
// with room for the column's usual figure.
float table_column_width(const PresentPen& p, std::size_t c, bool usual = false) {
  const PresentTable& t = p.m.table;
  float wide = draw::text_width(p.fonts.body, t.columns[c]);
  if (usual) wide = std::max(wide, draw::text_width(p.fonts.mono_strong, usual_figure(t, c)));
  const auto make_room = [&](const PresentTable& of) {
    for (const PresentTableRow& row : of.rows)
      if (c < row.cells.size()) wide = std::max(wide, draw::text_width(p.fonts.mono_strong, row.cells[c]));
  };
  make_room(t);
  if (p.m.moving && p.m.moving->table.columns == t.columns) make_room(p.m.moving->table);
  return wide + 8 * p.s;
}

}  // namespace

void draw_present_column(PresentPen& p) {
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
  draw::text(p.list, p.fonts.strong, r.x0, r.y0, letters_of(p.c, of.tensor), of.title);
  const float row = row_height(p, p.m.table.rows.size());
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

namespace {

// Columns have the width of their usual figures, so that they stay where they are from phase to phase. Where that is
// too wide they have the width of the figures shown, and where that is too wide, columns that follow from the others
// are dropped.
std::vector<float> column_widths(const PresentPen& p, std::vector<std::size_t>& shown) {
  const PresentTable& t = p.m.table;
  bool usual = true;
  const auto total = [&] {
    float sum = 0;
    for (const std::size_t c : shown) sum += table_column_width(p, c, usual);
    return sum;
  };
  if (total() > p.at.table.width()) usual = false;
  for (const char* dispensable : {"tile ℓ", "tile max", "m", "ℓ"}) {
    if (total() <= p.at.table.width()) break;
    std::erase_if(shown, [&](std::size_t c) {
      return t.columns[c] == dispensable &&
             std::none_of(t.rows.begin(), t.rows.end(), [&](const PresentTableRow& r) { return r.asked == int(c); });
    });
  }
  const float spare = std::max(0.0f, p.at.table.width() - total()) / float(std::max<std::size_t>(1, shown.size()));
  std::vector<float> widths;
  for (const std::size_t c : shown) widths.push_back(table_column_width(p, c, usual) + spare);
  return widths;
}

bool is_of_head(const PresentTable& t, std::size_t c) { return t.output && c >= t.first_head; }
std::int64_t head_column(const PresentTable& t, std::size_t c) { return std::int64_t(c) - std::int64_t(t.first_head); }

bool has_landed(const PresentPen& p, const PresentTableRow& row, std::size_t c) {
  if (!p.moving || c >= p.m.table.quantities.size()) return true;
  const std::optional<Quantity> quantity = p.m.table.quantities[c];
  const Motion& motion = p.moving->motion;
  if (motion.values.empty()) return true;
  return is_of_head(p.m.table, c) ? motion.has_landed(*quantity, row.row, head_column(p.m.table, c), p.moving->t)
                                  : motion.span_of_figure(quantity, row.row).has_landed(p.moving->t);
}

// The row before the step, until the number of that column has landed.
const PresentTableRow& row_seen(const PresentPen& p, std::size_t r, std::size_t c) {
  const PresentTableRow& row = p.m.table.rows[r];
  if (!p.moving || row.right || p.moving->motion.values.empty() || c >= p.m.table.quantities.size()) return row;
  const PresentTable& was = p.m.moving->table;
  const auto before =
      std::find_if(was.rows.begin(), was.rows.end(), [&](const PresentTableRow& each) { return each.row == row.row; });
  if (before == was.rows.end() || was.columns != p.m.table.columns) return row;
  if (before->cells.size() != row.cells.size() || before->cells[c] == row.cells[c]) return row;
  return has_landed(p, row, c) ? row : *before;
}

void note_figure(const PresentPen& p, const PresentTableRow& row, std::size_t c, const draw::Rect& r) {
  if (!p.moving) return;
  if (row.right || c >= p.m.table.quantities.size() || !p.m.table.quantities[c] || c == 0) {
    p.moving->places.at[{PlaceKind::Words, 0, row.row, std::int64_t(c), row.right ? "right" : "figure"}] = r;
    return;
  }
  const int quantity = int(*p.m.table.quantities[c]);
  p.moving->places
      .at[is_of_head(p.m.table, c) ? MovingPlace{PlaceKind::Output, quantity, row.row, head_column(p.m.table, c)}
                                   : MovingPlace{PlaceKind::Figure, quantity, row.row, 0}] = r;
}

// The place of a number in work by hand; empty for the row's name, and for a column that is of no quantity.
std::optional<HandPlace> hand_place(const PresentTable& t, const PresentTableRow& row, std::size_t c) {
  if (c == 0 || c >= t.quantities.size() || !t.quantities[c] || row.right) return std::nullopt;
  return HandPlace{*t.quantities[c], row.row, is_of_head(t, c) ? head_column(t, c) : -1};
}

// One for a row whose numbers are framed as wrong: in their cells a minus may leave no space for it.
void draw_cross_of_row(const PresentPen& p, std::size_t at, const draw::Rect& name) {
  const float side = std::min(0.5f * name.height(), 20 * p.s), y = name.middle().y - side / 2, x = name.x0 + 4 * p.s;
  const draw::Rect r{x, y, x + side, y + side};
  draw::sign(p.list, sign_of_mistake(p.f), r, ink_of_mistake(p.f, p.c), 0.1f * side);
  p.f.ui.rects.put("cross of row " + std::to_string(at), r);
}

}  // namespace

void draw_present_table(const PresentPen& p) {
  const PresentTable& t = p.m.table;
  const draw::Rect& r = p.at.table;
  if (t.columns.empty()) return;  // this step has no numbers of rows
  draw_present_title(p, r, t.title);
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < t.columns.size(); ++c) shown.push_back(c);
  const std::vector<float> widths = column_widths(p, shown);
  float all = 0;
  for (const float w : widths) all += w;
  const float row = row_height(p, t.rows.size()), pad = 4 * p.s;
  float y = r.y0 + p.at.title;
  float x = r.x0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    x += widths[i];
    const std::string& head = t.columns[shown[i]];
    draw::text_right(p.list, p.fonts.body, x - pad, y + (row - p.fonts.body.size) / 2, p.c.muted, head);
    note_label(p.f, 0, std::int64_t(shown[i]), "head",
               {x - pad - draw::text_width(p.fonts.body, head), y, x - pad, y + row});
  }
  y += row;
  const float top = y;
  for (std::size_t r_at = 0; r_at < t.rows.size(); ++r_at) {
    const PresentTableRow& line = t.rows[r_at];
    p.list->AddLine(ImVec2(r.x0, y), ImVec2(r.x0 + all, y), p.c.row_line, draw::hairline());
    const draw::Rect mark{r.x0, y + 1, r.x0 + all, y + row - 1};
    if (line.spoken) draw::box(p.list, mark, p.c.row_mark, 3 * p.s);
    x = r.x0;
    bool wrong = false;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      x += widths[i];
      const std::size_t c = shown[i];
      if (c >= line.cells.size()) continue;
      const bool asked = line.asked == int(c), alpha = int(c) == t.alpha_column && line.rescaled;
      const Font& font = asked || alpha ? p.fonts.mono_strong : p.fonts.mono;
      if (const std::optional<HandPlace> place = hand_place(t, line, c);
          place && draw_hand_field(p.f, *place, {x - widths[i] + pad / 2, y + 2, x, y + row - 2}, p.fonts.mono))
        continue;
      const PresentTableRow& seen = row_seen(p, r_at, c);
      const std::string figure = line.right && !has_landed(p, line, c) ? "" : seen.cells[c];
      const draw::Rect cell{x - widths[i] + pad, y + 2, x, y + row - 2};
      note_figure(p, line, c, cell);
      const draw::Rect number{x - pad - draw::text_width(font, figure), y + (row - font.size) / 2, x - pad,
                              y + (row + font.size) / 2};
      p.f.ui.rects.put("figure " + std::to_string(r_at) + " " + t.columns[c], number);
      // The colours of the output are those of the walk.
      const bool coloured = is_of_head(t, c) && !line.right && c < seen.shades.size() && !figure.empty();
      const ImU32 fill = coloured ? diverging(p.c, seen.shades[c]) : 0;
      if (coloured) draw::box(p.list, cell, fill, 3 * p.s);
      if (coloured) p.f.ui.rects.put("shade " + std::to_string(r_at) + " " + t.columns[c], cell);
      if (asked) draw::box(p.list, cell, p.c.accent, 3 * p.s);
      if (c < line.wrong.size() && line.wrong[c] && &seen == &line) {
        draw_present_wrong(p, cell.inset(p.s), number, font, figure, false);
        wrong = true;
      }
      draw::text_right(p.list, font, x - pad, y + (row - font.size) / 2,
                       asked                                ? p.c.accent_text
                       : line.right                         ? p.c.good
                       : alpha                              ? p.c.changed
                       : coloured                           ? ink_on(fill)
                       : c < t.dimmed.size() && t.dimmed[c] ? p.c.faint
                                                            : p.c.text,
                       figure.empty() ? "·" : figure);
    }
    if (wrong) draw_cross_of_row(p, r_at, {mark.x0, mark.y0, mark.x0 + widths[0], mark.y1});
    if (line.spoken) draw::box(p.list, mark, 0, 3 * p.s, p.c.now_line, 2 * p.s);
    y += row;
  }
  if (t.rows.empty()) draw::text(p.list, p.fonts.body, r.x0, y, p.c.muted, "No rows are on chip.");
  p.f.ui.rects.put("table", {r.x0, top, r.x0 + all, y});
}

}  // namespace tilewalk
