// A kernel's mark in the panels of the race, and rows of figures after marks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pages/race/race_model.h"
#include "ui/panel.h"
#include "ui/panels/columns.h"
#include "ui/widgets.h"

namespace tilewalk {

ImU32 colour_of(const Palette&, const RaceLook&);
void draw_mark(const Panel&, const RaceLook&, const ImVec2& at, float radius);

// A mark with the name of its rung, and figures.
template <class Row>
void draw_race_rows(const UiFrame& f, Panel& p, const std::vector<std::string>& heads, const std::vector<Row>& rows,
                    const std::function<bool(const Row&)>& is_best) {
  const float s = p.s;
  float names = 0;
  std::vector<const std::vector<std::string>*> cells;
  for (const Row& row : rows) {
    names = std::max(names, 22 * s + draw::text_width(p.fonts.strong, row.title));
    cells.push_back(&row.cells);
  }
  const Columns columns(p, names, heads, cells);
  columns.draw_heads(f, p, heads);
  for (const Row& row : rows) {
    p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
    const Font& name = is_best(row) ? p.fonts.strong : p.fonts.body;
    const float middle = p.y + columns.name_middle();
    draw_mark(p, row.look, {p.x + 8 * s, middle}, 4 * s);
    draw::text(p.list, name, p.x + 22 * s, middle - name.size / 2, p.colours.text,
               draw::elided(name, row.title, p.width - 22 * s));
    explain(f, "of " + row.title, {p.x, p.y, p.x + names, p.y + 20 * s}, row.title);
    columns.draw_figures(p, is_best(row) ? p.fonts.mono_strong : p.fonts.mono_small, p.colours.text, row.cells);
    p.y += columns.row_height();
  }
}

}  // namespace tilewalk
