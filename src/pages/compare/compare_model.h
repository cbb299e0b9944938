// The table of differences between two schedules for one problem, as text: one row for each figure, with its transfers,
// and a closing sentence. Modelled figures are labelled so.
#pragma once

#include <string>
#include <vector>

#include "measured/race_times.h"
#include "view/words/verdict.h"

namespace tilewalk {

struct CompareTransfer {
  std::string text;       // "pass 1, load: K read, 3,200 times, 100 MiB"
  std::int64_t step = 0;  // target of a click: the cursor after the first such step
};

struct CompareLine {
  std::string id;
  std::string title, left, right, difference;
  int verdict = 0;  // 1: the right side is better; -1: worse; 0: neither
  bool modelled = false;
  std::string tip;  // where there are no transfers to list
  std::vector<CompareTransfer> left_transfers, right_transfers;
};

struct CompareModel {
  std::string heading;  // "whole run, fp16, H100 SXM"
  std::string left_title, right_title;
  std::vector<CompareLine> lines;
  std::string verdict;                // the headline; agrees with the lines on time and bytes
  bool too_small = false;             // to say which is faster
  std::string footnote;               // the source of the figures
  std::vector<std::string> problems;  // why the two cannot be compared; then there are no lines
};

// times: recorded times, shown beside modelled times of the same call. Null: none were read.
CompareModel build_compare_model(const Comparison&, const ComparisonWords&, const RaceTimes* times = nullptr);

}  // namespace tilewalk
