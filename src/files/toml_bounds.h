// Limits of a TOML text, checked before a parser reads it. toml++ creates a table for each part of a dotted key and
// destroys them recursively, so a key of ten thousand parts overflows the stack. Checked: the nesting depth of tables
// and lists, and the number of keys and values. Not checked: whether it is TOML.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilewalk {

inline constexpr int kMaxTomlDepth = 16;       // of brackets, and of parts of one key
inline constexpr int kMaxTomlPieces = 50'000;  // keys, their parts, values

Result<Done> check_toml_bounds(std::string_view text, const std::string& name);

}  // namespace tilewalk
