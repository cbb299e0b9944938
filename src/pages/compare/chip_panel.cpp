// Below the recorded lanes: mean cycles by kind of work, the chip's bar above the model's, and the words about them.
#include <algorithm>

#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/panels/panels.h"
#include "view/words/units.h"

namespace tilewalk {

void draw_chip_kinds_panel(const UiFrame& f, Panel& p) {
  const ChipComparison& m = *f.views.page<ComparePage>()->chip;
  const float s = p.s;
  p.caption("Mean cycles by kind of work · of a consumer's tile visit");
  float names = 0, figures = 0;
  for (const KindCycles& each : m.kinds) {
    names = std::max(names, draw::text_width(p.fonts.body, each.name));
    for (const double cycles : {each.chip, each.model})
      figures = std::max(figures, draw::text_width(p.fonts.mono_small, cycles_text(cycles)));
  }
  const float sides = std::max(draw::text_width(p.fonts.tiny, "chip"), draw::text_width(p.fonts.tiny, "model")) + 8 * s;
  const float from = p.x + names + 14 * s + sides, most = p.x + p.width - figures - 8 * s - from;
  const float least = 2 * std::max(p.fonts.tiny.em, p.fonts.mono_small.em) + 3 * s;
  const float each_high =
      std::clamp((p.rect.y1 - 12 * s - p.y) / float(std::max<std::size_t>(1, m.kinds.size())), least, 48 * s);
  for (const KindCycles& each : m.kinds) {
    const draw::Rect row{p.x, p.y, p.x + p.width, p.y + each_high - 3 * s};
    draw::text(p.list, p.fonts.body, p.x, (row.y0 + row.y1 - p.fonts.body.size) / 2, p.colours.text, each.name);
    const float half = row.height() / 2;
    for (int side = 0; side < 2; ++side) {
      const double cycles = side == 0 ? each.chip : each.model;
      const float y0 = row.y0 + half * float(side), middle = y0 + half / 2, thick = std::min(half - 2 * s, 9 * s) / 2;
      const ImU32 fill = colour_of(p.colours, each.kind);
      const ImU32 frame = each.kind == LaneBoxKind::Waiting ? p.colours.muted : fill;
      const draw::Rect bar{from, middle - thick,
                           from + std::max(s, float(m.most > 0 ? cycles / m.most : 0) * std::max(0.0f, most)),
                           middle + thick};
      // The model's bar has an outline, so it differs by more than its place.
      draw::box(p.list, bar, side == 0 ? fill : mix(p.colours.panel, fill, 0.35f), 2 * s,
                side == 1 || each.kind == LaneBoxKind::Waiting ? frame : 0);
      if (each.kind == LaneBoxKind::Waiting) draw::hatch(p.list, bar, p.colours.muted, 5 * s, s);
      draw::text(p.list, p.fonts.tiny, from - sides, middle - p.fonts.tiny.size / 2, p.colours.muted,
                 side == 0 ? "chip" : "model");
      draw::text(p.list, p.fonts.mono_small, bar.x1 + 6 * s, middle - p.fonts.mono_small.size / 2, p.colours.text,
                 cycles_text(cycles));
      f.ui.rects.put(each.name + (side == 0 ? " chip" : " model"), bar);
    }
    if (hit(f, "kind " + each.name, row).hovered) tooltip(f, each.tip);
    p.y += each_high;
  }
}

void draw_chip_words_panel(const UiFrame& f, Panel& p) {
  const ChipComparison& m = *f.views.page<ComparePage>()->chip;
  const float s = p.s;
  p.caption("How to read the two");
  // One sentence for the room's eye; the rest is small.
  const std::string& first = m.lacks.empty() ? m.reconciled : m.lacks;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, first) + 8 * s;
  std::vector<std::string> notes = m.notes;
  if (!m.lacks.empty()) notes.insert(notes.begin(), m.reconciled);
  for (const std::string& note : notes) {
    const float top = p.y;
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, note);
    explain(f, note, {p.x, top, p.x + p.width, p.y}, note);
    p.y += 3 * s;
  }
}

}  // namespace tilewalk
