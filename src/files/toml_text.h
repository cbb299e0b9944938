// Text as TOML, in and out: bounded before the parser sees it, and values as they stand in a file that Tilewalk writes.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilewalk {

// The issue names file and line.
Result<toml::table> parse_toml(std::string_view text, const std::string& name);

// Keys and texts in it that would not show as they are: control characters, hidden marks (base/shown). For files whose
// words are printed; a path may hold anything.
Issues hidden_texts(const toml::table&, const std::string& name);

std::string toml_text(const std::string&);  // in quotes; of bytes that are no UTF-8, which TOML cannot hold, U+FFFD
std::string toml_number(double);            // never taken for a whole one

}  // namespace tilewalk
