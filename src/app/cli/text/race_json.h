// Races as JSON and as a table of text.
#pragma once

#include "app/cli/output.h"
#include "measured/race.h"
#include "session/command/race_report.h"

namespace tilewalk {

const char* name_of(RaceSource);  // "recorded", "cpu", "gpu"

struct SourcedRace {
  RaceSource source{};
  Race race;
};

// {"against", "rows", "ceilings", "machine", "date", "races"}: the first race's ceilings, machine and date at the top,
// every race's under "races"; each row names its "source". kernels/race/README.md lists the keys.
Json races_json(const std::vector<SourcedRace>&);
std::string race_text(const SourcedRace&);

}  // namespace tilewalk
