// How far the model of lanes is from the chip: cycles of one Q tile, from one tile visit to the next, and by kind of
// work, recorded beside modelled. Both are measured alike, in the segments of the two timelines.
//
// A recorded product lasts from its issue until its warpgroup looks at it, so that P·V contains the softmax beside it;
// a modelled one ends when it is done.
#pragma once

#include <string>
#include <vector>

#include "dispatch/call.h"
#include "pages/compare/chip_lanes_model.h"

namespace tilewalk {

struct KindCycles {
  LaneBoxKind kind{};
  std::string name;            // "softmax"
  std::string tip;             // what is counted
  double chip = 0, model = 0;  // mean cycles
  bool once = false;           // of the Q tile, not of a visit of one consumer
};

struct LackingCycles {  // that the chip takes and the model lacks; below 0: the model has more
  std::int64_t cycles = 0;
  std::string where;  // "from visit to visit"
};

struct ChipComparison {
  std::string call;        // "The recorded call: N 2,048, causal, …"
  std::string figure;      // "13,859": the cycles that the model lacks; else "−5 %", its time beside the chip's
  std::string conclusion;  // one sentence, with the figures
  std::string walk;        // how the recorded call differs from the walk
  std::vector<KindCycles> kinds;
  double most = 0;                   // the longest of them
  std::vector<LackingCycles> parts;  // the largest first; empty where the model lacks none
  std::string lacks;                 // the same in words
  std::string reconciled;            // why the bars differ in meaning
  std::vector<std::string> notes;
};

struct LaneMeans {                                                           // of the consumers of one timeline
  double scores = 0, softmax = 0, accumulate = 0, rescale = 0, waiting = 0;  // of one visit of one consumer
  double visit = 0;                                                          // from one to the next
  double first = 0;                                                          // until the first product of scores begins
};
LaneMeans lane_means(const Timeline&);

// How the window's call differs from the recorded one; empty: it does not.
std::string unlike_the_call(const ChipRun&, const Call&);

// model_ms: of the whole call, by the model of time. unlike: from unlike_the_call().
ChipComparison compare_with_chip(const ChipLanes&, const Timeline& modelled, double model_ms, const Problem& walk,
                                 const std::string& unlike);

// A step while recorded lanes are presented, from 1: one kind of work, in figure, words and lanes. Step 0 shows all.
void show_kind(int step, ChipComparison&, LanesModel&);

}  // namespace tilewalk
