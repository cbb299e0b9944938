// Processors (CPUs) with known roofs: those of the recorded races, with the times of cpu_naive and cpu_tiled there, and
// this machine's, once it was measured. A recorded one combines all files ROOT/assets/measurements/cpu_race_*.csv of
// one processor and number of threads (`tilewalk race --cpu --csv`, one a type): the highest of each ceiling, and for
// each cell the later file's times. By name: "cpu" is the recorded one with the most threads, "cpu-16" that with 16
// threads, "your-cpu" this machine's.
#pragma once

#include <string>
#include <vector>

#include "measured/measured_machine.h"
#include "measured/prediction_error.h"
#include "measured/race.h"

namespace tilewalk {

struct KnownProcessor {
  std::string name;  // "cpu-16"
  Processor processor;
  std::string date;  // of its latest measurement
  bool yours = false;
  std::vector<RaceRow> rows;  // of cpu_naive and cpu_tiled; empty without a race

  const RaceRow* row(Contender, const RaceCell&) const;  // null: no row, or the machine was not quiet
  std::string source() const;                            // one sentence: which machine, when, what was measured
  // Sets heads and batch of the raced cells with that head size; 128 columns in all where there is none.
  void shape_as_raced(AttentionCall&) const;
};

bool names_processor(const std::string& device);  // "cpu", "cpu-…" or "your-cpu"
std::string your_processor_name();

Result<std::vector<KnownProcessor>> load_known_processors(const std::string& root);  // most threads first

// The issue lists the known names, or says what to do first.
Result<KnownProcessor> processor_named(const std::string& device, const std::vector<KnownProcessor>& recorded,
                                       const MeasuredMachine& at_hand);

// cpu_naive and cpu_tiled with their recorded times, then each contender on a GPU, marked as not available.
std::vector<PredictionRow> prediction_rows(const AttentionCall&, const KnownProcessor&);

}  // namespace tilewalk
