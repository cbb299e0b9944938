// Traffic bars: naive for the whole run, this schedule for the whole run, this schedule so far. Bytes asked of global
// memory, counted from the schedule's own steps; the naive run is a schedule too, not a formula.
// Not modelled: caches. A profiler's DRAM figure is lower where L2 answers.
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

struct TrafficBar {
  std::string label;  // "FA-2, whole run"
  std::string text;   // "1.81 KiB · 2.8× less"
  std::int64_t bytes = 0;
  std::vector<TrafficPart> parts;
};

struct TrafficModel {
  std::vector<TrafficBar> bars;
  std::vector<TensorId> legend;  // whose colours stand in the bars, in the order of the parts
  std::string visits;            // "10 tile visits of 16: 6 full, 4 partial, 6 skipped"
  std::string flops;             // so far, by kind
  std::string textbook;          // the paper's ledger beside it
  struct Line {                  // every counter of this schedule, so far and whole
    std::string tensor, read_so_far, write_so_far, read_total, write_total;
  };
  std::vector<Line> lines;
};

// What does not change while walking; build once a problem.
struct WholeRuns {
  Cost naive, other;  // other: this schedule, or beside a naive one the FA-2 of its direction
  ScheduleKind other_kind{};
  VisitCounts visits;
  Cost own;
};
WholeRuns whole_runs(const Schedule&);

std::string bytes_against(double one, double other);  // of the other: "2.8× less"; near one "1.2 % less"
// Of a cost, by tensor; shares are of `longest` bytes.
TrafficBar traffic_bar(std::string label, const Cost&, double longest);
TrafficModel build_traffic_model(const Schedule&, const WholeRuns&, std::int64_t cursor);

}  // namespace tilewalk
