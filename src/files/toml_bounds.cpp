#include "files/toml_bounds.h"

#include "base/units.h"

namespace tilewalk {
namespace {

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

}  // namespace

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

}  // namespace tilewalk
