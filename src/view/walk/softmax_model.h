// The numbers of the online softmax for the rows of the Q tile at hand. A number that the walk has not produced yet is
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
  std::vector<std::string> brief;  // the same with a digit less, for columns that have no room for them
  std::vector<bool> hidden;        // a cell each: asked for by hand, or made of what is; its text is empty
  bool rescaled = false;           // α is not 1: what was summed shrinks, or by a mistake grows
  bool spoken = false;             // the sentence speaks about this row
  std::vector<bool> wrong;         // a cell each, where a mistake is made on purpose
  bool is_right = false;           // what the row before it should have
};

struct SoftmaxModel {
  std::string title, short_title;               // "Running max and sum", "Max and sum"
  std::string meeting, tiles;                   // "Q tile 2 meets KV tile 1", "Q2 × K1"; empty before the first step
  std::vector<std::string> columns;             // "row", "m", "tile max", "m new", "α", "ℓ", "ℓ new"
  std::vector<std::optional<HandPlace>> asked;  // what of each column can be asked by hand; its row means nothing
  std::vector<std::string> most_columns;        // of any step: whose heads the table keeps room for
  int alpha_column = -1;
  std::vector<int> new_columns;  // yellow: what this visit made
  std::vector<SoftmaxRow> rows;
  std::int64_t most_rows = 0;  // of any Q tile: what the table keeps room for
  std::string sentence;        // what the step just done did
};

SoftmaxModel build_softmax_model(const Schedule&, const SeenState&);

}  // namespace tilewalk
