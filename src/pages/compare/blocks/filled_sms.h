// All SMs of one side of a comparison at one cycle of a clock that both sides share: a square for each SM in its place,
// a shade for each round of its thread blocks, and the number of SMs that work over time. Plain values.
//
// Not modelled: waits of an SM between two thread blocks. Where not all thread blocks are listed with their times, the
// rounds of an SM are taken as equally long.
#pragma once

#include <string>
#include <vector>

#include "core/predict/run_time.h"

namespace tilewalk {

struct FilledSm {
  bool works = false;  // has a thread block at that cycle
  int round = 0;       // of its thread blocks, from 1; 0: none has begun
  double share = 0;    // of the round at hand that is done, 0 to 1
};

struct BusySms {  // from that cycle on
  double cycle = 0;
  int sms = 0;
};

struct FilledSms {
  std::string title;         // "FA-1 · thread block = head"
  std::string figure;        // "64 of 132"
  std::string figure_words;  // "SMs ever have a thread block …", or "SMs have thread blocks, in 11 waves …"
  std::string clock;         // "At 0.40 M cycles: wave 6 of 11, 132 of 132 SMs work."
  std::string tail;          // "In the last 0.53 M cycles SMs run out of work."; empty where they end together
  std::vector<FilledSm> sms;
  std::vector<BusySms> busy;  // over time, fewer and fewer SMs; the last entry has none
  double now = 0, tail_from = 0, cycles = 0;
};

inline constexpr std::int64_t kMostListedBlocks = 1 << 16;  // thread blocks, or bundles of them, with times

FilledSms build_filled_sms(const Problem&, const RunTime&, double cycle);

// The cycle at which the SMs together have done that share of their work, 0 to 1. Each works from the start on.
double cycle_of_work(const Waves&, double done);

struct FilledPair {
  std::vector<FilledSms> sides;  // pinned, now
  double longest = 0;            // cycles: of the axis that both curves have
};

// Both sides at the cycle at which the current one has done that share of its work; empty where one does not run.
FilledPair filled_pair(const Problem& pinned, const RunTime& pinned_run, const Problem& now, const RunTime&,
                       double done);

}  // namespace tilewalk
