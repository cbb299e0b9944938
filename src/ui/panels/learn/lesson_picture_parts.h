// The parts of a lesson's picture that have files of their own. Internal to ui/panels/learn.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

namespace tilewalk {

inline ImU32 fill_of(const Panel& p, const PictureItemModel& item) {
  return item.hue ? hue(p.colours, *item.hue) : p.colours.accent;
}

// The steps of an order task between the two memories, in the learner's order: one column each. Returns the lower end.
float draw_trips(const UiFrame&, const Panel&, const LessonPictureModel&, const draw::Rect& area);

// Draws the cells of the first item down, those of the second across, and between them a cell for each pair, which is
// empty while the pairs are asked for. Returns the lower end.
float draw_pairs(const UiFrame&, const Panel&, const LessonPictureModel&, const draw::Rect& area);

// Matrices of equal tiles under a causal mask, side by side; which tiles are full, cut and skipped, unless it is asked.
// Returns the lower end.
float draw_tiles_of_masks(const UiFrame&, const Panel&, const LessonPictureModel&, const draw::Rect& area);

}  // namespace tilewalk
