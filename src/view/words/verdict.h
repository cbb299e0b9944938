// A comparison of two forward schedules in words: titles of its rows, changes, and one sentence of verdict, which
// agrees with the table on time and bytes.
#pragma once

#include "core/predict/compare.h"

namespace tilewalk {

struct ComparisonWords {
  std::vector<std::string> titles;  // of the rows, in their order: "K, V read"
  std::string verdict;
};
ComparisonWords comparison_words(const Comparison&);

// The name of a schedule beside a time: "FA-2", "Naive (S in fp32)". The latter differs from the naive attention of
// cuBLAS in the races, which has S in 16 bits.
std::string run_title(const Problem&);

// Right relative to left, as table and verdict write it: "−41 %", "+3.2 %", "2.3×", "same".
std::string change_text(double left, double right);

}  // namespace tilewalk
