// The parsed text of a kernel: expressions, statements and functions, in arrays, named by index.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/language/token.h"

namespace tilewalk::lab {

enum class BaseType { Void, Bool, Int, Unsigned, Long, Float, Struct };

// A type as written: "const float*".
struct TypeName {
  BaseType base = BaseType::Void;
  std::string_view struct_name = {};
  bool is_const = false;  // of a pointer: what it points to
  bool pointer = false;
};

using ExprId = int;
using StmtId = int;
inline constexpr int kNone = -1;

enum class ExprKind {
  Integer,
  Float,
  Bool,
  String,
  Null,
  Name,
  Prefix,   // name: the sign; also "*" and "&"
  Postfix,  // ++ and --
  Binary,   // also ","
  Assign,   // =, += …
  Choice,   // ?:
  Call,     // name; args
  Index,    // args[0][args[1]]
  Member,   // args[0].name
  Cast
};

struct Expr {
  ExprKind kind{};
  SourcePlace place = {};
  std::string_view name = {};
  std::int64_t integer = 0;
  bool is_unsigned = false, is_long = false;
  float value = 0;
  TypeName type = {};
  std::vector<ExprId> args = {};
  int depth = 1;
};

struct Declarator {
  std::string_view name = {};
  SourcePlace place = {};
  TypeName type = {};
  std::vector<ExprId> dims = {};  // of an array
  ExprId init = kNone;
  std::vector<ExprId> list = {};  // = {a, b}
  bool has_list = false, shared = false, is_constexpr = false;
};

enum class StmtKind { Block, Declare, Expression, If, For, While, Do, Break, Continue, Return, Empty };

struct Stmt {
  StmtKind kind{};
  SourcePlace place = {};
  std::vector<Declarator> declared = {};
  ExprId condition = kNone, step = kNone;            // an expression statement and a return have `condition`
  StmtId init = kNone, body = kNone, other = kNone;  // other: else
  std::vector<StmtId> statements = {};
};

struct Function {
  std::string_view name = {};
  SourcePlace place = {};
  TypeName result = {};
  std::vector<Declarator> parameters = {};
  StmtId body = kNone;
  bool is_kernel = false;
};

struct StructType {
  std::string_view name = {};
  SourcePlace place = {};
  std::vector<Declarator> fields = {};
};

struct ParsedText {
  std::vector<Expr> exprs = {};
  std::vector<Stmt> stmts = {};
  std::vector<Function> functions = {};
  std::vector<StructType> structs = {};
  std::vector<Declarator> constants = {};  // at file scope

  const Expr& expr(ExprId id) const { return exprs[std::size_t(id)]; }
  const Stmt& stmt(StmtId id) const { return stmts[std::size_t(id)]; }
};

}  // namespace tilewalk::lab
