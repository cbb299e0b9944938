#include <algorithm>
#include <map>

#include "lab/language/lex/hash_condition.h"
#include "lab/language/lex/lex_number.h"
#include "lab/language/refused.h"
#include "lab/language/token.h"

namespace tilewalk::lab {
namespace {

// Longest first.
constexpr std::string_view kSigns[] = {
    "<<=", ">>=", "...", "->*", "<<<", ">>>", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "{",  "}",  "(",  ")",  "[",  "]",  ";",  ",",
    ":",   "?",   "=",   "<",   ">",   "+",   "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "!",  "."};

class Lexer {
 public:
  Lexer(std::string_view text, std::span<const NamedConstant> constants, LexedText& out)
      : text_(text), constants_(constants), out_(out) {}

  std::optional<SourceError> run() {
    if (text_.size() > kMostSourceBytes)
      return SourceError{{1, 1}, "the text is longer than 256 KiB", "A kernel is shorter."};
    while (!error_ && skip_blanks()) read_into(out_.tokens);
    if (const SourcePlace* open = choices_.open())
      fail(*open, "this #if has no #endif", "Write #endif below its last line.");
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

  // In lines that an #if leaves out: comments and other # lines mean nothing.
  void skip_left_out() {
    const char c = at();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return step();
    if (c == '#' && at_line_start_) return hash_line();
    at_line_start_ = false;
    if (c == '/' && at(1) == '*') return block_comment();
    if (c == '/' && at(1) == '/')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      step();
  }

  // Skips blanks and comments, and reads lines that begin with #. False at the end.
  bool skip_blanks() {
    while (at_ < text_.size() && !error_) {
      const char c = at();
      if (choices_.skipping()) {
        skip_left_out();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
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
    if (name == "if" || name == "ifdef" || name == "ifndef" || name == "elif" || name == "else" || name == "endif") {
      choice_line(name, start);
    } else if (choices_.skipping()) {
      // left out
    } else if (name == "define") {
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
           "Only #define of constants, #if with its branches and #pragma unroll are.");
    }
    text_ = whole;
    at_ = end;
  }

  // The words behind #if or #elif; the name behind `defined` stays as it is.
  bool condition(const SourcePlace& start) {
    std::vector<Token> words;
    for (;;) {
      while (at() == ' ' || at() == '\t' || at() == '\r') ++at_;
      if (at_ >= text_.size() || error_) break;
      const std::size_t before = words.size();
      as_written_ = before > 0 && (words.back().text == "defined" ||
                                   (before > 1 && words.back().text == "(" && words[before - 2].text == "defined"));
      read_into(words);
      as_written_ = false;
      if (words.size() > 64) fail(start, "this condition is longer than 64 words", "");
    }
    if (error_) return false;
    const auto value = value_of_condition(start, words, constants_, macros_);
    if (const auto* problem = std::get_if<SourceError>(&value)) {
      fail(problem->place, problem->what, problem->instead);
      return false;
    }
    return std::get<bool>(value);
  }

  bool has_name(std::string_view word, const SourcePlace& start) {
    while (at() == ' ' || at() == '\t') ++at_;
    const std::size_t from = at_;
    while (is_letter(at()) || is_digit(at())) ++at_;
    const std::string_view name = text_.substr(from, at_ - from);
    if (name.empty()) fail(start, "#" + std::string(word) + " needs a name", "");
    for (const NamedConstant& each : constants_)
      if (each.name == name)
        fail(start, std::string(name) + " is given by the task, so it always has a value here",
             "Write #if " + std::string(name) + ".");
    return macros_.contains(name);
  }

  void choice_line(std::string_view word, const SourcePlace& start) {
    bool holds = word == "else";
    if (choices_.asks(word))
      holds = word == "if" || word == "elif" ? condition(start) : has_name(word, start) == (word == "ifdef");
    if (const auto problem = choices_.take(word, start, holds)) fail(start, problem->what, problem->instead);
  }

  void push(std::vector<Token>& to, Token token) {
    if (token.length == 0) token.length = int(token.text.size());
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
      if (const auto macro = macros_.find(token.text); macro != macros_.end() && !as_written_) {
        for (Token each : std::vector<Token>(macro->second)) {
          each.place = token.place;
          each.length = int(token.text.size());
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
    token.length = int(at_ - from) + 1;
    push(to, token);
  }

  void read_number(std::vector<Token>& to) {
    const LexedNumber number = number_at(text_.substr(at_), place());
    at_ += number.length;
    const auto is_double = [](const Token& each) { return each.kind == TokenKind::Name && each.text == "double"; };
    const auto word = std::find_if(out_.tokens.begin(), out_.tokens.end(), is_double);
    if (number.error && number.token.kind == TokenKind::Float && word != out_.tokens.end())  // double x = 0.0;
      fail(word->place, "double is not part of this language",
           instead_of_word("double") + (" Numbers end in f: " + std::string(number.token.text) + "f."));
    else if (number.error)
      fail(number.error->place, number.error->what, number.error->instead);
    else
      push(to, number.token);
  }

  std::string_view text_;
  std::span<const NamedConstant> constants_;
  LexedText& out_;
  std::size_t at_ = 0, line_start_ = 0, count_ = 0;
  int line_ = 1;
  bool at_line_start_ = true;
  bool as_written_ = false;  // names are not replaced
  std::map<std::string_view, std::vector<Token>> macros_;
  HashChoices choices_;
  std::optional<SourceError> error_;
};

}  // namespace

std::optional<SourceError> split_into_tokens(std::string_view text, std::span<const NamedConstant> constants,
                                             LexedText& out) {
  return Lexer(text, constants, out).run();
}

}  // namespace tilewalk::lab
