// Files of races: raw samples, one a line, as kernels/fast/scripts/bench_*.py and `tilewalk race --csv` write them. A
// line "# KEY: VALUE" is provenance; "# row PASS,CONTENDER,DTYPE,D,HEADS,BATCH,N,CAUSAL: KEY VALUE" tells of a row what
// samples cannot: its extra_bytes, its own-share and peaks-at-clock (as in RaceRow, with spaces between), its
// flops-done, or why it has none ("out-of-memory SENTENCE", "refused SENTENCE"). All of these may be missing. A damaged
// or foreign file gives Issues with file and line. A rung runs as its first contender in a cell; other tiles and
// variants that leave an optimisation out are in the file and not rows of the race.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/problem/problem.h"
#include "measured/race.h"

namespace tilewalk {

// The card of the shipped race, and of the lanes that were stamped, by its name in the device table.
inline constexpr const char* kRecordedOn = kDefaultDevice;

Result<Race> parse_recorded_race(std::string_view text, const std::string& name);
Result<Race> load_recorded_race(const std::string& path);

// The race shipped under ROOT/assets/measurements, of the card named above: the newest fast_forward_*.csv, joined by
// the newest of fast_backward_*.csv and of head_256_forward_*.csv and head_256_backward_*.csv, recorded on the same
// day. The first file's provenance stands for all; the others' ceilings are not asked for.
Result<Race> load_shipped_race(const std::string& root);

std::string race_csv(const Race&);  // what parse_recorded_race reads back

}  // namespace tilewalk
