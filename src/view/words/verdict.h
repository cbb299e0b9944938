// A comparison of two forward schedules in words: titles of its rows, changes, and one sentence of verdict, which
// agrees with the table on time and bytes.
#pragma once

#include "core/predict/compare.h"
#include "core/problem/contender.h"
#include "view/words/call_times.h"

namespace tilewalk {

struct ComparisonWords {
  std::vector<std::string> titles;  // of the rows, in their order: "K, V read"
  std::string verdict;              // headline and detail, as one text
  std::string figure;               // "2.7×": how many times as fast the right side is; empty where it is not faster
  std::string headline, detail;     // which side is faster, by how much and why; bytes and tiles
};
// times: of the two calls, as the bars and the table have them; null: the modelled times of the two walks.
ComparisonWords comparison_words(const Comparison&, const CallTimes* times = nullptr);
// With the times that call_times() finds in these races. torch_default: what PyTorch runs for the call, where that is
// known (view/words/call_model.h).
ComparisonWords words_with_times(const Comparison&, const RaceTimes*, std::optional<Contender> torch_default = {});

// The name of a schedule beside a time: "FA-2", "Naive (S in fp32)". The latter differs from the naive attention of
// cuBLAS in the races, which has S in 16 bits.
std::string run_title(const Problem&);

// Right relative to left, as table and verdict write it: "−41 %", "+3.2 %", "2.3×", "same".
std::string change_text(double left, double right);

}  // namespace tilewalk
