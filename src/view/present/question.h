// What a class can be asked of the step just done: "Row 11: the running max was −0.52 and is 2.46 now. What is α?" Only
// of numbers that the step has made, with all that is needed to work them out. Not asked: loads, stores, and what is
// the same in every row. The answer's place is told, so that it can stand as "?" until it is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"

namespace tilewalk {

struct Question {
  std::string text;
  std::int64_t row = 0;   // within the Q tile
  std::string column;     // of the softmax table: "α"; empty where a cell of the score tile is asked
  std::int64_t col = -1;  // that cell's column within the tile
};

std::optional<Question> question_at(const Schedule&, const State&);

}  // namespace tilewalk
