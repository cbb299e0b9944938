#include <algorithm>

#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/panels.h"
#include "view/hand/hide.h"
#include "view/units.h"

namespace tilewalk {

namespace {

struct Beside {  // a grid of numbers to the right of the output, with a name before it
  std::string name;
  ImU32 ink;
  float gap;  // between the two
  const std::vector<float>& values;
  std::int64_t cols;
};

template <class Fill>
void draw_beside(const UiFrame& f, Panel& p, const Beside& grid, ImVec2 corner, float wide, float high,
                 std::int64_t most_rows, Fill fill_of) {
  draw::text_right(p.list, p.fonts.tiny, corner.x - grid.gap, corner.y + (high - p.fonts.tiny.size) / 2, grid.ink,
                   grid.name);
  for (std::size_t i = 0; i < grid.values.size() && std::int64_t(i) < most_rows * grid.cols; ++i) {
    const float x = corner.x + float(std::int64_t(i) % grid.cols) * wide,
                y = corner.y + float(std::int64_t(i) / grid.cols) * high;
    const draw::Rect cell{x, y, x + wide - 2, y + high - 2};
    const ImU32 fill = fill_of(grid.values[i]);
    draw::box(p.list, cell, fill, 2 * p.s);
    const std::string text = paper_number(f.session.problem(), grid.values[i]);
    const Font& font = draw::text_width(p.fonts.mono, text) < cell.width() - 3 ? p.fonts.mono : p.fonts.tiny;
    if (draw::text_width(font, text) < cell.width()) draw::text_in(p.list, font, cell, ink_on(fill), text);
  }
}

// Which quantity the tile's elements are asked as.
HandQuantity asked_of(const UiFrame& f) {
  switch (shown_tile(f.session.state(), row_of(f.session.problem())).tensor) {
    case TensorId::dQ: return HandQuantity::DQ;
    case TensorId::dK: return HandQuantity::DK;
    case TensorId::dV: return HandQuantity::DV;
    default: return HandQuantity::O;
  }
}

}  // namespace

// Numbers keep their size; a picture's rows share what there is.
float o_row_height(const OTileModel& m, const SideShares& shares) {
  const float each = shares.o_most / float(std::max<std::int64_t>(1, m.rows));
  return m.numbers ? std::clamp(each, shares.o_row_least, 1.5f * shares.o_row_least) : 0.87f * each;
}

std::int64_t o_rows_shown(const OTileModel& m, const SideShares& shares) {
  return std::clamp<std::int64_t>(std::int64_t(shares.o_most / o_row_height(m, shares) + 0.01f), 1, m.rows);
}

void draw_o_tile_panel(const UiFrame& f, Panel& p, const SideShares& shares) {
  const OTileModel& m = f.views.walk->o_tile;
  const float s = p.s;
  p.caption(m.title);
  if (m.rows == 0) {
    draw::text(p.list, p.fonts.body, p.x, p.y - 2 * s, p.colours.faint, m.note);
    p.y += 34 * s;
    return;
  }
  const float high = o_row_height(m, shares);
  const OperandTile& into = f.views.walk->into_o;
  static const std::vector<float> kNothing;
  const std::vector<float>& should = m.numbers && f.views.walk->fault ? f.views.walk->fault->right_o : kNothing;
  const bool two = !into.empty() || !should.empty();
  // Side by side, but where numbers would lose digits: then one above the other, and the column scrolls.
  const float most_cols = float(std::max<std::int64_t>(m.cols, into.empty() ? 0 : into.d));
  const bool beside_it =
      two && (p.width - 26 * s) / 2 / most_cols >= draw::text_width(p.fonts.tiny, "−0.00") + 3 + 1 * s;
  const float room = two && beside_it ? (p.width - 26 * s) / 2 : p.width - (two ? 26 * s : 0);
  const float wide = m.numbers ? std::min(60 * s, room / float(m.cols)) : p.width / float(m.cols);
  const std::int64_t rows = o_rows_shown(m, shares);
  const float scale = m.largest > 0 ? m.largest : 1;
  const bool many = m.rows * m.cols > 64;
  const HandQuantity quantity = asked_of(f);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < m.cols; ++c) {
      const float v = m.values[std::size_t(r * m.cols + c)];
      const draw::Rect cell{p.x + float(c) * wide, p.y + float(r) * high, p.x + float(c + 1) * wide - (many ? 0 : 2),
                            p.y + float(r + 1) * high - (many ? 0 : 2)};
      if (std::size_t(r * m.cols + c) < m.hidden.size() || f.session.hand().on()) {
        const HandPlace asked{quantity, m.row_of(r), m.col_of(c)};
        if (m.numbers && draw_hand_field(f, asked, cell, p.fonts.mono)) continue;
        if (!m.hidden.empty() && m.hidden[std::size_t(r * m.cols + c)]) {
          draw::box(p.list, cell, p.colours.panel, 2 * s, p.colours.cell_line);
          continue;
        }
      }
      const ImU32 fill = diverging(p.colours, v / scale);
      const bool wrong = !should.empty() && compact_number(v) != compact_number(should[std::size_t(r * m.cols + c)]);
      draw::box(p.list, cell, fill, many ? 0 : 2 * s, wrong ? p.colours.bad : 0, 2 * s);
      if (m.numbers) {
        const std::string text = paper_number(f.session.problem(), v);
        draw::text_in(p.list, draw::text_width(p.fonts.mono, text) < cell.width() - 3 ? p.fonts.mono : p.fonts.tiny,
                      cell, ink_on(fill), text);
      }
    }
  const ImVec2 beside = beside_it ? ImVec2(p.x + wide * float(m.cols) + 26 * s, p.y)
                                  : ImVec2(p.x + 26 * s, p.y + high * float(rows) + 12 * s);
  if (!should.empty())
    draw_beside(f, p, {"right", p.colours.good, 2 * s, should, m.cols}, beside, wide, high, rows,
                [&](float v) { return diverging(p.colours, v / scale); });
  else if (!into.empty())
    draw_beside(f, p, {tile_name(into.tensor, into.tile), p.colours.muted, 6 * s, into.values, into.d}, beside, wide,
                high, rows, [&](float) { return mix(hue(p.colours, into.tensor), p.colours.panel, 0.75f); });
  const draw::Rect area{p.x, p.y, p.x + wide * float(m.cols), p.y + high * float(rows)};
  f.ui.rects.put("o numbers", area);
  halo(f, p.list, "o", area);
  if (hit(f, "o tile", area).hovered) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    const std::int64_t r = std::min<std::int64_t>(rows - 1, std::int64_t((at.y - area.y0) / high)),
                       c = std::min<std::int64_t>(m.cols - 1, std::int64_t((at.x - area.x0) / wide));
    tooltip(f.theme, words_of_output(inspected_output(f.session, m.row_of(r), m.col_of(c))));
  }
  p.y = area.y1 + 16 * s;
  if (two && !beside_it) {
    const std::size_t cols = std::size_t(should.empty() ? into.d : m.cols),
                      values = should.empty() ? into.values.size() : should.size();
    p.y = beside.y + high * float(std::min(rows, std::int64_t(values / std::max<std::size_t>(1, cols)))) + 16 * s;
  }
}

}  // namespace tilewalk
