#include <algorithm>

#include "lab/language/parser.h"
#include "lab/language/refused.h"

namespace tilewalk::lab {
namespace {

constexpr std::string_view kAssignments[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

int precedence(std::string_view sign) {
  constexpr std::pair<std::string_view, int> kTable[] = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
      {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  for (const auto& [name, value] : kTable)
    if (name == sign) return value;
  return 0;
}

}  // namespace

ExprId Parser::add(Expr expr) {
  for (const ExprId arg : expr.args)
    if (arg != kNone) expr.depth = std::max(expr.depth, out_.expr(arg).depth + 1);
  if (expr.depth > 4 * kMostDepth)
    fail(expr.place, "this expression has more than 400 parts in a row", "Give a part of it a name of its own.");
  out_.exprs.push_back(std::move(expr));
  return ExprId(out_.exprs.size()) - 1;
}

ExprId Parser::parse_expression() {
  ExprId left = parse_assignment();
  while (!failed() && at_sign(",")) {
    const SourcePlace place = at().place;
    take();
    const ExprId right = parse_assignment();
    left = add({.kind = ExprKind::Binary, .place = place, .name = ",", .args = {left, right}});
  }
  return left;
}

ExprId Parser::parse_assignment() {
  const Depth depth(*this);
  if (failed()) return add({.kind = ExprKind::Integer});
  const ExprId left = parse_choice();
  if (failed() || at().kind != TokenKind::Sign) return left;
  for (const std::string_view sign : kAssignments)
    if (at().text == sign) {
      const SourcePlace place = at().place;
      take();
      const ExprId right = parse_assignment();
      return add({.kind = ExprKind::Assign, .place = place, .name = sign, .args = {left, right}});
    }
  return left;
}

ExprId Parser::parse_choice() {
  const ExprId condition = parse_binary(1);
  if (failed() || !at_sign("?")) return condition;
  const SourcePlace place = at().place;
  take();
  const ExprId yes = parse_assignment();
  need_sign(":", "the first value of ?:");
  const ExprId no = parse_assignment();
  return add({.kind = ExprKind::Choice, .place = place, .args = {condition, yes, no}});
}

ExprId Parser::parse_binary(int least) {
  ExprId left = parse_prefix();
  while (!failed() && at().kind == TokenKind::Sign) {
    const int level = precedence(at().text);
    if (level < least || level == 0) break;
    const Token sign = at();
    take();
    const Depth depth(*this);
    const ExprId right = failed() ? left : parse_binary(level + 1);
    left = add({.kind = ExprKind::Binary, .place = sign.place, .name = sign.text, .args = {left, right}});
  }
  if (!failed() && at_sign("<<<"))
    fail(at().place, "a kernel is not started from the text",
         "Write a line above the kernel: // launch: grid(X, Y, Z) block(THREADS)");
  return left;
}

ExprId Parser::parse_prefix() {
  const Depth depth(*this);
  if (failed()) return add({.kind = ExprKind::Integer});
  const SourcePlace place = at().place;
  for (const std::string_view sign : {"++", "--", "+", "-", "!", "~", "&", "*"})
    if (at_sign(sign)) {
      take();
      const ExprId of = parse_prefix();
      return add({.kind = ExprKind::Prefix, .place = place, .name = sign, .args = {of}});
    }
  const bool type_called = at(2).kind == TokenKind::Sign && at(2).text == "(";  // (int(x) + 1)
  if (at_sign("(") && at_type(1) && !type_called) {
    take();
    const TypeName type = parse_type();
    need_sign(")", "the type of a cast");
    const ExprId of = parse_prefix();
    return add({.kind = ExprKind::Cast, .place = place, .type = type, .args = {of}});
  }
  return parse_postfix();
}

ExprId Parser::parse_postfix() {
  ExprId left = parse_primary();
  while (!failed()) {
    const SourcePlace place = at().place;
    if (take_sign("[")) {
      const ExprId index = parse_expression();
      if (at_sign(",")) fail(at().place, "an index has one number", "Write a[i][j] instead of a[i, j].");
      need_sign("]", "the index");
      left = add({.kind = ExprKind::Index, .place = place, .args = {left, index}});
    } else if (take_sign(".")) {
      const std::string_view name = need_name("a field's name");
      left = add({.kind = ExprKind::Member, .place = place, .name = name, .args = {left}});
    } else if (at_sign("->")) {
      fail(place, "pointers to structs are not part of this language", "Pass the struct by value.");
    } else if (at_sign("++") || at_sign("--")) {
      const std::string_view sign = at().text;
      take();
      left = add({.kind = ExprKind::Postfix, .place = place, .name = sign, .args = {left}});
    } else {
      break;
    }
  }
  return left;
}

ExprId Parser::parse_cast(const SourcePlace& place) {
  const TypeName type = parse_type();
  need_sign("(", "the type");
  const ExprId of = parse_expression();
  need_sign(")", "the value");
  return add({.kind = ExprKind::Cast, .place = place, .type = type, .args = {of}});
}

ExprId Parser::parse_primary() {
  const Token token = at();
  switch (token.kind) {
    case TokenKind::Integer:
      take();
      return add({.kind = ExprKind::Integer,
                  .place = token.place,
                  .integer = token.integer,
                  .is_unsigned = token.is_unsigned,
                  .is_long = token.is_long});
    case TokenKind::Float: take(); return add({.kind = ExprKind::Float, .place = token.place, .value = token.value});
    case TokenKind::String: take(); return add({.kind = ExprKind::String, .place = token.place, .name = token.text});
    case TokenKind::Name: break;
    default:
      if (take_sign("(")) {
        const ExprId inner = parse_expression();
        need_sign(")", "the expression in brackets");
        return inner;
      }
      if (at_sign("["))
        fail(token.place, "a lambda is not part of this language", kWriteFunction);
      else if (at_sign("{"))
        fail(token.place, "a list in braces is allowed only behind the = of a declaration", "");
      else
        fail(token.place, "a value is missing before " + here(), "");
      return add({.kind = ExprKind::Integer, .place = token.place});
  }
  if (token.text == "true" || token.text == "false") {
    take();
    return add({.kind = ExprKind::Bool, .place = token.place, .integer = token.text == "true"});
  }
  if (token.text == "nullptr" || token.text == "NULL") {
    take();
    return add({.kind = ExprKind::Null, .place = token.place});
  }
  if (at_type()) return parse_cast(token.place);
  refuse_word();
  take();
  if (failed() || !at_sign("(")) {
    if (at_sign("::")) fail(at().place, "there are no namespaces here", "Leave " + std::string(token.text) + ":: out.");
    return add({.kind = ExprKind::Name, .place = token.place, .name = token.text});
  }
  take();
  Expr call{.kind = ExprKind::Call, .place = token.place, .name = token.text};
  while (!failed() && !at_sign(")")) {
    call.args.push_back(parse_assignment());
    if (!take_sign(",")) break;
  }
  need_sign(")", "the arguments");
  if (call.args.size() > 40) fail(token.place, "a call has 40 arguments at most", "");
  return add(std::move(call));
}

}  // namespace tilewalk::lab
