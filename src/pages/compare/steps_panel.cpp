// The walk's buttons below the lanes, its place in words, and its steps on one line.
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "pages/compare/compare_page.h"
#include "ui/panels/panels.h"
#include "ui/panels/pipes/pipes_foot.h"

namespace tilewalk {

void draw_compare_steps_panel(const UiFrame& f, Panel& p) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const float s = p.s, high = 26 * s, middle = (p.rect.y0 + p.rect.y1) / 2;
  const float from = draw_walk_buttons(f, p, p.x, middle - high / 2) + 10 * s, end = p.x + p.width;
  const float words = std::min(draw::text_width(p.fonts.strong, page.steps_text), (end - from) * 0.6f);
  draw::text(p.list, p.fonts.strong, from, middle - p.fonts.strong.size / 2, p.colours.text,
             draw::elided(p.fonts.strong, page.steps_text, words));
  const draw::Rect track{from + words + 16 * s, middle - 4 * s, end, middle + 4 * s};
  if (track.width() < 40 * s) return;
  const std::int64_t steps = f.session.schedule().step_count(), cursor = f.session.cursor();
  const float at = track.x0 + float(double(cursor) / double(std::max<std::int64_t>(1, steps))) * track.width();
  draw::box(p.list, track, p.colours.track, 3 * s, p.colours.border);
  draw::box(p.list, {track.x0, track.y0, at, track.y1}, p.colours.done, 3 * s);
  p.list->AddLine(ImVec2(at, track.y0 - 4 * s), ImVec2(at, track.y1 + 4 * s), p.colours.now_line,
                  std::max(1.0f, 1.6f * s));
  const Hit h = hit(f, "steps", {track.x0, middle - 12 * s, track.x1, middle + 12 * s});
  const double share = std::clamp(double((ImGui::GetIO().MousePos.x - track.x0) / track.width()), 0.0, 1.0);
  const auto there = std::int64_t(std::llround(share * double(steps)));
  if (h.hovered) tooltip(f, "Step " + format_count(there) + ". Click or drag to go there.");
  if ((h.held || h.clicked) && there != cursor) f.push(GoToStep{there});
}

}  // namespace tilewalk
