// A row with a button that opens the schedule of the kernel that runs, and the words for it.
#pragma once

#include <string>

#include "ui/panels/panels.h"

namespace tilewalk {

inline void draw_walk_it(const UiFrame& f, Panel& p, const std::string& id, std::string_view tip,
                         const std::string& opens, Action action) {
  const float s = p.s, w = button_width(p.theme, "Walk it", 28);
  const draw::Rect place{p.x, p.y, p.x + w, p.y + 28 * s};
  if (button(f, {.id = id, .rect = place, .label = "Walk it", .tip = tip, .strong = true})) f.push(action);
  draw::text(p.list, p.fonts.body, p.x + w + 12 * s, p.y + 14 * s - p.fonts.body.size / 2, p.colours.text,
             draw::elided(p.fonts.body, "Opens " + opens + ".", p.width - w - 12 * s));
  p.y += 28 * s;
}

}  // namespace tilewalk
