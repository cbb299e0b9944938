// The bytes of the learner's run beside the ledger of the schedule that it follows, and other counts.
#include "pages/lab/lab_model.h"
#include "ui/panels/panels.h"

namespace tilewalk {

void draw_lab_traffic_panel(const UiFrame& f, Panel& p) {
  const LabPage& page = *f.views.page<LabPage>();
  const float s = p.s;
  p.caption("HBM traffic, whole run");
  if (page.bars.empty()) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                           "A run counts every byte that your kernel reads from HBM and writes to it.");
    return;
  }
  for (const TrafficBar& bar : page.bars) {
    draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.text, bar.label);
    draw::text_right(p.list, p.fonts.strong, p.x + p.width, p.y, p.colours.text, bar.text);
    p.y += draw::leading(p.fonts.body);
    const draw::Rect track{p.x, p.y, p.x + p.width, p.y + 14 * s};
    draw::box(p.list, track, p.colours.track, 3 * s);
    draw_traffic_parts(p, bar, track);
    std::string tip = bar.label;
    for (const TrafficPart& part : bar.parts) tip += "\n" + text_of(part);
    if (pointed_at(f, "lab bar " + bar.label, track)) tooltip(f, tip);
    p.y = track.y1 + 6 * s;
  }
  const float line = p.fonts.body.size + 4 * s;
  // Whole rows alone; the tooltip has all of them.
  const bool all = f.layout.scale.stacked || !page.printed.empty();
  const float top = p.y;
  std::string tip;
  for (const LabFact& fact : page.facts)
    tip += (tip.empty() ? "" : "\n") + fact.name + ": " + fact.value + (fact.beside.empty() ? "" : ", " + fact.beside);
  for (const LabFact& fact : page.facts) {
    if (!all && p.y + line > p.rect.y1 - 8 * s) break;
    draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.muted, fact.name);
    draw::text_right(p.list, p.fonts.mono, p.x + p.width * 0.62f, p.y, p.colours.text, fact.value);
    draw::text_right(p.list, p.fonts.tiny, p.x + p.width, p.y + (p.fonts.body.size - p.fonts.tiny.size) / 2,
                     p.colours.muted, fact.beside);
    p.y += line;
  }
  if (p.y > top && pointed_at(f, "lab facts", {p.x, top, p.x + p.width, p.y})) tooltip(f, with_meanings(tip, tip));
  if (page.printed.empty()) return;
  p.y += 4 * s;
  p.caption("Printed");
  p.y +=
      draw::paragraph(p.list, p.fonts.mono_small, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text, page.printed);
}

}  // namespace tilewalk
