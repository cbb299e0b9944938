#include "lab/language/lex/hash_condition.h"

#include <optional>
#include <string>

#include "lab/language/arithmetic.h"
#include "lab/language/parser.h"

namespace tilewalk::lab {
namespace {

// Evaluates a parsed condition.
class Condition {
 public:
  Condition(const ParsedText& text, std::span<const NamedConstant> constants) : text_(text), constants_(constants) {}

  std::int64_t value(ExprId id) {
    const Expr& e = text_.expr(id);
    switch (e.kind) {
      case ExprKind::Integer: return e.integer;
      case ExprKind::Bool: return e.integer;
      case ExprKind::Name: return named(e);
      case ExprKind::Prefix: {
        const std::int64_t x = value(e.args[0]);
        if (e.name == "!") return !x;
        if (e.name == "-") return wrapped_difference(0, x);
        if (e.name == "~") return ~x;
        if (e.name == "+") return x;
        break;
      }
      case ExprKind::Binary: return binary(e, value(e.args[0]), value(e.args[1]));
      case ExprKind::Choice: return value(e.args[value(e.args[0]) ? 1 : 2]);
      default: break;
    }
    fail(e.place, "a condition of #if is made of whole numbers and constants");
    return 0;
  }
  const std::optional<SourceError>& error() const { return error_; }

 private:
  void fail(const SourcePlace& place, std::string what, std::string instead = {}) {
    if (!error_) error_ = SourceError{place, std::move(what), std::move(instead)};
  }

  std::int64_t named(const Expr& e) {
    for (const NamedConstant& each : constants_) {
      if (each.name != e.name) continue;
      if (!each.whole)
        fail(e.place, std::string(e.name) + " is a float, and a condition of #if has whole numbers",
             "Write if (…) in the kernel.");
      return each.value;
    }
    fail(e.place, "here is no constant " + std::string(e.name),
         "Only the task's constants and #define lines above are known; for others write #ifdef.");
    return 0;
  }

  std::int64_t binary(const Expr& e, std::int64_t a, std::int64_t b) {
    const std::string_view sign = e.name;
    if (sign == "||") return a || b;
    if (sign == "&&") return a && b;
    if (sign == "|") return a | b;
    if (sign == "^") return a ^ b;
    if (sign == "&") return a & b;
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<") return a < b;
    if (sign == ">") return a > b;
    if (sign == "<=") return a <= b;
    if (sign == ">=") return a >= b;
    if (sign == "<<") return shifted_left(a, b & 63);
    if (sign == ">>") return a >> (b & 63);
    if (sign == "+") return wrapped_sum(a, b);
    if (sign == "-") return wrapped_difference(a, b);
    if (sign == "*") return wrapped_product(a, b);
    if (sign == "/" || sign == "%") {
      if (b == 0) fail(e.place, "this divides a whole number by zero");
      return b == 0 ? 0 : sign == "/" ? quotient(a, b) : remainder_of(a, b);
    }
    fail(e.place, "this does not belong to a condition");
    return 0;
  }

  const ParsedText& text_;
  const std::span<const NamedConstant> constants_;
  std::optional<SourceError> error_;
};

// Replaces defined(X) and defined X by 1 or 0.
std::vector<Token> without_defined(std::span<const Token> words, std::span<const NamedConstant> constants,
                                   const std::map<std::string_view, std::vector<Token>>& macros) {
  std::vector<Token> out;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const auto is = [&](std::size_t ahead, TokenKind kind, std::string_view text = {}) {
      return at + ahead < words.size() && words[at + ahead].kind == kind &&
             (text.empty() || words[at + ahead].text == text);
    };
    const bool bracket = is(1, TokenKind::Sign, "(");
    const std::size_t name = bracket ? 2 : 1;
    if (!is(0, TokenKind::Name, "defined") || !is(name, TokenKind::Name) || (bracket && !is(3, TokenKind::Sign, ")"))) {
      out.push_back(words[at]);
      continue;
    }
    const std::string_view of = words[at + name].text;
    bool known = macros.contains(of);
    for (const NamedConstant& each : constants) known = known || each.name == of;
    out.push_back({.kind = TokenKind::Integer, .integer = known, .place = words[at].place});
    at += bracket ? 3 : 1;
  }
  return out;
}

}  // namespace

std::variant<bool, SourceError> value_of_condition(const SourcePlace& of_line, std::span<const Token> words,
                                                   std::span<const NamedConstant> constants,
                                                   const std::map<std::string_view, std::vector<Token>>& macros) {
  std::vector<Token> tokens = without_defined(words, constants, macros);
  if (tokens.empty()) return SourceError{of_line, "this condition is empty", "Write #if NAME or #if NAME == 2."};
  tokens.push_back({.place = tokens.back().place});
  ParsedText parsed;
  Parser parser(tokens, parsed);
  const ExprId id = parser.parse_expression();
  if (!parser.failed() && !parser.at_end()) parser.fail(parser.at().place, "this does not belong to a condition");
  if (parser.failed()) return *parser.error();
  Condition condition(parsed, constants);
  const std::int64_t value = condition.value(id);
  if (condition.error()) return *condition.error();
  return value != 0;
}

bool HashChoices::asks(std::string_view word) const {
  if (word.starts_with("if")) return !skipping();
  return word == "elif" && !choices_.empty() && !choices_.back().settled && !choices_.back().in_else;
}

std::optional<SourceError> HashChoices::take(std::string_view word, const SourcePlace& place, bool holds) {
  if (word.starts_with("if")) {
    if (choices_.size() >= 64) return SourceError{place, "#if is nested more than 64 deep", ""};
    const bool skipped = skipping();
    choices_.push_back({.place = place, .holds = !skipped && holds, .settled = skipped || holds});
    return std::nullopt;
  }
  if (choices_.empty())
    return SourceError{place, "there is no #if above this #" + std::string(word), "Write #if, or remove this line."};
  if (word == "endif") {
    choices_.pop_back();
    return std::nullopt;
  }
  Choice& choice = choices_.back();
  if (choice.in_else) return SourceError{place, "this #if has an #else already", "Write #endif."};
  choice.in_else = word == "else";
  choice.holds = !choice.settled && holds;
  choice.settled = choice.settled || choice.holds;
  return std::nullopt;
}

}  // namespace tilewalk::lab
