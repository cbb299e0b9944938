#include "files/toml_text.h"

#include "base/shown.h"
#include "base/units.h"
#include "files/toml_bounds.h"

namespace tilewalk {
namespace {

void add_hidden(const toml::node& node, const std::string& name, Issues& issues) {
  const auto look_at = [&](std::string_view text) {
    if (!is_showable(text))
      issues.push_back({name + ", line " + std::to_string(node.source().begin.line), std::string(text),
                        "contains an invisible character: a control character or a hidden mark",
                        "Use printable characters"});
  };
  if (const toml::table* const table = node.as_table())
    for (const auto& [key, value] : *table) look_at(key.str()), add_hidden(value, name, issues);
  else if (const toml::array* const list = node.as_array())
    for (const toml::node& each : *list) add_hidden(each, name, issues);
  else if (const auto text = node.value_exact<std::string>())
    look_at(*text);
}

}  // namespace

Issues hidden_texts(const toml::table& table, const std::string& name) {
  Issues issues;
  add_hidden(table, name, issues);
  return issues;
}

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
  if (!is_utf8(text)) return toml_text(as_utf8(text));
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
