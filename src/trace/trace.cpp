#include "trace/trace.h"

#include "core/schedules/registry.h"

namespace tilewalk {

std::int64_t full_state_bytes(const Problem& p) {
  const std::int64_t rows = trace_rows(p), cols = trace_cols(p);
  const ScheduleRow& row = row_of(p);
  const bool backward = row.family.backward;
  const std::int64_t tiles = backward ? 3 + int(row.trace.scores) : 2;  // s, p, and dp, ds
  const std::int64_t numbers = backward ? 0 : 2 + int(row.trace.alpha);
  const std::int64_t row_values = numbers + tiles * cols + p.shape.d;
  const __int128 column_values = backward ? __int128(2) * cols * p.shape.d : 0;
  const __int128 bytes =
      __int128(make_schedule(p)->visit_counts().visited()) * (__int128(rows) * row_values + column_values) * 4;
  const __int128 limit = __int128(1) << 62;
  return std::int64_t(bytes < limit ? bytes : limit);
}

}  // namespace tilewalk
