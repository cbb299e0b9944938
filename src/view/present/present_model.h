// The screen while presenting to a room: one tile, one table, one sentence, and the class's place in the walk. The
// table has what the sentence is about: max and sum; where a product or a division makes the output, its rows; and
// where a step only moves tiles, the two memories stand in its place. A tile or a table with more rows or columns than
// the room can read shows only those around the sentence's row, and says so. While a question is open, the sentence is
// the question and the cell of its answer is "?"; no other text contains the answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/walk/memory_model.h"
#include "view/walk/softmax_model.h"
#include "view/walk/timeline_model.h"

namespace tilewalk {

struct PresentRoom {  // the counts that the room can read
  int tile_rows = 6, tile_cols = 4, table_rows = 6;
  double strip_width = 1000;
  bool operator==(const PresentRoom&) const = default;
};

struct PresentCell {
  std::string text;       // empty: not computed yet
  float at = 0;           // position on the colour scale: 0 to 1, or with two signs −1 to 1
  bool asked = false;     // its answer is hidden
  bool left_out = false;  // by the mask
};

struct PresentTile {
  std::string title;                       // "S = QKᵀ/√d · Q2 meets K1"
  std::vector<std::string> columns, rows;  // "6", "11": of the matrix
  std::vector<PresentCell> cells;          // row by row
  int spoken = -1;                         // the sentence's row, as an index of the rows shown
  bool two_signs = false;                  // colours show the sign
  std::string part;  // the part of the tile that is shown: "6 of 128 rows, 4 of 128 columns"; or empty
  const PresentCell& at(std::size_t r, std::size_t c) const { return cells[r * columns.size() + c]; }
};

struct PresentTableRow {
  std::vector<std::string> cells;  // "?" where the answer is hidden
  bool spoken = false, rescaled = false;
  int asked = -1;  // index of that cell
};

struct PresentTable {
  std::string title;
  std::vector<std::string> columns;
  int alpha_column = -1;
  std::vector<PresentTableRow> rows;
};

// Of a step that moves tiles and makes nothing.
struct PresentMemories {
  std::vector<MemoryRow> hbm;
  std::vector<MemoryResident> residents;
  std::vector<MemoryMove> moves;
};

struct PresentModel {
  bool blank = false;
  PresentTile tile;
  PresentTable table;
  std::optional<PresentMemories> memories;  // instead of the table
  std::string sentence;                     // or the question
  bool question_open = false, asks_first = false;
  std::vector<std::string> place;  // "Q tile 2 · KV tile 1 · phase 5 of 8: rescale", then shorter
  TimelineModel timeline;
};

PresentModel build_present_model(const Session&, const PresentRoom&);

}  // namespace tilewalk
