// The numbers of the online softmax for the rows of the current Q tile. A number that the walk has not computed yet is
// an empty text, never a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"
#include "session/hand/seen_state.h"

namespace tilewalk {

struct SoftmaxRow {
  std::int64_t row = 0;            // of the matrix
  std::vector<std::string> cells;  // one for each column of the model
  std::vector<std::string> brief;  // the same with decimals instead of fractions, for narrow columns
  std::vector<bool> hidden;        // one for each cell: a field of work by hand or computed from one; its text is empty
  bool rescaled = false;           // by α, neither 1 nor 0: the sums shrink, or by a mistake grow
  bool spoken = false;             // the sentence describes this row
  std::vector<bool> wrong;         // one for each cell, with a deliberate mistake
  bool is_right = false;           // the correct numbers for the row before it
};

struct SoftmaxModel {
  std::string title, short_title;               // "Running max and sum", "Max and sum"
  std::string meeting, tiles;                   // "Q tile 2 meets KV tile 1", "Q2 × K1"; empty before the first step
  std::vector<std::string> columns;             // "row", "m", "tile max", "m new", "α", "ℓ", "ℓ new"
  std::vector<std::optional<HandPlace>> asked;  // the quantity of each column's fields; its row has no meaning
  std::vector<std::string> most_columns;        // of any step: the table reserves space for their headings
  int alpha_column = -1;
  std::vector<int> new_columns;  // yellow: computed in this visit
  std::vector<SoftmaxRow> rows;  // before the first step those of the first Q tile, without numbers
  std::int64_t most_rows = 0;    // of any Q tile: the table reserves this space
  std::string sentence;          // describes the last step
};

SoftmaxModel build_softmax_model(const Schedule&, const SeenState&);

}  // namespace tilewalk
