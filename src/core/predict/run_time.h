// How long a walked problem takes on its card: the one model of time behind prediction, comparison, waves and race.
//
// Tiles: thread blocks over SMs (core/chip/waves) at the pace of core/chip/visit_pace, in the order of the fast
// kernels, at the head size that they are built for, never faster than DRAM allows. Standard attention: each of its
// three passes by its limit (core/chip/waves). Launches: the time between one and the next, and the processor, which
// launches the next while the card works; the slower of the two sets the time. FA-1 is one launch, as in its kernel;
// split-KV adds a launch for its merge. Where a contender uses these tiles, its prediction is this figure.
// Not modelled: backward passes (core/predict/backward_kernel has the fast one).
#pragma once

#include "core/chip/waves.h"
#include "core/predict/attention_method.h"

namespace tilewalk {

// How many times longer launches took on another host with the same card (launches_h200_2026-11-23.csv).
inline constexpr double kSlowerProcessor = 1.6;

struct RunTime {
  double seconds = 0;  // with launches, or the processor's time for them where that is longer
  double card_s = 0;   // of these, the card's work, with the time between launches
  int launches = 1;
  bool by_processor = false;  // the work is so small that the processor's launches may set the time, not the card
  double dram_bytes = 0;
  std::string limit = {};  // standard: what limits its slowest pass
  Waves waves = {};
};

// Precondition: the problem is valid, forward and its device known; the device is that one, or a card of one's own like
// it. most_spans: of thread blocks, for pictures.
RunTime run_time(const Schedule&, const DeviceModel&, std::int64_t most_spans = 0);
RunTime run_time(const Schedule&);

// Sets the slower time of card and processor, and whether the processor may set the time.
void take_launches(RunTime&, double launch_s);

}  // namespace tilewalk
