// What the panel of scores is made of: the tiles with the values of Q and K beside them, and the words above and below.
#pragma once

#include "ui/panels/panels.h"

namespace tilewalk {

void draw_score_tile(const UiFrame&, Panel&, const ScoresModel&, const ScoreTile&, const draw::Rect& area);
// The heads of rows and columns of tiles; where they stand, from the matrix.
draw::Rect column_head(const Theme&, const ScoresModel&, const ScoreBar&, const draw::Rect& area);
draw::Rect row_head(const Theme&, const ScoresModel&, const ScoreBar&, const draw::Rect& area);
void draw_score_heads(Panel&, const ScoresModel&, const draw::Rect& area);
// Values of Q left of their rows and of K above their columns: what the products of the tile at hand are made of.
void draw_score_operands(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);

void draw_scores_head(const UiFrame&, Panel&, const ScoresModel&);  // the title, the legend, which head is in view
void draw_scores_foot(const UiFrame&, Panel&, const ScoresModel&);  // what cells show, the colours, zoom

}  // namespace tilewalk
