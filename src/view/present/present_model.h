// The screen while presenting to a room: the two memories, one tile, one table, one sentence, and the class's place in
// the walk. The table has what the sentence is about: max and sum, or, where a product makes the output, its rows. A
// tile or a table with more rows or columns than the room can read shows only those around the sentence's row, and says
// so. While a question is open, the sentence is the question and the cell of its answer is "?"; no other text contains
// the answer, and nothing moves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/motion/arithmetic.h"
#include "view/motion/landing_words.h"
#include "view/motion/motion.h"
#include "view/present/present_map.h"
#include "view/present/present_meeting.h"
#include "view/present/present_memories.h"
#include "view/walk/moved_in_all.h"
#include "view/walk/softmax_model.h"
#include "view/walk/timeline_model.h"
#include "view/walk/verify_model.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/walk_times.h"

namespace tilewalk {

struct PresentRoom {  // the counts that the room can read
  int tile_rows = 6, tile_cols = 4, table_rows = 6;
  int whole_rows = 7;  // of a tile that is shown whole, and of its table: no line says which part it is
  double strip_width = 1000;
  double memory_tiles = 18;  // side by side
  bool operator==(const PresentRoom&) const = default;
};

struct PresentCell {
  std::string text;       // empty: not computed yet
  float at = 0;           // position on the colour scale: 0 to 1, or with two signs −1 to 1
  bool asked = false;     // its answer is hidden
  bool left_out = false;  // by the mask
  bool wrong = false;     // a deliberate mistake: it is printed otherwise than it should be
};

struct PresentTile {
  std::string title;                       // "S = QKᵀ/√d · Q2 meets K1"
  std::vector<std::string> columns, rows;  // "6", "11": of the matrix
  std::vector<PresentCell> cells;          // row by row
  int spoken = -1;                         // the sentence's row, as an index of the rows shown
  bool two_signs = false;                  // colours show the sign
  Quantity quantity{};
  std::int64_t row_begin = 0, col_begin = 0;  // of the cells shown, in the matrix or in the output
  std::string part;  // the part of the tile that is shown: "6 of 128 rows, 4 of 128 columns"; or empty
  const PresentCell& at(std::size_t r, std::size_t c) const { return cells[r * columns.size() + c]; }
};

struct PresentTableRow {
  std::int64_t row = 0;            // of the matrix
  std::vector<std::string> cells;  // "?" where the answer is hidden
  bool spoken = false, rescaled = false;
  bool right = false;       // what the row of that number, which a deliberate mistake changes, should be
  int asked = -1;           // index of that cell
  std::vector<bool> wrong;  // of each cell, as in a tile; empty: none
  // Of an output, for each cell: its value over the largest magnitude of its tile, −1 to 1; 0 where that is hidden.
  std::vector<float> shades = {};
};

struct PresentTable {
  std::string title;
  std::vector<std::string> columns;
  int alpha_column = -1;
  std::vector<PresentTableRow> rows;
  std::vector<std::optional<Quantity>> quantities;  // of each column, where it is one that a person may be asked for
  std::vector<bool> dimmed = {};                    // of each column: what the step has replaced; empty: none
  bool output = false;                              // rows of the output; its columns are those of the head
  std::size_t first_head = 1;                       // of an output: index of the column of the head's first number
  // The right numbers of one row, below all rows.
  bool has_right_row() const { return rows.size() > 1 && rows.back().right && !rows.front().right; }
};

// Beside the output: the column of V, K, Q or dO whose product the sentence quotes.
struct PresentColumn {
  TensorId tensor{};
  std::int64_t row_begin = 0, head_col = 0;
  std::string title;                // "V1"
  std::vector<std::string> values;  // of each row of its tile
};

// The current step on its way, and what is drawn until its numbers land.
struct PresentMotion {
  Motion motion;
  PresentTile tile;                        // the same rows and columns before the step
  PresentTable table;                      // likewise
  std::vector<LandingWords> landing = {};  // of the sentence
  std::string tile_title = {};             // of a tile with numbers of two quantities: "P, S in cells to come"
};

// O of the head in view, whole: what the walk was for. In colours alone.
struct PresentResult {
  std::int64_t rows = 0, cols = 0, tile_rows = 0;
  std::vector<float> shades = {};  // rows x cols: over the largest magnitude, −1 to 1
  std::vector<bool> wrong = {};    // with a deliberate mistake: of each row; else empty
  std::string worst = {};          // which number is most wrong
  std::optional<WrongRow> wrong_row = {};
};

// The last thing that a room sees: what moved in all, what became of S, what was checked. A result that is wrong comes
// before all that.
struct PresentEnd {
  MovedInAll moved;
  std::string scores, check;
  std::vector<std::string> why = {};  // what the scores cost, and would cost at a real length; then shorter
  bool good = false, wrong = false;   // the check
  bool at_risk = false;               // a deliberate mistake left the result right
  std::string mistake = {};           // what it does wrong, or what is at risk; empty without one
  std::string remedy = {};            // what is right in its place, while the result is wrong
  bool scores_existed = false;        // a memory stored them
  std::optional<PresentResult> result = {};
  WalkTimes times = {};  // recorded ones alone, where the values were not compared; empty: none
};

// Empty for a backward pass, and where O is too large for a room or for a frame.
std::optional<PresentResult> build_present_result(const Session&);

// verify: of the same report, at the end of the walk. output_wrong: it was compared with float64 and is too far away.
// wrong_from: as of check_title.
PresentEnd build_present_end(const Problem&, const WholeRuns&, const CheckReport&, const VerifyModel&,
                             bool output_wrong = false, std::int64_t wrong_from = 0);

struct PresentModel {
  bool blank = false;
  PresentTile tile;
  PresentTable table;
  std::optional<PresentMap> map;          // in place of the tile, while it has no numbers; of all, if it has facts
  std::optional<PresentMeeting> meeting;  // in place of the table, where two inputs make the scores
  std::optional<PresentColumn> column;    // of hand size, where a product makes the output
  PresentMemories memories;
  bool only_memories = false;  // the step moves tiles and makes no number: the memories have the place of the tile too
  std::optional<PresentMotion> moving;
  std::string sentence;   // or the question
  Arithmetic arithmetic;  // of what the sentence names; empty while a question is open
  bool question_open = false, asks_first = false;
  bool asks_by_hand = false;        // the sentence asks for a number of work by hand, whose fields are in the tables
  std::vector<std::string> place;   // "Q tile 2 · KV tile 1 · phase 5 of 8: rescale", then shorter
  std::string mistake;              // "mistake: forgets to shrink O"; empty without one
  std::string wrong = {};           // what it made wrong in this step, and what that should be, or what is still wrong
  bool still_wrong = false;         // an earlier step made it wrong
  std::string wrong_why = {};       // which mistake did it, or what is at risk; empty where the sentence says it
  bool output_right = false;        // the walk's result is right in spite of the mistake
  std::string wrong_sentence = {};  // below it: of the step and of the wrong number, never of a right one
  std::string lesson_ask = {};      // of an open lesson, in the place of the sentence until it is answered
  TimelineModel timeline;
  std::optional<PresentEnd> end;  // of a finished walk, in place of the tile, the table and the sentence at rest
};

PresentModel build_present_model(const Session&, const PresentRoom&);

}  // namespace tilewalk
