// The launches of a backward pass, and those of two passes side by side: bytes by tensor, FLOPs and thread blocks, all
// counted. Thread blocks are those of the teaching kernels (kernels/README.md). Not modelled: time, caches.
#pragma once

#include <string>
#include <vector>

#include "view/walk/traffic_model.h"
#include "view/words/verdict.h"

namespace tilewalk {

// Thread blocks of a launch of the teaching kernel.
std::int64_t launch_blocks(const Schedule&, int section);

struct LaunchLine {
  std::string name;                          // "2 walk"
  std::string blocks, read, written, flops;  // "16", "1.02 KiB", "3.4 kFLOP"
  TrafficBar traffic;                        // by tensor; shares are of the longest launch of both sides
};

struct LaunchesModel {
  std::string title;   // "FA-2 backward · 3 launches"
  TrafficBar traffic;  // of the whole run, by tensor; shares are of the longer of the two
  std::vector<LaunchLine> lines;
  std::string sentence;  // the work of a thread block in the main launch
};

struct LaunchesPair {
  LaunchesModel left, right;
  std::vector<TensorId> legend;
};

// Precondition: both are valid and comparable backward passes.
LaunchesPair build_launches(const Schedule& left, const Schedule& right);

struct BackwardComparison {
  Comparison figures;
  ComparisonWords words;
};
BackwardComparison build_backward_comparison(const Schedule& left, const Schedule& right);

}  // namespace tilewalk
