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
  std::string left_variant = {},
              right_variant = {};  // what a figure is of, where its column is of another: "S in bf16"
  int verdict = 0;                 // 1: the right side is better; -1: worse; 0: neither
  bool modelled = false;
  std::string tip = {};  // where there are no transfers to list
  std::vector<CompareTransfer> left_transfers = {}, right_transfers = {};
  // How much the two differ: |ln(right / left)|; infinite where one of them is 0, 0 where neither has a number.
  double differs = 0;
  double change = 0;                       // |right − left|, in the row's unit
  double left_share = 0, right_share = 0;  // of the larger of the two, for bars; 0 and 0: no bars
};

struct CompareModel {
  std::string heading;  // "whole run, fp16, H100 SXM"; with the tiles, where both sides have the same
  std::string left_title, right_title;
  std::vector<CompareLine> lines;
  // Of the screen: the times, those that differ most, the others that differ, then the rest.
  std::vector<std::size_t> order;
  std::string verdict;                // headline and detail in one; agrees with the lines on time and bytes
  std::string headline, detail;       // of the page: which side is faster; then its bytes and tiles
  std::string figure;                 // "2.7×": how many times as fast the right side is; empty where it is not faster
  bool too_small = false;             // to say which is faster
  std::string footnote;               // the source of the figures
  std::vector<std::string> problems;  // why the two cannot be compared; then there are no lines
};

// times: recorded times. Null: none were read. The words are those of words_with_times() for the same times; of a
// comparison without times, such as that of backward passes, any.
CompareModel build_compare_model(const Comparison&, const ComparisonWords&, const RaceTimes* times = nullptr);

// A table without space for all rows shows at least the times and as many rows that differ most.
inline constexpr std::size_t kRowsThatDifferMost = 3;
std::size_t least_rows(const CompareModel&);
// Until the reader opens all rows the table shows this many, or as many as have their bars, and only rows that differ.
inline constexpr std::size_t kMostRows = 6;
std::size_t most_rows(const CompareModel&, std::size_t with_bars = 0);
void order_rows(CompareModel&);
// "11 more rows", "only those that differ most"; empty where all are shown without asking.
std::string fold_text(const CompareModel&, std::size_t shown, bool all);

}  // namespace tilewalk
