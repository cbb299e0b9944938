#include "files/toml_text.h"

#include "base/shown.h"
#include "base/units.h"

namespace tilewalk {
namespace {

// Limits of a TOML text, checked before a parser reads it. toml++ creates a table for each part of a dotted key and
// destroys them recursively, so a key of ten thousand parts overflows the stack. Checked: the nesting depth of tables
// and lists, and the number of keys and values. Not checked: whether it is TOML.

constexpr int kMaxTomlDepth = 16;       // of brackets, and of parts of one key
constexpr int kMaxTomlPieces = 50'000;  // keys, their parts, values

// Walks over a text token by token; a string or a comment is one token.
class TomlWalk {
 public:
  explicit TomlWalk(std::string_view text) : rest_(text) {}

  int line() const { return line_; }

  // The next character outside strings and comments; 0 at the end. A string is returned as its opening quote.
  char next() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        skip(rest_.find('\n'));
        continue;
      }
      if (c == '"' || c == '\'')
        skip_string(c);
      else
        skip(1);
      return c;
    }
    return '\0';
  }

 private:
  void skip(std::size_t count) {
    const std::string_view piece = rest_.substr(0, count);
    for (const char c : piece) line_ += c == '\n';
    rest_.remove_prefix(piece.size());
  }

  // A single-line string ends with its line, whatever its quotes, as in a parser that refuses it.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool many_lines = rest_.starts_with(three);
    std::size_t at = many_lines ? 3 : 1;
    for (; at < rest_.size(); ++at) {
      if (quote == '"' && rest_[at] == '\\')
        ++at;
      else if (many_lines ? rest_.substr(at).starts_with(three) : rest_[at] == quote)
        return skip_closing(at, quote, many_lines);
      else if (!many_lines && rest_[at] == '\n')
        return skip(at);
    }
    skip(at);
  }
  void skip_closing(std::size_t at, char quote, bool many_lines) {
    at += many_lines ? 3 : 1;
    for (int more = 0; many_lines && more < 2 && at < rest_.size() && rest_[at] == quote; ++more) ++at;
    skip(at);
  }

  std::string_view rest_;
  int line_ = 1;
};

Result<Done> check_toml_bounds(std::string_view text, const std::string& name) {
  TomlWalk walk(text);
  int brackets = 0, parts = 1, pieces = 0;
  const auto refused = [&](const std::string& rule) {
    return Issue{name + ", line " + std::to_string(walk.line()), "", rule, "Session files need a few levels and keys"};
  };
  while (const char c = walk.next()) {
    switch (c) {
      case '[':
      case '{':
        ++brackets;
        parts = 1;
        ++pieces;
        break;
      case ']':
      case '}':
        brackets -= brackets > 0;
        parts = 1;
        break;
      case '.': ++parts, ++pieces; break;
      case '=':
      case ',':
      case '\n':
        parts = 1;
        pieces += c != '\n';
        break;
      default: break;
    }
    if (brackets > kMaxTomlDepth || parts > kMaxTomlDepth)
      return refused("lies deeper than " + std::to_string(kMaxTomlDepth) + " levels");
    if (pieces > kMaxTomlPieces)
      return refused("is past the " + format_count(kMaxTomlPieces) + " keys and values that are read");
  }
  return Done{};
}

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
