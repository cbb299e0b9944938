// Text as TOML, in and out: bounded before the parser sees it, and values as they stand in a file that Tilewalk writes.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilewalk {

// The issue names file and line.
Result<toml::table> parse_toml(std::string_view text, const std::string& name);

std::string toml_text(const std::string&);  // in quotes
std::string toml_number(double);            // never taken for a whole one

}  // namespace tilewalk
