// Files of races: raw samples, one a line, as kernels/fast/scripts/bench_*.py and `tilewalk race --csv` write them. A
// line "# KEY: VALUE" is provenance; "# row PASS,CONTENDER,DTYPE,D,HEADS,BATCH,N,CAUSAL: KEY VALUE" is a remark on a
// row with what samples cannot say: its extra_bytes, its own-share and peaks-at-clock (as in RaceRow, with spaces
// between), its flops-done, or why it has no samples ("out-of-memory SENTENCE", "refused SENTENCE"). All of these may
// be missing. A damaged or foreign file gives Issues with file and line. A contender's row is its first tile in a cell;
// other tiles, and variants that leave an optimisation out, are in the file but are not rows of the race.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/problem/problem.h"
#include "measured/race.h"

namespace tilewalk {

// The card of the shipped race, and of the recorded stamps, by its name in the device table.
inline constexpr const char* kRecordedOn = kDefaultDevice;
// Rows of Q in a call of the shipped race, batch × N, unless N alone is more.
inline constexpr std::int64_t kRacedRows = 16384;

Result<Race> parse_recorded_race(std::string_view text, const std::string& name);
Result<Race> load_recorded_race(const std::string& path);

// The race shipped under ROOT/assets/measurements, of the card named above: the newest fast_forward_*.csv, joined with
// the newest of fast_backward_*.csv and of head_256_forward_*.csv and head_256_backward_*.csv, recorded on the same
// day. The first file's provenance is used for all; the others' ceilings are ignored.
Result<Race> load_shipped_race(const std::string& root);

std::string race_csv(const Race&);  // parse_recorded_race reads it

}  // namespace tilewalk
