// The counters of a walk, step by step, as a table for a spreadsheet: a line a step, and of every tensor that the run
// touches what has been read and written by the end of that step. The last line holds the totals of the run.
#pragma once

#include <functional>

#include "core/walk/schedule.h"
#include "files/output_file.h"

namespace tilewalk {

inline constexpr std::int64_t kMostCsvSteps = 1'000'000;

Issues why_no_counters_csv(const Schedule&);  // empty: it is short enough

// `go_on` is asked now and then, with how far it is; false is returned where it said no.
// Precondition: why_no_counters_csv is empty.
Result<bool> write_counters_csv(const Schedule&, const ByteSink&, const std::function<bool(double)>& go_on);

}  // namespace tilewalk
