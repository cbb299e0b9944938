// Shared by predict for cards and processors: the requested calls, a row as JSON, and dashes for missing figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/args.h"
#include "app/cli/output.h"
#include "measured/known_processors.h"

namespace tilewalk {

// Every combination of the lists. On a processor the defaults of heads, batch and dtype are those of the race.
Result<std::vector<AttentionCall>> calls_asked(const CommandLine&, const KnownProcessor* on = nullptr);

Json row_json(const std::vector<PredictionRow>&, const PredictionRow&, const std::string& note);
Json device_json(const DeviceModel&, const std::string& name);
Json ceilings_json(const DeviceModel&);
std::string or_dash(const std::optional<double>& ms);

// Prints the rows of every call on a processor: exit 0.
int predict_on_processor(const CommandLine&, const KnownProcessor&, const std::vector<AttentionCall>&, Json out);

// Prints the whole table of a card's recorded times.
int predict_against_recorded(const CommandLine&);

// This machine's rates, measured now and saved; an exit code if it was stopped or nothing could be measured.
struct MeasuredHere {
  MeasuredMachine machine;
  std::optional<int> exit;
};
MeasuredHere measure_here();
Json machine_json(const MeasuredMachine&);
void print_machine(const MeasuredMachine&);

}  // namespace tilewalk
