// How long a walked problem takes on its card: the one model of time behind prediction, comparison, waves and race.
//
// Tiles: thread blocks over SMs (core/chip/waves) at the pace of core/chip/visit_pace, in the order of the fast
// kernels, at the head size that they are built for, never faster than DRAM allows. Standard attention: each of its
// three passes by what limits it (core/chip/waves). Launches: what one costs after the other, and the processor, which
// launches the next while the card works; the slower of the two sets the time. FA-1 is one launch, as its kernel has
// it; split-KV launches its merge too. Where a contender runs these very tiles, its prediction is this figure. Not
// modelled: backward passes (core/predict/backward_kernel has the fast one).
#pragma once

#include "core/chip/waves.h"
#include "core/predict/attention_method.h"

namespace tilewalk {

// How many times as long launches took on another host of the same card (launches_h200_2026-11-23.csv).
inline constexpr double kSlowerProcessor = 1.6;

struct RunTime {
  double seconds = 0;  // with launches, or as long as the processor takes for them
  double card_s = 0;   // of these, the card's work, with the time between launches
  int launches = 1;
  bool by_processor = false;  // so little work that the processor's launches may set the time, not the card
  double dram_bytes = 0;
  std::string limit = {};  // standard: what limits its slowest pass
  Waves waves = {};
};

// Precondition: the problem is valid, forward and its device known; the device is that one, or a card of one's own like
// it. most_spans: of thread blocks, for pictures.
RunTime run_time(const Schedule&, const DeviceModel&, std::int64_t most_spans = 0);
RunTime run_time(const Schedule&);

// The slower of card and processor, and whether the processor may set the time.
void take_launches(RunTime&, double launch_s);

}  // namespace tilewalk
