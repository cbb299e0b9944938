// Where each number of the roofline comes from: every method with its floors and times, why, and eager line by line.
#include <algorithm>

#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

void draw_methods(const UiFrame& f, Panel& p, const RooflinePage& m) {
  const float s = p.s;
  float names = 60 * s, walk = 0;
  for (const RooflineRow& row : m.rows) {
    names = std::max(names, draw::text_width(p.fonts.body, row.title) + 10 * s);
    if (row.walk) walk = draw::text_width(p.fonts.body, "Walk it") + 26 * s;
  }
  names = std::min(names, p.width * 0.16f);
  const float pitch = (p.width - names - walk) / float(m.heads.size());
  const auto right = [&](std::size_t column) { return p.x + names + pitch * float(column + 1); };
  for (std::size_t i = 0; i < m.heads.size(); ++i)
    word_right(f, p.fonts.tiny, right(i), p.y, p.colours.muted, draw::elided(p.fonts.tiny, m.heads[i], pitch - 4 * s));
  p.y += 18 * s;
  for (const RooflineRow& row : m.rows) {
    const float high = 26 * s, middle = p.y + high / 2;
    p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
    draw::text(p.list, p.fonts.body, p.x, middle - p.fonts.body.size / 2, p.colours.text,
               draw::elided(p.fonts.body, row.title, names - 6 * s));
    explain(f, "of " + row.title, {p.x, p.y, p.x + names, p.y + high}, row.title);
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      draw::text_right(p.list, p.fonts.mono_small, right(i), middle - p.fonts.mono_small.size / 2, p.colours.text,
                       draw::elided(p.fonts.mono_small, row.cells[i], pitch - 4 * s));
    if (row.walk && button(f, {.id = "walk " + row.walk->method,
                               .rect = {p.x + p.width - walk + 10 * s, p.y + 2 * s, p.x + p.width, p.y + high - 2 * s},
                               .label = "Walk it",
                               .tip = row.walk_tip}))
      f.push(*row.walk);
    p.y += high;
  }
  p.y += 8 * s;
}

void draw_callout(Panel& p, const std::string& words) {
  const float s = p.s, inner = p.width - 30 * s;
  const float high = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, inner, 0, words) + 20 * s;
  draw::box(p.list, {p.x, p.y, p.x + p.width, p.y + high}, p.colours.callout, 6 * s);
  draw::box(p.list, {p.x, p.y, p.x + 3 * s, p.y + high}, p.colours.accent, 0);
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x + 16 * s, p.y + 10 * s, inner, p.colours.text, words);
  p.y += high + 8 * s;
}

// Each line of Python is a trip to HBM.
void draw_eager(const UiFrame& f, Panel& p, const RooflinePage& m) {
  const float s = p.s, right = p.x + p.width, bytes = right - 92 * s;
  p.y += 4 * s;
  p.caption("Eager: as people write it in PyTorch");
  word_right(f, p.fonts.tiny, bytes, p.y - 20 * s, p.colours.muted, "bytes");
  word_right(f, p.fonts.tiny, right, p.y - 20 * s, p.colours.muted, "takes");
  for (const OperationLine& line : m.eager) {
    const float middle = p.y + 10 * s, at = middle - p.fonts.mono_small.size / 2;
    p.list->AddLine({p.x, p.y}, {right, p.y}, p.colours.row_line, draw::hairline());
    draw::text(p.list, p.fonts.mono_small, p.x, at, p.colours.text,
               draw::elided(p.fonts.mono_small, line.line, bytes - 84 * s - p.x));
    draw::text_right(p.list, p.fonts.mono_small, bytes, at, p.colours.text, line.bytes);
    draw::text_right(p.list, p.fonts.mono_small, right, at, p.colours.text, line.ms);
    p.y += 20 * s;
  }
  p.y += 4 * s;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.trips) + 8 * s;
}

}  // namespace

void draw_roofline_table_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.roofline;
  const float s = p.s;
  p.caption("Where each number comes from");
  if (m.rows.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted,
                           "Bytes, floors, the method on paper, the model and the recording come with the answers.") +
           6 * s;
  else
    draw_methods(f, p, m);
  if (!m.sentence.empty()) draw_callout(p, m.sentence);
  for (const std::string& note : m.notes)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, note) + 4 * s;
  for (const std::string& each : m.absent)
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, each) + 2 * s;
  if (!m.absent.empty()) p.y += 6 * s;
  if (!m.eager.empty()) draw_eager(f, p, m);
  p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.source);
}

}  // namespace tilewalk
