// One function a verb: reads its own options, prints, and returns the exit code. Bad input is refused before any work.
#pragma once

#include "app/cli/args.h"

namespace tilewalk {

int replay_verb(const CommandLine&);
int counters_verb(const CommandLine&);
int verify_verb(const CommandLine&);
int run_verb(const CommandLine&);
int record_verb(const CommandLine&);
int render_verb(const CommandLine&);
int bench_verb(const CommandLine&);
int devices_verb(const CommandLine&);
int race_verb(const CommandLine&);
int chip_timeline(const CommandLine&);  // race --timeline
int verify_fast(const CommandLine&);    // verify --fast
int window_verb(const CommandLine&);

}  // namespace tilewalk
