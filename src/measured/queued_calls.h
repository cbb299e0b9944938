// Whole calls of the present builds (kernels/fast/scripts/bench_calls.py): the races' shapes, head sizes, short calls,
// and shapes sampled at random, K and V shared by query heads too; and backward passes of sampled shapes
// (bench_backward.py). A file with the remark "queued" timed each call behind a waiting kernel: its times are the
// card's alone. The model of time is compared with them; pages show the races. A damaged or foreign file gives Issues
// with file and line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/predict/attention_call.h"
#include "core/problem/contender.h"

namespace tilewalk {

struct QueuedCall {
  Contender who{};
  AttentionCall call;
  double ms = 0;       // the median of its samples
  std::string sample;  // the file's remark: "10 shapes of each kind by seed 4711"; empty: chosen
  bool queued = true;  // false: a short call waits for the processor
};

// Every call of a contender that the program knows, from ROOT/assets/measurements/calls_DEVICE_*.csv and the files of
// backward passes in today's order; none without such a file.
Result<std::vector<QueuedCall>> load_queued_calls(const std::string& root, const std::string& device);

}  // namespace tilewalk
