// The parts of the panel of scores: the tiles with the values of Q and K beside them, and the words above and below.
#pragma once

#include "ui/panels/panels.h"

namespace tilewalk {

void draw_score_tile(const UiFrame&, Panel&, const ScoresModel&, const ScoreTile&, const draw::Rect& area);
// The positions of the headings of columns and rows of tiles.
draw::Rect column_head(const Theme&, const ScoresModel&, const ScoreBar&, const draw::Rect& area);
draw::Rect row_head(const Theme&, const ScoresModel&, const ScoreBar&, const draw::Rect& area);
void draw_score_heads(Panel&, const ScoresModel&, const draw::Rect& area);
// Values of Q left of their rows and of K above their columns: the operands of the current tile's products.
void draw_score_operands(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);

// From its first wrong step on: where a deliberate mistake shows.
void draw_wrong_glow(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);

void draw_scores_head(const UiFrame&, Panel&, const ScoresModel&);  // the title, the legend, the head in view
void draw_scores_foot(const UiFrame&, Panel&, const ScoresModel&);  // the quantity of the cells, the colours, zoom

}  // namespace tilewalk
