#include "pages/race/race_marks.h"

#include <algorithm>

#include "ui/panels/columns.h"
#include "ui/plot.h"

namespace tilewalk {
namespace {

plot::Mark mark_of(RaceShape shape) {
  switch (shape) {
    case RaceShape::Square: return plot::Mark::Square;
    case RaceShape::Triangle: return plot::Mark::Triangle;
    case RaceShape::Circle: return plot::Mark::Circle;
    case RaceShape::Diamond: return plot::Mark::Diamond;
  }
  return plot::Mark::Square;
}

constexpr float kMostSpare = 20;  // height that a row has beside its figures, before scaling

}  // namespace

draw::Sign sign_of_missing(bool no_memory) { return no_memory ? draw::Sign::Cross : draw::Sign::Ring; }

ImU32 colour_of(const Palette& c, const RaceLook& look) { return hue_of_generation(c, look.colour); }

void draw_mark(const Panel& p, const RaceLook& look, const ImVec2& at, float radius) {
  plot::mark(p.list, mark_of(look.shape), at, radius, colour_of(p.colours, look), look.hollow, p.colours.panel,
             1.6f * p.s);
}

void draw_race_rows(const UiFrame& f, Panel& p, const std::vector<std::string>& heads,
                    const std::vector<RaceLine>& rows, float below) {
  const float s = p.s;
  float names = 0;
  std::vector<const std::vector<std::string>*> cells;
  for (const RaceLine& row : rows) {
    names = std::max(names, 22 * s + draw::text_width(p.fonts.strong, row.title));
    cells.push_back(&row.cells);
  }
  const Columns columns(p, names, heads, cells);
  columns.draw_heads(f, p, heads);
  const float count = float(std::max<std::size_t>(1, rows.size())),
              free = (p.rect.y1 - 14 * s - below - p.y) / count - columns.row_height(),
              more = std::clamp(free, 0.0f, kMostSpare * s);
  for (const RaceLine& row : rows) {
    p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
    const Font& name = row.best ? p.fonts.strong : p.fonts.body;
    p.y += more / 2;
    const float middle = p.y + columns.name_middle();
    draw_mark(p, row.look, {p.x + 8 * s, middle}, 4 * s);
    draw::text(p.list, name, p.x + 22 * s, middle - name.size / 2, p.colours.text,
               draw::elided(name, row.title, p.width - 22 * s));
    explain(f, "of " + row.title, {p.x, p.y, p.x + names, p.y + 20 * s}, row.title);
    if (!row.under_way)
      columns.draw_figures(p, row.best ? p.fonts.mono_strong : p.fonts.mono_small, p.colours.text, row.cells);
    p.y += columns.row_height() + more / 2;
  }
}

}  // namespace tilewalk
