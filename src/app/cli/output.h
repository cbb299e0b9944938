// Output of verbs: results to stdout, messages to stderr, one JSON object with numbers as numbers. −∞, +∞ and NaN are
// the strings "-inf", "inf" and "nan". An fp32 value is written with the fewest digits that parse back to the same
// fp32.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/streams.h"
#include "base/result.h"
#include "core/walk/step.h"
#include "trace/accuracy.h"

namespace tilewalk {

using Json = nlohmann::ordered_json;

enum ExitCode { kExitOk = 0, kExitDivergence = 1, kExitBadInput = 2, kExitNoDevice = 3, kExitInternal = 4 };

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json json_number(float);
Json json_number(double);
Json json_rows(const std::vector<float>& values, std::int64_t cols);  // a list of rows; empty values: an empty list
Json json_counters(const Cost&, const Cost& whole_run);  // hbm (every tensor the whole run touches), hbm_total, flops
// verdict, reason, and for each tensor error, plain_error, bound, rows, of_rows
Json json_accuracy(const AccuracyReport&);

void print_json(const Json&);
int refuse(const Issues&);  // prints the first ten, one a line; returns kExitBadInput
int interrupted_exit();     // prints a message; returns interrupted_code()

// Wraps at spaces to lines of 78 characters; the first begins with `first`, the others with as many spaces.
std::string wrapped(const std::string& text, const std::string& first);

// A table with right-aligned columns, by displayed widths.
std::string table_text(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
                       const std::string& indent);

}  // namespace tilewalk
