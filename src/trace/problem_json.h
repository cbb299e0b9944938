// A problem as JSON text, complete and independent of sessions and presets: what a recording says it is about. Reading
// is strict: every key must be there, no other may be, and the problem must pass validate(). The fault is not part of
// it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/problem/problem.h"

namespace tilewalk {

inline constexpr std::size_t kMaxProblemJson = 1 << 16;

std::string problem_json(const Problem&);
// `name` stands for the source in messages.
Result<Problem> parse_problem_json(std::string_view text, const std::string& name);

}  // namespace tilewalk
