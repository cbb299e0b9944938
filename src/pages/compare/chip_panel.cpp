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

namespace {

// A bar for each part of the cycles that the model lacks, with its figure and its place. tip: how bars of the two
// differ in meaning.
void draw_lacking(const UiFrame& f, Panel& p, const std::vector<LackingCycles>& parts, const std::string& tip) {
  const float s = p.s, high = 12 * s;
  double most = 1;
  float figures = 0;
  for (const LackingCycles& part : parts) {
    most = std::max(most, double(part.cycles));
    figures = std::max(figures, draw::text_width(p.fonts.mono_strong, cycles_text(double(part.cycles))));
  }
  const float from = p.x + figures + 10 * s, longest = (p.x + p.width - from) * 0.35f;
  const float words_x = from + longest + 10 * s, room = p.x + p.width - words_x;
  const float top = p.y;
  for (const LackingCycles& part : parts) {
    const float lines = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, room, 0, part.where);
    const float all = std::max({high, p.fonts.mono_strong.size, lines}), middle = p.y + all / 2;
    draw::text_right(p.list, p.fonts.mono_strong, from - 10 * s, middle - p.fonts.mono_strong.size / 2, p.colours.text,
                     cycles_text(double(part.cycles)));
    const float wide = std::max(2 * s, float(std::max(0.0, double(part.cycles)) / most) * longest);
    const draw::Rect bar{from, middle - high / 2, from + wide, middle + high / 2};
    draw::box(p.list, bar, p.colours.accent, 2 * s);
    f.ui.rects.put("lacking " + part.where, bar);
    draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, words_x, middle - lines / 2, room, p.colours.muted, part.where);
    f.ui.rects.put("words of " + part.where, {words_x, middle - lines / 2, p.x + p.width, middle + lines / 2});
    p.y += all + 5 * s;
  }
  if (pointed_at(f, "lacking", {p.x, top, p.x + p.width, p.y})) tooltip(f, tip);
}

}  // namespace

void draw_chip_words_panel(const UiFrame& f, Panel& p) {
  const ChipComparison& m = *f.views.page<ComparePage>()->chip;
  const float s = p.s;
  p.caption(m.parts.empty() ? "How to read the two" : "Where they are");
  if (m.parts.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, m.reconciled) + 8 * s;
  else
    draw_lacking(f, p, m.parts, m.reconciled);
  for (const std::string& note : m.notes) {
    const float top = p.y;
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, note);
    explain(f, note, {p.x, top, p.x + p.width, p.y}, note);
    p.y += 3 * s;
  }
}

}  // namespace tilewalk
