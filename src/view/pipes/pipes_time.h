// Two walks in step by time: both calls begin at once, and each takes its whole time. Where within its time a call is:
// a walk that writes S to HBM is limited by memory, so its time is spread evenly over its bytes; so is each launch of
// the naive attention that races, by its own time; any other's over its tile visits. Times are in milliseconds.
#pragma once

#include <cstdint>

#include "core/walk/schedule.h"
#include "view/words/call_times.h"

namespace tilewalk {

struct PipesModel;

double share_of_time(const Schedule&, std::int64_t cursor);  // 0 to 1
std::int64_t cursor_at_time(const Schedule&, double share);  // the last cursor that has used no more
std::int64_t pinned_cursor_by_time(const Schedule& now, std::int64_t cursor, const Schedule& pinned, const CallTimes&);

// The words of both times, in step by time.
void describe_times(const CallTimes&, PipesModel&);

}  // namespace tilewalk
