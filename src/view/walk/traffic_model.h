// Traffic bars: naive for the whole run, this schedule for the whole run, this schedule so far. Bytes requested from
// global memory, counted from the schedule's own steps; the naive run is counted from a schedule too, not from a
// formula. Not modelled: caches. A profiler's DRAM figure is lower where L2 hits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/walk/schedule.h"

namespace tilewalk {

struct TrafficPart {
  TensorId tensor = TensorId::Q;
  std::int64_t read_bytes = 0, write_bytes = 0;
  double share = 0;  // of the longest bar
};

std::string text_of(const TrafficPart&);  // "K: reads 1.00 KiB, writes 0 B"

struct TrafficBar {
  std::string label;  // "FA-2, whole run"
  std::string text;   // "1.81 KiB · 2.8× less"
  std::int64_t bytes = 0;
  std::vector<TrafficPart> parts;
  std::string basis = {};  // of a whole run: "tiles 64×64, S in fp32, P in bf16", "tiles 128×64"; else empty
  std::string note = {};   // how the naive attention that races differs, a sentence; empty where S is as it has it
};

struct TrafficModel {
  std::vector<TrafficBar> bars;
  std::vector<TensorId> legend;  // tensors whose colours are in the bars, in the order of the parts
  std::string visits;            // "10 tile visits of 16: 6 full, 4 partial, 6 skipped"
  std::string flops;             // so far, by kind
  std::string textbook;          // the paper's formula for comparison
  struct Line {                  // one counter of this schedule, so far and whole
    std::string tensor, read_so_far, write_so_far, read_total, write_total;
  };
  std::vector<Line> lines;
};

// Values that do not change during a walk; built once for each problem.
struct WholeRuns {
  Cost naive, other;            // other: this schedule; for a naive one, FA-2 in the same direction. 0: it does not fit
  std::string naive_basis;      // see basis_of_naive
  std::string other_basis;      // see basis_of
  std::string naive_note;       // TrafficBar::note
  std::int64_t naive_rows = 0;  // of a Q tile of the naive schedule
  ScheduleKind other_kind{};
  VisitCounts visits;
  Cost own;
};
WholeRuns whole_runs(const Schedule&);

// What a total of a naive schedule's bytes depends on: its tiles, and the types in which S and P cross. The naive
// attention of the races keeps both in 16 bits, as a walk of its call does; with S in fp32 the total is larger.
std::string basis_of_naive(const Problem&);
std::string basis_of(const Problem&);                 // the same of naive; "tiles 128×64" of any other schedule
std::string bytes_against(double one, double other);  // relative to the other: "2.8× less"; near one "1.2 % less"
// The bar of a cost, by tensor; shares are of `longest` bytes.
TrafficBar traffic_bar(std::string label, const Cost&, double longest);
TrafficModel build_traffic_model(const Schedule&, const WholeRuns&, std::int64_t cursor);

}  // namespace tilewalk
