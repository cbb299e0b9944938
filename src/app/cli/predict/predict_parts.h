// What predict says of a card and of a processor alike: the calls asked for, a row as JSON, and dashes for no figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/args.h"
#include "app/cli/output.h"
#include "measured/known_processors.h"

namespace tilewalk {

// Every combination of the lists. On a processor heads, batch and dtype are by themselves as it was raced.
Result<std::vector<AttentionCall>> calls_asked(const CommandLine&, const KnownProcessor* on = nullptr);

Json row_json(const std::vector<PredictionRow>&, const PredictionRow&, const std::string& note);
Json device_json(const DeviceModel&, const std::string& name);
Json ceilings_json(const DeviceModel&);
std::string or_dash(const std::optional<double>& ms);

// Rows of every call, on a processor: exit 0.
int predict_on_processor(const CommandLine&, const KnownProcessor&, const std::vector<AttentionCall>&, Json out);

// The whole table of what was recorded on a card.
int predict_against_recorded(const CommandLine&);

// What this machine reaches, measured now and kept; where it was stopped, or nothing could be measured, an exit code.
struct MeasuredHere {
  MeasuredMachine machine;
  std::optional<int> exit;
};
MeasuredHere measure_here();
Json machine_json(const MeasuredMachine&);
void print_machine(const MeasuredMachine&);

}  // namespace tilewalk
