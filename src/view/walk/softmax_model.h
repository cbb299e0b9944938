// The numbers of the online softmax for the rows of the Q tile at hand. A number that the walk has not produced yet is
// an empty text, never a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"
#include "session/hand/hand_field.h"

namespace tilewalk {

struct SoftmaxRow {
  std::int64_t row = 0;            // of the matrix
  std::vector<std::string> cells;  // one for each column of the model
  bool rescaled = false;           // α is not 1: what was summed shrinks, or by a mistake grows
  bool spoken = false;             // the sentence speaks about this row
  std::vector<bool> wrong;         // a cell each, where a mistake is made on purpose
  bool is_right = false;           // what the row before it should have
};

struct SoftmaxModel {
  std::string title;                 // "Running max and sum · Q tile 2 meets KV tile 1"
  std::vector<std::string> columns;  // "row", "m", "tile max", "m new", "α", "ℓ", "ℓ new"
  std::vector<std::optional<HandPlace>> asked;  // what of each column can be asked by hand; its row means nothing
  int alpha_column = -1;
  std::vector<int> new_columns;  // yellow: what this visit made
  std::vector<SoftmaxRow> rows;
  std::string sentence;  // what the step just done did
};

SoftmaxModel build_softmax_model(const Schedule&, const State&);

}  // namespace tilewalk
