#include "files/toml_text.h"

#include "base/units.h"
#include "files/toml_bounds.h"

namespace tilewalk {

Result<toml::table> parse_toml(std::string_view text, const std::string& name) {
  if (const Result<Done> bounds = check_toml_bounds(text, name); !bounds) return bounds.issues();
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    return Issue{name + ", line " + std::to_string(error.source().begin.line), "", std::string(error.description()),
                 "Correct that line; the file is TOML"};
  }
}

std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    constexpr char kHex[] = "0123456789abcdef";
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if ((unsigned char)c < 0x20 || c == 0x7f)
      ((out += "\\u00") += kHex[(unsigned char)c >> 4]) += kHex[c & 15];
    else
      out += c;
  }
  return out + "\"";
}

std::string toml_number(double value) {
  std::string text = format_number(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace tilewalk
