// A deliberate mistake in words: of the numbers that the last step made, the one that the step's sentence names, else
// the one that the mistake changes most. Where the step made none wrong: of those that it stores in HBM. Numbers are
// compared as they are printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/values/quantity.h"
#include "core/walk/schedule.h"
#include "session/session.h"

namespace tilewalk {

struct WrongNumber {
  Quantity quantity{};
  std::int64_t row = 0, col = -1;  // of the matrix, or of the output; a number of a row has no column
  std::string text;  // "Wrong: O in row 9, column 0 is 1.07, not 0.91."; while O is right "By mistake m …"
};
// Empty where the step made nothing wrong. `right` is the state at the same cursor without the mistake. output_right:
// the walk's result is right all the same.
std::optional<WrongNumber> wrong_number(const Schedule&, const State&, const State& right, bool output_right = false);

// A number that an earlier step made wrong, and that goes on from one step to the next: "O is still wrong: row 9,
// column 0 is 0.44, not 0.29."; empty where the step makes that quantity itself, and in a backward pass.
std::optional<WrongNumber> still_wrong(const Schedule&, const State&, const State& right);
// The quantities that go on from one step to the next, and are wrong in the state; empty in a backward pass.
std::vector<Quantity> wrong_running(const Problem&, const State&, const State& right);

// The step's sentence beside that number: without its part about a number of another row or column, and with the key
// that the mask should hide. names_wrong: false where the sentence quotes another number, and so loses a part, or none.
struct SentenceBesideWrong {
  std::string text;
  bool names_wrong = true;
};
SentenceBesideWrong sentence_beside(const Problem&, const State&, const std::string& sentence, const WrongNumber&);

// True if the deliberate mistake changes numbers on the way, and each compared row of the result is as near to float64
// as FlashAttention's rule asks.
bool output_stays_right(const Session&);
// True if the result was compared and breaks that rule.
bool output_is_wrong(const Session&);
// "O in row 13, column 2 is 1.88, not −0.15: the largest of 24 wrong numbers, in rows 8 to 15."; empty where none
// differs in print. Both hold all rows of the result, from row_begin on.
std::string worst_of_output(const char* letter, const std::vector<float>& is, const std::vector<float>& should,
                            std::int64_t cols, std::int64_t row_begin = 0);

// The row with the number that worst_of_output names, as it is printed with the mistake and without it.
struct WrongRow {
  struct Pair {
    std::string is, should;
    bool differs = false;
  };
  std::int64_t row = 0, col = 0;  // of that number
  std::vector<Pair> pairs;        // column by column
};
// Empty where no number differs in print.
std::optional<WrongRow> most_wrong_row(const std::vector<float>& is, const std::vector<float>& should,
                                       std::int64_t cols, std::int64_t row_begin = 0);

// True if any number of the state is printed differently without the mistake.
bool is_wrong(const Problem&, const State&, const State& right);

// True if the two are printed differently.
bool differs_in_print(double is, double should);

}  // namespace tilewalk
