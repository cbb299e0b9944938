#include "trace/trace.h"

#include "core/walk/schedule.h"

namespace tilewalk {

std::int64_t full_state_bytes(const Problem& p) {
  const std::int64_t rows = trace_rows(p), cols = trace_cols(p);
  const std::int64_t row_values =
      is_backward(p.schedule) ? (p.schedule == ScheduleKind::BackwardStandard ? 3 : 4) * cols + p.shape.d : (p.schedule == ScheduleKind::Standard ? 2 : 3) + 2 * cols + p.shape.d;
  const __int128 column_values = is_backward(p.schedule) ? __int128(2) * cols * p.shape.d : 0;
  const __int128 bytes =
      __int128(make_schedule(p)->visit_counts().visited()) * (__int128(rows) * row_values + column_values) * 4;
  const __int128 limit = __int128(1) << 62;
  return std::int64_t(bytes < limit ? bytes : limit);
}

TraceDetail default_detail(const Problem& p) {
  constexpr std::int64_t kSmallBytes = std::int64_t(4) << 20;
  return full_state_bytes(p) <= kSmallBytes ? TraceDetail::State : TraceDetail::Hashes;
}

}  // namespace tilewalk
