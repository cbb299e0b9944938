// The problem as typed: one text per field, checked at every key, applied only when there are no issues. Fields have
// the names of core/fields, so an Issue from validate() finds its field.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "core/fields/fields.h"

namespace tilewalk {

inline constexpr const char* kBothLengths = "n";  // sets n-q and n-kv at once, as on the command line

using Draft = std::map<std::string, std::string>;  // every field has an entry

Draft draft_of(const Problem&);
// The problem that the texts describe, or every issue: fields that cannot be parsed, then the issues of validate()
// about the others.
Result<Problem> problem_of(const Draft&);
// True if the issue is shown under that field ("br x bc" under br and under bc).
bool concerns(const Issue&, const std::string& field);

}  // namespace tilewalk
