// A question to a class about the last step: "Row 11: the running max was −0.52 and is 2.46 now. What is α?" Only about
// numbers that the step has computed, with everything that is needed to compute them. No questions about loads, stores,
// and values that are the same in every row. The question has the place of its answer, so that the place can show "?".
// After the last step of a walk without a mistake it is about the bytes of the other way, which the end shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/problem/inputs.h"
#include "core/replay/replay.h"
#include "core/walk/schedule.h"

namespace tilewalk {

struct Question {
  std::string text;
  std::int64_t row = 0;        // within the Q tile; −1: of the whole walk
  std::string column;          // of the softmax table: "α"; empty for a cell of the score tile
  std::int64_t col = -1;       // column of that cell within the tile
  std::int64_t head_col = -1;  // the asked column of the output; −1: no output is asked
};

// inputs: of the walk, for the old value in a question about an output; null: that value is left out of the text.
std::optional<Question> question_at(const Schedule&, const State&, const Inputs* inputs = nullptr);

}  // namespace tilewalk
