// The parts of the panel of scores: the tiles, what is beside them, and the words above and below.
#pragma once

#include <optional>

#include "ui/panels/panels.h"
#include "view/motion/arithmetic.h"
#include "view/walk/wrong_visits.h"

namespace tilewalk {

// All but the current tile, and that one, which lies over them. grey: without colours.
void draw_other_tiles(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area, bool grey);
void draw_current_tile(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);
// Of cells, where they are drawn.
draw::Rect cells_rect(const ScoresModel&, const draw::Rect& area, std::int64_t row, std::int64_t row_end,
                      std::int64_t col, std::int64_t col_end);
void draw_gone_word(const UiFrame&, Panel&, const ScoreTile&, const draw::Rect&);  // of a tile that no memory has
ImU32 quiet_score(const Palette&, ImU32 colour);  // paler, for a tile that is not the current one
// The positions of the headings of columns and rows of tiles.
draw::Rect column_head(const Theme&, const ScoresModel&, const ScoreBar&, const draw::Rect& area);
draw::Rect row_head(const Theme&, const ScoresModel&, const ScoreBar&, const draw::Rect& area);
void draw_score_heads(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);
// The block of values at the left of the matrix; empty where there is none.
std::optional<draw::Rect> left_operand_rect(const ScoresModel&, const draw::Rect& area, float s);
// Values of Q left of their rows and of K above their columns, in the matrix or in the lens: the operands of the
// current tile's products.
void draw_score_operands(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);

// False for a row that the visit at hand leaves wrong: its weights are right, and the wrong numbers of O or of the
// table are marked themselves.
bool marks_in_matrix(const UiFrame&, const WrongRun&);
// From its first wrong step on: where a deliberate mistake shows.
void draw_wrong_glow(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);

// The current tile beside a matrix drawn without cells.
struct LensPlace {
  const ScoreTile& tile;
  draw::Rect rect;  // of its cells
};
std::optional<LensPlace> lens_of(const ScoresModel&, const draw::Rect& area);
void draw_score_lens(const UiFrame&, Panel&, const ScoresModel&, const LensPlace&, const draw::Rect& area);

// The arithmetic of what the sentence names. Place: beside the matrix, where no numbers are; empty where that is too
// small, and then the arithmetic is on the sentence's last lines.
std::optional<draw::Rect> arithmetic_place(const UiFrame&);
void draw_arithmetic(const UiFrame&, ImDrawList*, const Palette&, const draw::Rect&, const Arithmetic&);

// The numbers of a tile's rows at its left and of its columns above it; every nth where all would touch.
void draw_tile_numbers(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& tile, const ScoreTile&);
// The same for the current rows and columns at the edges of the matrix.
void draw_matrix_numbers(const UiFrame&, Panel&, const ScoresModel&, const draw::Rect& area);

// The foot has space for the range of the tiles that show another quantity than the current one; else they are grey.
bool names_other_range(const UiFrame&, const Panel&, const ScoresModel&);
void draw_scores_head(const UiFrame&, Panel&, const ScoresModel&);  // the title, the legend, the head in view
void draw_scores_foot(const UiFrame&, Panel&, const ScoresModel&);  // the quantity of the cells, the colours, zoom

}  // namespace tilewalk
