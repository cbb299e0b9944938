// The recorded times of PyTorch's backends for a call, or for a call near it, and which of the two they are. Recorded:
// forward passes in bf16 with as many KV heads as heads and without attn_mask, on the cards of the shipped races.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dispatch/call.h"
#include "measured/race_times.h"

namespace tilewalk {

inline constexpr const char* kRecordedTorch = "2.11";  // the version that ran in every race

struct RecordedBackend {
  Contender who{};
  std::string title;  // "FLASH"
  double ms = 0;
};

std::optional<SdpaBackend> backend_of(Contender);  // of PyTorch that runs that row of a race

struct RecordedCallTimes {
  RaceCell cell;
  bool very_call = false;
  std::vector<RecordedBackend> backends;  // fastest first; empty: no near call was recorded
};
// Empty for times of another card, or without times.
RecordedCallTimes recorded_times_of(const Call&, const RaceTimes*);

// "Recorded for this very call on an H200, fastest first: FLASH 65.9 µs, cuDNN 80.6 µs … FLASH was faster than
// cuDNN, which runs: …" call: as the sentence names a call whose own times these are. why_refused: what the call lacks
// for that backend to run, were it asked for; empty: nothing.
using WhyRefused = std::function<std::string(SdpaBackend)>;
std::string recorded_words(const RecordedCallTimes&, const std::string& device, std::optional<Contender> that_runs,
                           const WhyRefused&, const char* call = "this very call");

}  // namespace tilewalk
