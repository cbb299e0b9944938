#include "trace/trace.h"

#include "core/schedules/registry.h"
#include "trace/traced.h"

namespace tilewalk {

std::int64_t full_state_bytes(const Problem& p) {
  __int128 values = 0;  // of a visit
  for (const TracedRow* traced : recorded_arrays(row_of(p))) {
    const TracedTile tile = traced_tile(p, ledger_row(traced->quantity).shape);
    if (!traced->result) values += __int128(tile.rows) * tile.cols;
  }
  const __int128 bytes = make_schedule(p)->visit_counts().visited() * values * 4;
  const __int128 limit = __int128(1) << 62;
  return std::int64_t(bytes < limit ? bytes : limit);
}

}  // namespace tilewalk
