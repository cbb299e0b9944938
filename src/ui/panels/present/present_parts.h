// What the parts of the screen for a room share.
#pragma once

#include "ui/panels/motion/moving.h"
#include "ui/present_layout.h"
#include "ui/widgets.h"

namespace tilewalk {

struct PresentPen {
  const UiFrame& f;
  const PresentModel& m;
  PresentLayout at;
  Palette c;
  std::optional<Moving> moving;
  ImDrawList* list;
  const Fonts& fonts = f.theme.fonts;
  float s = f.theme.s;
};

float row_height(const PresentPen&, std::size_t rows);  // of the tile or the table; alike where both have the same rows
// Whether what a mistake made wrong is marked: not before the step that makes it has landed.
inline bool shows_wrong(const PresentPen& p) { return !p.moving || p.moving->t >= 1 || p.m.still_wrong; }
void draw_present_memories(const PresentPen&);
void draw_present_column(PresentPen&);  // the table gives way to it
void draw_present_table(const PresentPen&);
void draw_present_meeting(const PresentPen&);  // precondition: the model has a meeting
void draw_present_title(const PresentPen&, const draw::Rect&, std::string_view title);
// A number that a deliberate mistake changes: it has a frame, and a cross beside it unless its row has one, so that it
// differs without colour too. number: the place of its letters, figure: those letters, in that font.
void draw_present_wrong(const PresentPen&, const draw::Rect& cell, const draw::Rect& number, const Font&,
                        std::string_view figure, bool cross = true);
void draw_present_map(const PresentPen&, const draw::Rect&);  // precondition: the model has a map
void draw_present_start(const PresentPen&);                   // precondition: the map has facts
void draw_present_end(const PresentPen&);                     // precondition: the model has an end

// While α makes the row of O that the sentence names smaller, a copy of it is lifted into the place of the tile.
void draw_lifted_row_for_room(const PresentPen&);  // after the table; at rest it draws nothing
bool lifts_row(const PresentPen&);                 // the lifted row has the tile's place

// Darkens the picture except for a disc around the pointer.
void draw_spotlight(const PresentPen&);

}  // namespace tilewalk
