// Processors (CPUs) whose roofs are known: those of the recorded races, with what cpu_naive and cpu_tiled took there,
// and the one at hand, once it was measured. A recorded one is made of all files
// ROOT/assets/measurements/cpu_race_*.csv of one processor and number of threads (`tilewalk race --cpu --csv`, one a
// type): of each ceiling the highest, of each cell the later file's times. By name: "cpu" is the recorded one of most
// threads, "cpu-16" that of 16 threads, "your-cpu" the one at hand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measured/measured_machine.h"
#include "measured/prediction_error.h"
#include "measured/race.h"

namespace tilewalk {

struct KnownProcessor {
  std::string name;  // "cpu-16"
  Processor processor;
  std::string date;  // of its last measurement
  bool yours = false;
  std::vector<RaceRow> rows;  // of cpu_naive and cpu_tiled; empty where nobody raced

  const RaceRow* row(Contender, const RaceCell&) const;  // null: there is none, or it was not quiet
  std::string source() const;                            // one sentence: which machine, when, what of it was measured
  // Heads and batch of the cells that were raced at that head size; 128 columns in all where none was.
  void shape_as_raced(AttentionCall&) const;
};

bool names_processor(const std::string& device);  // "cpu", "cpu-…" or "your-cpu"
std::string your_processor_name();

Result<std::vector<KnownProcessor>> load_known_processors(const std::string& root);  // most threads first

// An issue names what there is, or what to do first.
Result<KnownProcessor> processor_named(const std::string& device, const std::vector<KnownProcessor>& recorded,
                                       const MeasuredMachine& at_hand);

// cpu_naive and cpu_tiled with what was recorded, then each contender of a GPU, which is not there.
std::vector<PredictionRow> prediction_rows(const AttentionCall&, const KnownProcessor&);

}  // namespace tilewalk
