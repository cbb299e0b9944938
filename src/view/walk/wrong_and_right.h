// A deliberate mistake in words: of the numbers that the last step made, the one that the step's sentence names, else
// the one that the mistake changes most. Where the step made none wrong: of those that it stores in HBM. Numbers are
// compared as they are printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/values/quantity.h"
#include "core/walk/schedule.h"

namespace tilewalk {

struct WrongNumber {
  Quantity quantity{};
  std::int64_t row = 0, col = -1;  // of the matrix, or of the output; a number of a row has no column
  std::string text;                // "Wrong: O in row 9, column 0 is 1.07, not 0.91."
};
std::optional<WrongNumber> wrong_number(const Schedule&, const State&, const State& right);
// "Wrong: O in row 9, column 0 is 1.07, not 0.91."; empty where the step made nothing wrong. `right` is the
// state at the same cursor without the mistake.
std::string wrong_and_right(const Schedule&, const State&, const State& right);

// True if any number of the state is printed differently without the mistake.
bool is_wrong(const Problem&, const State&, const State& right);

// True if the two are printed differently.
bool differs_in_print(double is, double should);

}  // namespace tilewalk
