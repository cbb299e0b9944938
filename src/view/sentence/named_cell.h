// What a step's sentence names: a row, a cell of it, a row of K or V. The same row at every step of a visit, so that an
// eye can stay on it; panels ring it, and motion lets it move.
#pragma once

#include <cstdint>

#include "core/replay/replay.h"

namespace tilewalk {

// The row (within the Q tile) that the sentence describes, the same at every step of a visit: the one whose running max
// this tile raises most, else from the second on the first that may see two of its keys, else the second. -1 if none.
std::int64_t spoken_row(const Problem&, const State&);
// True if the sentence names that row. Sentences of loads and stores name none; those of dK and dV name rows of a KV
// tile.
bool names_spoken_row(const Problem&, const State&);
// What the sentence names or quotes; −1: nothing.
struct NamedCell {
  std::int64_t row = -1, col = -1;  // of the matrix; a row may be named without a column
  std::int64_t key = -1;            // the row of K or V whose gradient it quotes
  std::int64_t head_col = -1;       // the column of the output that it quotes
};
NamedCell named_cell(const Problem&, const State&);

}  // namespace tilewalk
