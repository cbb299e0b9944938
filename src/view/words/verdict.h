// A comparison of two forward schedules in words: titles of its rows, changes as people read them, and one sentence of
// verdict, which says of time and bytes what the table says.
#pragma once

#include "core/predict/compare.h"

namespace tilewalk {

struct ComparisonWords {
  std::vector<std::string> titles;  // of the rows, in their order: "K, V read"
  std::string verdict;
};
ComparisonWords comparison_words(const Comparison&);

// A schedule where a time stands: "FA-2", "Naive (S in fp32)", which is not the naive of cuBLAS that races, with S in
// 16 bits.
std::string run_title(const Problem&);

// What the right has of the left, as table and verdict write it: "−41 %", "+3.2 %", "2.3×", "same".
std::string change_text(double left, double right);

}  // namespace tilewalk
