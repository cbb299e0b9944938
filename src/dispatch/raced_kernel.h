// The kernel that runs for a call, as races name it.
#pragma once

#include <optional>

#include "dispatch/call.h"
#include "dispatch/rule_table.h"

namespace tilewalk {

// Eager attention where the call does not go through PyTorch's function. None where nothing runs, or what runs was
// never raced.
std::optional<Contender> contender_that_runs(const Call&, const RuleTable&);

}  // namespace tilewalk
