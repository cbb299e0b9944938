#include "lab/language/parser.h"

namespace tilewalk::lab {

StmtId Parser::add(Stmt stmt) {
  out_.stmts.push_back(std::move(stmt));
  return StmtId(out_.stmts.size()) - 1;
}

StmtId Parser::parse_block() {
  Stmt block{.kind = StmtKind::Block, .place = at().place};
  need_sign("{", "the head");
  while (!failed() && !at_sign("}")) {
    if (at_end()) {
      fail(at().place, "a } is missing",
           "The block that is open begins in line " + std::to_string(block.place.line) + ".");
      break;
    }
    block.statements.push_back(parse_statement());
  }
  need_sign("}", "the statements");
  return add(std::move(block));
}

StmtId Parser::parse_statement() {
  const Depth depth(*this);
  const SourcePlace place = at().place;
  if (failed()) return add(Stmt{.kind = StmtKind::Empty, .place = place});
  if (at_sign("{")) return parse_block();
  if (take_sign(";")) return add(Stmt{.kind = StmtKind::Empty, .place = place});
  if (at().kind == TokenKind::Name) {
    const std::string_view word = at().text;
    if (word == "if") {
      take();
      if (at_name("constexpr")) take();
      Stmt out{.kind = StmtKind::If, .place = place};
      need_sign("(", "if");
      out.condition = parse_expression();
      need_sign(")", "the condition");
      out.body = parse_statement();
      if (!failed() && at_name("else")) {
        take();
        out.other = parse_statement();
      }
      return add(std::move(out));
    }
    if (word == "for") return parse_for(place);
    if (word == "while") {
      take();
      Stmt out{.kind = StmtKind::While, .place = place};
      need_sign("(", "while");
      out.condition = parse_expression();
      need_sign(")", "the condition");
      out.body = parse_statement();
      return add(std::move(out));
    }
    if (word == "do") {
      take();
      Stmt out{.kind = StmtKind::Do, .place = place};
      out.body = parse_statement();
      if (!failed() && !at_name("while")) fail(at().place, "while is missing behind the body of do", "");
      take();
      need_sign("(", "while");
      out.condition = parse_expression();
      need_sign(")", "the condition");
      need_sign(";", "the condition");
      return add(std::move(out));
    }
    if (word == "break" || word == "continue") {
      take();
      need_sign(";", word == "break" ? "break" : "continue");
      return add(Stmt{.kind = word == "break" ? StmtKind::Break : StmtKind::Continue, .place = place});
    }
    if (word == "return") {
      take();
      Stmt out{.kind = StmtKind::Return, .place = place};
      if (!at_sign(";")) out.condition = parse_expression();
      need_sign(";", "return");
      return add(std::move(out));
    }
    if (word == "else") fail(place, "this else has no if", "Look for a ; or a } too many above it.");
  }
  return parse_simple(true);
}

StmtId Parser::parse_for(const SourcePlace& place) {
  take();
  Stmt out{.kind = StmtKind::For, .place = place};
  need_sign("(", "for");
  out.init = take_sign(";") ? add(Stmt{.kind = StmtKind::Empty, .place = place}) : parse_simple(true);
  if (!failed() && at_sign(":"))
    fail(at().place, "for over a range is not part of this language", "Write for (int i = 0; i < N; ++i).");
  if (!at_sign(";")) out.condition = parse_expression();
  need_sign(";", "the condition of for");
  if (!at_sign(")")) out.step = parse_expression();
  need_sign(")", "the step of for");
  out.body = parse_statement();
  return add(std::move(out));
}

// A declaration or an expression.
StmtId Parser::parse_simple(bool needs_semicolon) {
  const SourcePlace place = at().place;
  Stmt out{.kind = StmtKind::Expression, .place = place};
  const bool shared = at_name("__shared__");
  const bool type_first = at_type() && !(at(1).kind == TokenKind::Sign && at(1).text == "(");
  if (shared || at_name("const") || at_name("constexpr") || type_first) {
    if (shared) take();
    out.kind = StmtKind::Declare;
    parse_declaration(out.declared, shared);
  } else {
    out.condition = parse_expression();
  }
  if (needs_semicolon) need_sign(";", out.kind == StmtKind::Declare ? "the declaration" : "the expression");
  return add(std::move(out));
}

void Parser::parse_declaration(std::vector<Declarator>& to, bool shared) {
  bool is_constexpr = false;
  if (at_name("constexpr")) {
    take();
    is_constexpr = true;
  }
  const TypeName base = parse_type();
  bool first = true;
  for (;;) {
    if (failed()) return;
    TypeName type = base;
    type.pointer = base.pointer && first;  // float *a, b: b is no pointer
    first = false;
    if (take_sign("*")) {
      if (type.pointer) fail(at().place, "pointers to pointers are not part of this language", "");
      type.pointer = true;
    }
    if (to.size() > 200) fail(at().place, "a declaration has 200 names at most", "");
    to.push_back(parse_declarator(type, is_constexpr, shared));
    if (!take_sign(",")) return;
  }
}

Declarator Parser::parse_declarator(const TypeName& type, bool is_constexpr, bool shared) {
  Declarator out{.type = type, .shared = shared, .is_constexpr = is_constexpr};
  if (at_name("const")) take();  // float* const p
  if (at_sign("&"))
    fail(at().place, "references are not part of this language", "Use the variable itself, or return a struct.");
  out.place = at().place;
  out.name = need_name("a name");
  while (!failed() && take_sign("[")) {
    if (at_sign("]")) fail(at().place, "the size of this array is missing", "Write a constant, such as sS[BR][BC].");
    out.dims.push_back(parse_assignment());
    need_sign("]", "the size");
    if (out.dims.size() > 2 && !failed())
      fail(out.place, "an array has one or two dimensions", "Multiply two of them: a[X * Y][Z].");
  }
  if (take_sign("=")) {
    if (take_sign("{")) {
      out.has_list = true;
      while (!failed() && !at_sign("}")) {
        out.list.push_back(parse_assignment());
        if (!take_sign(",")) break;
      }
      need_sign("}", "the values");
    } else {
      out.init = parse_assignment();
    }
  } else if (at_sign("{")) {
    fail(at().place, "braces right behind a name are not part of this language", "Write = before them.");
  } else if (at_sign("(")) {
    fail(at().place, "a variable does not begin with a bracket", "Write " + std::string(out.name) + " = value.");
  }
  return out;
}

}  // namespace tilewalk::lab
