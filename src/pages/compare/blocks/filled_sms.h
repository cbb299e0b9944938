// All SMs of one side of a comparison at one moment of a clock that both sides share: a square for each SM in its
// place, a shade and a number for each round of its thread blocks, the waves as segments, and the number of SMs that
// work over time. Plain values.
//
// The clock is the call's: both sides begin at once, and each takes the time that the page compares, recorded or
// modelled. Within it, launches have the shares that the model of time gives them, and waves their modelled ones.
// Not modelled: waits of an SM between two thread blocks. Where not all thread blocks are listed with their times, the
// rounds of an SM are taken as equally long.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/run_time.h"
#include "pages/compare/blocks/axis_ticks.h"
#include "view/words/call_times.h"

namespace tilewalk {

struct FilledSm {
  bool works = false;  // has a thread block at that moment
  int round = 0;       // the wave of its latest thread blocks in the launch, from 1; 0: it never has one
  double share = 0;    // of the round at hand that is done, 0 to 1
};

struct BusySms {  // from that moment on
  double at = 0;  // share of the call's time
  int sms = 0;
};

struct FilledClock {
  double ms = 0;                       // of the whole call
  std::vector<double> launches = {0};  // where each begins, as a share of that time
};

struct WaveSegment {
  double begin = 0, end = 0;  // shares of the call's time
  int number = 1;             // of its launch, from 1
  bool first_of_launch = false;
};

struct FilledSms {
  std::string title;         // "FA-1 · thread block = head"
  std::string figure;        // "64 of 132"
  std::string figure_words;  // "SMs ever have a thread block", or "SMs have 3 thread blocks each, in 11 waves"
  bool some_idle = false;    // an SM never has a thread block
  std::string clock;         // "At 1.66 ms: wave 6 of 11, 132 of 132 SMs work."
  std::string tail;          // "In the last 65 µs SMs run out of work."; empty where they end together
  std::string end_text;      // "3.39 ms"
  std::string idle;          // "68 SMs are idle for all 25.4 ms"; empty where each has a thread block
  std::string after;         // of a pair's shorter side: "FA-2 ends at 3.39 ms; FA-1 works 22.0 ms longer"
  std::vector<FilledSm> sms;
  std::vector<WaveSegment> waves;  // of all launches, one after the other
  std::vector<BusySms> busy;       // over time, fewer and fewer SMs in each launch; the last entry has none
  double now = 0, tail_from = 0;   // shares of the call's time
  double ms = 0;                   // of the whole call
};

inline constexpr std::int64_t kMostListedBlocks = 1 << 16;  // thread blocks, or bundles of them, with times

FilledSms build_filled_sms(const Problem&, const RunTime&, const FilledClock&, double now);  // now: share of the time

// The cycle at which the SMs together have done that share of their work, 0 to 1. Each works from the start on.
double cycle_of_work(const Waves&, double done);

// The share of the run's time that is over at that cursor, 0 to 1: the moment of every picture of its SMs. Naive's
// launches have their own parts of the time; the steps of any other schedule are taken as equal shares of all work.
// Precondition: the run has cycles.
double share_of_run(const Schedule&, const Waves&, std::int64_t cursor);

struct FilledPair {
  std::vector<FilledSms> sides;  // pinned, now
  double longest_ms = 0;         // of the axis that both sides have
  TickedAxis axis;
  std::string axis_words;  // "SMs at work over the recorded time; the waves within it are modelled."
};

struct FilledSide {
  const Schedule& schedule;
  const RunTime& run;
};

// Both sides at the moment at which the current one is at that cursor; empty where one does not run. times: those of
// the call's bars, or null where only the two walks are modelled.
FilledPair filled_pair(const FilledSide& pinned, const FilledSide& now, std::int64_t cursor, const CallTimes* times);

// The cursor of the schedule whose SMs these are, at that share of its time, 0 to 1.
std::int64_t cursor_at_moment(const FilledSms&, const Schedule&, double share);

}  // namespace tilewalk
