// A problem as JSON text, complete and independent of sessions and presets: the problem of a recording. Reading is
// strict: every key is required, others are refused, and the problem must pass validate(). The fault is not part of it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/problem/problem.h"

namespace tilewalk {

inline constexpr std::size_t kMaxProblemJson = 1 << 16;

std::string problem_json(const Problem&);
// Messages use `name` for the source.
Result<Problem> parse_problem_json(std::string_view text, const std::string& name);

}  // namespace tilewalk
