// The counters of a walk, step by step, as a table for a spreadsheet: one line for each step, with the bytes read and
// written by its end, for every tensor that the run uses. The last line contains the totals of the run.
#pragma once

#include <functional>

#include "core/walk/schedule.h"
#include "files/output_file.h"

namespace tilewalk {

inline constexpr std::int64_t kMostCsvSteps = 1'000'000;

Issues why_no_counters_csv(const Schedule&);  // empty: it is short enough

// Calls `go_on` repeatedly with the fraction done; stops and returns false where it returns false.
Result<bool> write_counters_csv(const Schedule&, const ByteSink&, const std::function<bool(double)>& go_on);

}  // namespace tilewalk
