// How long a walked problem takes on its card: the one model of time behind prediction, comparison, waves and race.
//
// Tiles: thread blocks over SMs (core/chip/waves) at the pace of core/chip/visit_pace, in the order of the fast
// kernels, at the head size that they are built for, never faster than DRAM and the roof of products allow. Standard
// attention: each of its three passes by its limit (core/chip/waves). Launches cost what they cost alone
// (core/predict/launch_costs). FA-1 is one launch, as in its kernel; split-KV adds a launch for its merge, and so do
// FA-2 and FA-3 where their kernels divide tiles. Where a contender uses these tiles, its prediction is this figure. It
// is the card's time. processor_s is the processor's time for launching, which counts where nothing else is queued. Not
// modelled: backward passes (core/predict/backward_kernel has the fast one).
#pragma once

#include "core/chip/waves.h"
#include "core/predict/attention_method.h"
#include "core/predict/launch_costs.h"

namespace tilewalk {

struct RunTime {
  double seconds = 0;      // of the card, with launches
  double processor_s = 0;  // of the processor, for launching
  int launches = 1;
  bool by_processor = false;  // the work is so small that the processor may set the time of a call that is not queued
  double dram_bytes = 0;
  std::string limit = {};  // standard: what limits its slowest pass
  Waves waves = {};
};

// Precondition: the problem is valid, forward and its device known; the device is that one, or a card of one's own like
// it. most_spans: of thread blocks, for pictures.
RunTime run_time(const Schedule&, const DeviceModel&, std::int64_t most_spans = 0);
RunTime run_time(const Schedule&);

// Adds the processor's time for launching, and whether it may set the time.
void take_launches(RunTime&, double launch_s);

}  // namespace tilewalk
