// What a TOML text may be before a parser sees it. toml++ makes a table for each part of a dotted key and takes them
// down one within the other, so that a key of ten thousand parts overflows the stack. Held here: how deep tables and
// lists lie in each other, and how many keys and values there are. Not checked: whether it is TOML.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilewalk {

inline constexpr int kMaxTomlDepth = 16;       // of brackets, and of parts of one key
inline constexpr int kMaxTomlPieces = 50'000;  // keys, their parts, values

Result<Done> check_toml_bounds(std::string_view text, const std::string& name);

}  // namespace tilewalk
