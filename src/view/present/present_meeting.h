// Beside the scores, at the step that computes them: the row of Q and the row of K (in backward passes dO and V) whose
// product the sentence quotes, number by number, with the sum as it grows. Of long rows the first numbers. Empty at
// other steps, and where a deliberate mistake makes the score another number than the sum.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "session/hand/seen_state.h"
#include "view/motion/arithmetic.h"

namespace tilewalk {

struct MeetingTerm {
  std::string left, upper;   // "−0.96", "−0.73"
  std::string product, sum;  // "0.70"; printed once the span has landed
  Span span;                 // while the two numbers are multiplied
};

struct PresentMeeting {
  TensorId left = TensorId::Q, upper = TensorId::K;
  std::int64_t row = 0, col = 0;        // of the matrix
  std::string title;                    // "Row 9 of Q2 meets row 6 of K1"
  std::string left_title, upper_title;  // "Q row 9", "K row 6"
  std::vector<MeetingTerm> terms;
  std::int64_t left_out = 0;  // products after these terms, which are not shown one by one
  ArithmeticLine total;       // "Σ 1.83 × 0.500", "0.92"
};

// moving: of this step, or null, and then all of it is printed at once. most_terms: that the room can read, at least 2.
std::optional<PresentMeeting> build_present_meeting(const Schedule&, const Inputs&, const SeenState&,
                                                    const Motion* moving, int most_terms);
// The same for any score that the mask keeps, all of it printed at once.
PresentMeeting meeting_of_score(const Inputs&, const HeadId&, std::int64_t row, std::int64_t col, int most_terms);

}  // namespace tilewalk
