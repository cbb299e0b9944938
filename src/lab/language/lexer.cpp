#include <algorithm>
#include <charconv>
#include <map>

#include "base/words.h"
#include "lab/language/token.h"

namespace tilewalk::lab {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Longest first.
constexpr std::string_view kSigns[] = {
    "<<=", ">>=", "...", "->*", "<<<", ">>>", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "{",  "}",  "(",  ")",  "[",  "]",  ";",  ",",
    ":",   "?",   "=",   "<",   ">",   "+",   "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "!",  "."};

class Lexer {
 public:
  Lexer(std::string_view text, LexedText& out) : text_(text), out_(out) {}

  std::optional<SourceError> run() {
    if (text_.size() > kMostSourceBytes)
      return SourceError{{1, 1}, "the text is longer than 256 KiB", "A kernel is shorter."};
    while (!error_ && skip_blanks()) read_into(out_.tokens);
    out_.tokens.push_back({.place = place()});
    out_.lines = line_;
    return error_;
  }

 private:
  char at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  SourcePlace place() const { return {line_, int(at_ - line_start_) + 1}; }
  void fail(const SourcePlace& where, std::string what, std::string instead) {
    if (!error_) error_ = SourceError{where, std::move(what), std::move(instead)};
  }
  void step() {
    if (at() == '\n') {
      ++line_;
      line_start_ = at_ + 1;
      at_line_start_ = true;
    }
    ++at_;
  }

  // Skips blanks and comments, and reads lines that begin with #. False at the end.
  bool skip_blanks() {
    while (at_ < text_.size() && !error_) {
      const char c = at();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        step();
      } else if (c == '/' && at(1) == '/') {
        line_comment();
      } else if (c == '/' && at(1) == '*') {
        block_comment();
      } else if (c == '#' && at_line_start_) {
        hash_line();
      } else {
        at_line_start_ = false;
        return true;
      }
    }
    return false;
  }

  void block_comment() {
    const SourcePlace start = place();
    for (at_ += 2; at_ < text_.size(); step())
      if (at() == '*' && at(1) == '/') {
        at_ += 2;
        return;
      }
    fail(start, "this comment has no end", "Write */ behind it.");
  }

  void line_comment() {
    const SourcePlace start = place();
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view words = text_.substr(at_ + 2, end - at_ - 2);
    for (std::size_t open = words.find('['); open != std::string_view::npos; open = words.find('[', open + 1)) {
      const std::size_t close = words.find(']', open);
      if (close == std::string_view::npos) break;
      const std::string_view name = words.substr(open + 1, close - open - 1);
      if (!name.empty() && name.size() <= 40 && name[0] >= 'A' && name[0] <= 'Z' &&
          std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); })) {
        out_.tags.push_back({line_, std::string(name)});
        break;
      }
    }
    const std::size_t from = std::min(words.find_first_not_of(" \t"), words.size());
    for (const std::string_view name : {"launch", "scratch", "base"}) {
      if (!words.substr(from).starts_with(name)) continue;
      std::size_t colon = words.find_first_not_of(" \t", from + name.size());
      if (colon == std::string_view::npos || words[colon] != ':') continue;
      at_ += 2 + colon + 1;
      read_directive(name, start, end);
      return;
    }
    at_ = end;
  }

  void read_directive(std::string_view name, const SourcePlace& start, std::size_t end) {
    Directive directive{std::string(name), start, {}};
    const std::string_view whole = text_;
    text_ = text_.substr(0, end);
    for (;;) {
      while (at() == ' ' || at() == '\t' || at() == '\r') ++at_;
      if (at_ >= text_.size() || error_) break;
      read_into(directive.tokens);
    }
    directive.tokens.push_back({.place = place()});
    text_ = whole;
    if (out_.directives.size() < 64)
      out_.directives.push_back(std::move(directive));
    else
      fail(start, "there are more than 64 launch and scratch lines", "");
  }

  void hash_line() {
    const SourcePlace start = place();
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view whole = text_;
    text_ = text_.substr(0, end);
    if (const std::size_t comment = text_.find("//", at_); comment != std::string_view::npos)
      text_ = text_.substr(0, comment);
    ++at_;
    std::vector<Token> words;
    const auto blanks = [&] {
      while (at() == ' ' || at() == '\t' || at() == '\r') ++at_;
    };
    blanks();
    const std::size_t name_start = at_;
    while (is_letter(at())) ++at_;
    const std::string_view name = text_.substr(name_start, at_ - name_start);
    if (name == "define") {
      blanks();
      const std::size_t from = at_;
      while (is_letter(at()) || is_digit(at())) ++at_;
      const std::string_view macro = text_.substr(from, at_ - from);
      if (macro.empty() || is_digit(macro[0]))
        fail(start, "#define needs a name", "Write #define NAME value.");
      else if (at() == '(')
        fail(start, "a #define with parameters is not part of this language",
             "Write a __device__ function instead of " + std::string(macro) + "(…).");
      for (blanks(); at_ < text_.size() && !error_; blanks()) read_into(words);
      if (words.size() > 64) fail(start, "this #define is longer than 64 words", "Write a __device__ function.");
      if (macros_.size() > 1000) fail(start, "there are more than 1000 #define lines", "");
      if (!error_) macros_[macro] = std::move(words);
    } else if (name == "include") {
      fail(start, "#include is not needed here", "Remove this line: all functions of the lab are known without it.");
    } else if (name != "pragma") {
      fail(start, "#" + std::string(name) + " is not part of this language",
           "Only #define of constants and #pragma unroll are. For a choice, write if with a constant.");
    }
    text_ = whole;
    at_ = end;
  }

  void push(std::vector<Token>& to, const Token& token) {
    if (++count_ > kMostTokens)
      fail(token.place, "the text has more than 100,000 words", "A kernel is shorter.");
    else
      to.push_back(token);
  }

  void read_into(std::vector<Token>& to) {
    Token token{.place = place()};
    const std::size_t from = at_;
    if (is_letter(at())) {
      while (is_letter(at()) || is_digit(at())) ++at_;
      token.kind = TokenKind::Name;
      token.text = text_.substr(from, at_ - from);
      if (const auto macro = macros_.find(token.text); macro != macros_.end()) {
        for (Token each : std::vector<Token>(macro->second)) {
          each.place = token.place;
          push(to, each);
          if (error_) return;
        }
        return;
      }
      return push(to, token);
    }
    if (is_digit(at()) || (at() == '.' && is_digit(at(1)))) return read_number(to);
    if (at() == '"') return read_string(to);
    for (const std::string_view sign : kSigns)
      if (text_.substr(at_).starts_with(sign)) {
        at_ += sign.size();
        token.kind = TokenKind::Sign;
        token.text = text_.substr(from, sign.size());
        return push(to, token);
      }
    const bool ascii = at() > ' ' && at() < 127;
    fail(token.place,
         ascii ? std::string("the character ") + at() + " is not part of this language"
               : "this character is not part of this language",
         "Only letters, digits and the signs of C are, outside of comments.");
  }

  void read_string(std::vector<Token>& to) {
    Token token{.kind = TokenKind::String, .place = place()};
    const std::size_t from = ++at_;
    while (at_ < text_.size() && at() != '"' && at() != '\n') at_ += at() == '\\' && at(1) != '\n' ? 2 : 1;
    if (at_ >= text_.size() || at() != '"') {
      at_ = std::min(at_, text_.size());
      return fail(token.place, "this text in quotes has no end", "Write \" behind it, on the same line.");
    }
    token.text = text_.substr(from, at_ - from);
    ++at_;
    push(to, token);
  }

  void read_number(std::vector<Token>& to) {
    Token token{.kind = TokenKind::Integer, .place = place()};
    const std::size_t from = at_;
    const bool hex = at() == '0' && (at(1) == 'x' || at(1) == 'X');
    bool real = false, in_exponent = false;
    if (hex) at_ += 2;
    for (;; ++at_) {
      const char c = at();
      const bool exponent = hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
      if (c == '.' || exponent) real = true;
      in_exponent = in_exponent || exponent;
      if (exponent && (at(1) == '+' || at(1) == '-')) ++at_;
      const bool hex_digit = hex && !in_exponent && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
      if (!(is_digit(c) || c == '.' || exponent || hex_digit)) break;
    }
    const std::string_view digits = text_.substr(from, at_ - from);
    const std::size_t suffix_from = at_;
    while (is_letter(at()) || is_digit(at())) ++at_;
    const std::string_view suffix = text_.substr(suffix_from, at_ - suffix_from);
    token.text = text_.substr(from, at_ - from);
    const char* first = digits.data() + (hex ? 2 : 0);
    const char* last = digits.data() + digits.size();
    if (real) {
      token.kind = TokenKind::Float;
      const auto format = hex ? std::chars_format::hex : std::chars_format::general;
      const auto [end, problem] = std::from_chars(first, last, token.value, format);
      if (problem == std::errc::result_out_of_range)
        return fail(token.place, "this number does not fit in a float", "For infinity write INFINITY.");
      if (problem != std::errc() || end != last) return bad_number(token);
      if (suffix.empty())
        return fail(token.place, "a number such as " + std::string(digits) + " is a double in C, and this is fp32",
                    "Write " + std::string(token.text) + "f.");
      if (suffix != "f" && suffix != "F") return bad_number(token);
    } else {
      if (digits.size() > 1 && digits[0] == '0' && !hex)
        return fail(token.place, "a number that begins with 0 is octal in C", "Leave the 0 out.");
      std::uint64_t value = 0;
      const auto [end, problem] = std::from_chars(first, last, value, hex ? 16 : 10);
      if (problem == std::errc::result_out_of_range || value > std::uint64_t(INT64_MAX))
        return fail(token.place, "this number does not fit in a long long", "");
      if (problem != std::errc() || end != last) return bad_number(token);
      token.integer = std::int64_t(value);
      const std::string lower = lower_case(std::string(suffix));
      if (lower == "f")
        return fail(token.place, "a whole number with f behind it is not a number in C",
                    "Write " + std::string(digits) + ".0f.");
      if (lower == "u")
        token.is_unsigned = true;
      else if (lower == "ll" || lower == "l")
        token.is_long = true;
      else if (!lower.empty())
        return bad_number(token);
      if (token.is_unsigned && value > UINT32_MAX)
        return fail(token.place, "this number does not fit in an unsigned", "");
      if (!token.is_unsigned && value > std::uint64_t(INT32_MAX)) token.is_long = true;
      if (hex && value <= UINT32_MAX && value > std::uint64_t(INT32_MAX) && lower.empty())
        token.is_long = false, token.is_unsigned = true;
    }
    push(to, token);
  }

  void bad_number(const Token& token) {
    fail(token.place, std::string(token.text) + " is not a number", "Write such as 12, 0x1f, 1.5f or 1e-3f.");
  }

  std::string_view text_;
  LexedText& out_;
  std::size_t at_ = 0, line_start_ = 0, count_ = 0;
  int line_ = 1;
  bool at_line_start_ = true;
  std::map<std::string_view, std::vector<Token>> macros_;
  std::optional<SourceError> error_;
};

}  // namespace

std::optional<SourceError> split_into_tokens(std::string_view text, LexedText& out) { return Lexer(text, out).run(); }

}  // namespace tilewalk::lab
