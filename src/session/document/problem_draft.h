// The problem as a person types it: one text per field, checked on every key, applied only when nothing is wrong.
// Fields are those of core/schedules/fields by name, so an Issue from validate() finds its field.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "core/schedules/fields/fields.h"

namespace tilewalk {

inline constexpr const char* kBothLengths = "n";  // a name for n-q and n-kv at once, as on the command line

using Draft = std::map<std::string, std::string>;  // every field has an entry

Draft draft_of(const Problem&);
// The problem that the texts describe, or every issue: what cannot be read, then what validate() says of the others.
Result<Problem> problem_of(const Draft&);
// Does this issue belong under that field? ("br x bc" belongs under br and under bc.)
bool concerns(const Issue&, const std::string& field);

}  // namespace tilewalk
