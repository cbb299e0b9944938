#include "base/shown.h"
#include "lab/language/parser.h"
#include "lab/language/refused.h"

namespace tilewalk::lab {

void Parser::fail(const SourcePlace& place, std::string what, std::string instead) {
  if (!error_) error_ = SourceError{place, std::move(what), std::move(instead)};
  at_ = tokens_.size() - 1;  // so that every loop ends
}

bool Parser::take_sign(std::string_view text) {
  const bool found = !failed() && at_sign(text);
  if (found) take();
  return found;
}

std::string Parser::here() const { return at_end() ? "the end of the text" : "'" + shown(at().text, 40) + "'"; }

void Parser::need_sign(std::string_view text, const char* after) {
  if (failed() || take_sign(text)) return;
  if (at().kind == TokenKind::Name) refuse_word();
  const SourcePlace behind = behind_last();
  const bool next_line = at().place.line != behind.line;
  fail(next_line || text == ";" ? behind : at().place,
       "a " + std::string(text) + " is missing behind " + after + (next_line ? "" : ", before " + here()));
}

SourcePlace Parser::behind_last() const {
  if (at_ == 0) return at().place;
  const Token& last = tokens_[at_ - 1];
  return {last.place.line, last.place.column + last.length};
}

std::string_view Parser::need_name(const char* what) {
  if (failed()) return {};
  if (at().kind != TokenKind::Name) {
    fail(at().place, std::string(what) + " is missing before " + here());
    return {};
  }
  refuse_word();
  const std::string_view name = at().text;
  for (const std::string_view word : {"if", "else", "for", "while", "do", "return", "break", "continue", "const", "int",
                                      "float", "bool", "unsigned", "void", "struct", "constexpr", "long"})
    if (name == word) fail(at().place, std::string(what) + " is missing before '" + std::string(word) + "'");
  take();
  return name;
}

void Parser::refuse_word() {
  if (failed() || at().kind != TokenKind::Name) return;
  const auto sign_at = [&](std::size_t ahead, std::string_view text) {
    return at(ahead).kind == TokenKind::Sign && at(ahead).text == text;
  };
  if (at_name("std") && sign_at(1, "::")) return refuse_std();
  if (at_name("auto") && sign_at(2, "=") && sign_at(3, "["))
    return fail(at().place, "a lambda is not part of this language", kWriteFunction);
  if (const char* instead = instead_of_word(at().text))
    fail(at().place, std::string(at().text) + " is not part of this language", instead);
}

void Parser::refuse_std() {
  const std::string name(at(2).text);
  const char* instead = instead_in_std(name);
  fail(at().place, shown("std::" + name, 40) + " is not part of this language", instead);
}

bool Parser::at_type(std::size_t ahead) const {
  const Token& token = at(ahead);
  if (token.kind != TokenKind::Name) return false;
  for (const std::string_view word : {"void", "bool", "int", "unsigned", "long", "float", "const", "struct"})
    if (token.text == word) return true;
  for (const StructType& each : out_.structs)
    if (each.name == token.text) return true;
  return false;
}

TypeName Parser::parse_type() {
  TypeName out;
  const auto take_const = [&] {
    while (at_name("const")) {
      take();
      out.is_const = true;
    }
  };
  take_const();
  if (at_name("struct")) take();
  const Token token = at();
  refuse_word();
  if (failed()) return out;
  if (token.text == "void")
    out.base = BaseType::Void;
  else if (token.text == "bool")
    out.base = BaseType::Bool;
  else if (token.text == "int")
    out.base = BaseType::Int;
  else if (token.text == "float")
    out.base = BaseType::Float;
  else if (token.text == "unsigned")
    out.base = BaseType::Unsigned;
  else if (token.text == "long")
    out.base = BaseType::Long;
  else if (at_type()) {
    out.base = BaseType::Struct;
    out.struct_name = token.text;
  } else {
    fail(token.place, "a type is missing before " + here(), "The types are int, unsigned, long long, float and bool.");
    return out;
  }
  take();
  if (out.base == BaseType::Unsigned) {
    if (at_name("long")) fail(at().place, "unsigned long long is not part of this language", "Write long long.");
    if (at_name("int")) take();
  }
  if (out.base == BaseType::Long) {
    if (at_name("long"))
      take();
    else
      fail(token.place, "long has 32 bits on some machines and 64 on others", "Write long long, or int.");
    if (at_name("int")) take();
  }
  take_const();
  if (at_sign("*")) {
    take();
    out.pointer = true;
    if (at_sign("*")) fail(at().place, "pointers to pointers are not part of this language", "");
    if (at_name("__restrict__") || at_name("__restrict")) refuse_word();
    if (at_name("const")) take();
  }
  if (at_sign("&"))
    fail(at().place, "references are not part of this language", "Pass a value, and return what changes.");
  return out;
}

std::vector<ExprId> Parser::parse_list(std::string_view word) {
  std::vector<ExprId> out;
  if (failed()) return out;
  if (!at_name(word)) {
    fail(at().place, std::string(word) + "(…) is missing before " + here());
    return out;
  }
  take();
  need_sign("(", "the word");
  while (!failed() && !at_sign(")") && out.size() < 16) {
    out.push_back(parse_assignment());
    if (!take_sign(",")) break;
  }
  need_sign(")", "the numbers");
  return out;
}

void Parser::parse_struct() {
  take();
  StructType out;
  out.place = at().place;
  out.name = need_name("the struct's name");
  need_sign("{", "the struct's name");
  while (!failed() && !at_sign("}")) {
    if (at().kind == TokenKind::Name && !at_type()) refuse_word();
    parse_declaration(out.fields, false);
    if (at_sign("("))
      fail(at().place, "a struct has fields alone", "Write a __device__ function that takes the struct.");
    need_sign(";", "the field");
  }
  need_sign("}", "the fields");
  need_sign(";", "the struct");
  if (out_.structs.size() > 100) fail(out.place, "there are more than 100 structs");
  if (!failed()) out_.structs.push_back(std::move(out));
}

void Parser::parse_function(bool is_kernel) {
  Function out;
  out.is_kernel = is_kernel;
  out.result = parse_type();
  if (at_name("__launch_bounds__")) refuse_word();
  out.place = at().place;
  out.name = need_name("the function's name");
  need_sign("(", "the function's name");
  while (!failed() && !at_sign(")")) {
    const TypeName type = parse_type();
    out.parameters.push_back(parse_declarator(type, false, false));
    if (!take_sign(",")) break;
  }
  need_sign(")", "the parameters");
  if (at_sign(";")) fail(at().place, "a function is written where it is declared", "Write its body here.");
  out.body = parse_block();
  if (out_.functions.size() > 200) fail(out.place, "there are more than 200 functions");
  if (!failed()) out_.functions.push_back(std::move(out));
}

std::optional<SourceError> Parser::parse_program() {
  while (!failed() && !at_end()) {
    if (take_sign(";")) continue;
    if (at_name("__global__") || at_name("__device__")) {
      const bool is_kernel = at_name("__global__");
      take();
      while (at().kind == TokenKind::Name &&
             (at().text == "inline" || at().text == "static" || at().text == "__forceinline__"))
        take();
      if (at_name("constexpr")) {
        parse_declaration(out_.constants, false);
        need_sign(";", "the constant");
      } else {
        parse_function(is_kernel);
      }
    } else if (at_name("struct")) {
      parse_struct();
    } else if (at_name("constexpr") || at_name("const")) {
      parse_declaration(out_.constants, false);
      need_sign(";", "the constant");
    } else {
      refuse_word();
      if (at_name("__shared__"))
        fail(at().place, "__shared__ arrays are declared inside a kernel", "Move it to the kernel's first lines.");
      else if (at_type())
        fail(at().place, "a function needs __global__ or __device__ before it, a constant constexpr",
             "Write __device__ before a helper function.");
      else
        fail(at().place, "here a kernel, a __device__ function, a struct or a constant is expected, not " + here());
    }
  }
  return error_;
}

}  // namespace tilewalk::lab
