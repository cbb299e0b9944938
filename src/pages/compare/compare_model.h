// The table of differences between two schedules on one problem, as text: a row a figure, with the transfers behind it,
// and a last sentence. Modelled figures say so.
#pragma once

#include <string>
#include <vector>

#include "measured/race_times.h"
#include "view/words/verdict.h"

namespace tilewalk {

struct CompareTransfer {
  std::string text;       // "pass 1, load: K read, 3,200 times, 100 MiB"
  std::int64_t step = 0;  // where a click leads: the cursor after the first step that does it
};

struct CompareLine {
  std::string id;
  std::string title, left, right, difference;
  int verdict = 0;  // 1: the right is better; -1: worse; 0: neither
  bool modelled = false;
  std::string tip;  // where there are no transfers to list
  std::vector<CompareTransfer> left_transfers, right_transfers;
};

struct CompareModel {
  std::string heading;  // "whole run, fp16, H100 SXM"
  std::string left_title, right_title;
  std::vector<CompareLine> lines;
  std::string verdict;                // the headline: of time and bytes it says what the lines say
  bool too_small = false;             // to tell which is faster
  std::string footnote;               // how the figures were come by
  std::vector<std::string> problems;  // why the two cannot be compared; then there are no lines
};

// Times: what was recorded; beside modelled times stand those of that very call. Null: nothing was read.
CompareModel build_compare_model(const Comparison&, const ComparisonWords&, const RaceTimes* times = nullptr);

}  // namespace tilewalk
