// The cost of each schedule at batch 8 x heads 32 x N = 131,072, d = 64, tiles 64, causal: opening it, its counters at
// a random step, and seeks to random steps of a head whose inputs have been made. Seeks use the worker pool that the
// window gives its replay. Times are wall clock.
#pragma once

#include <string>
#include <vector>

namespace tilewalk {

struct ScaleBench {
  std::string schedule;
  double open_us = 0;                       // the schedule and its totals
  double counters_ns = 0;                   // totals before a random step
  double new_head_ms = 0;                   // the first seek in a head, which makes its inputs; 0 where not measured
  double seek_p50_ms = 0, seek_p99_ms = 0;  // later seeks; 0 where not measured
  int threads = 1;                          // for seeking
};

// Before their first sums the backward passes need the forward pass of a whole head, which takes tens of seconds here,
// in slices: their seeks are not measured.
std::vector<ScaleBench> bench_scale();

}  // namespace tilewalk
