// Parses and writes TOML: limits are checked before the parser reads the text, and values are written as in Tilewalk's
// own files.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilewalk {

// The issue names file and line.
Result<toml::table> parse_toml(std::string_view text, const std::string& name);

// Keys and texts that would not display unchanged: control characters, invisible characters (base/shown). For files
// whose words are printed; a path may contain anything.
Issues hidden_texts(const toml::table&, const std::string& name);

std::string toml_text(const std::string&);  // in quotes; U+FFFD for bytes that are not UTF-8, which TOML cannot contain
std::string toml_number(double);  // always with a fraction or an exponent, so that it is not read as an integer

}  // namespace tilewalk
