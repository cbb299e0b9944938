// Rows of tags as choices, each after its title. A Row has a title and tags; a tag has a label, whether it is active,
// and the command that chooses it. Rows and tags wrap.
#pragma once

#include <algorithm>
#include <vector>

#include "ui/panels/panels.h"
#include "view/words/glossary.h"

namespace tilewalk {

// A row of tags after its title; wraps to the next line where a tag does not fit. Returns its right end.
template <class Row>
float tag_row(const UiFrame& f, const Panel& p, const Row& row, float x, float& y) {
  const float s = p.s, high = 24 * s;
  x += word(f, p.fonts.tiny, x, y + (high - p.fonts.tiny.size) / 2, p.colours.muted, row.title) + 8 * s;
  for (const auto& one : row.tags) {
    const float w = std::max(draw::text_width(p.fonts.strong, one.label), 14 * s) + 16 * s;
    if (x + w > p.x + p.width && x > p.x) x = p.x, y += 30 * s;
    const draw::Rect r{x, y, x + w, y + high};
    const bool chosen = tag(f, {.id = row.title + one.label,
                                .rect = r,
                                .label = one.label,
                                .tip = meanings(terms_in(one.label)),
                                .font = one.active ? p.fonts.strong : p.fonts.body,
                                .ink = one.active ? p.colours.text : p.colours.button_text,
                                .fill = one.active ? p.colours.tab : p.colours.button,
                                .hovered = one.active ? p.colours.tab : p.colours.button_hover,
                                .border = one.active ? p.colours.accent : p.colours.border,
                                .rounding = 5 * s,
                                .enabled = !one.active});
    if (chosen) f.push(one.choice);
    x = r.x1 + 4 * s;
  }
  return x + 14 * s;
}

template <class Row>
float tags_width(const Panel& p, const Row& row) {
  float w = draw::text_width(p.fonts.tiny, row.title) + 8 * p.s;
  for (const auto& tag : row.tags) w += std::max(draw::text_width(p.fonts.strong, tag.label), 14 * p.s) + 20 * p.s;
  return w;
}

template <class Row>
void wrapped_tags(const UiFrame& f, Panel& p, const std::vector<Row>& rows) {
  float x = p.x;
  for (const Row& row : rows) {
    if (x > p.x && x + tags_width(p, row) > p.x + p.width) x = p.x, p.y += 30 * p.s;
    x = tag_row(f, p, row, x, p.y);
  }
  p.y += 26 * p.s;
}

}  // namespace tilewalk
