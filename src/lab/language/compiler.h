// The compiler's own declarations: checks types and emits instructions in one pass over the parsed text. A __device__
// function is compiled anew at each call, so there are no calls while a kernel runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/compile.h"

namespace tilewalk::lab {

struct ValueType {
  BaseType base = BaseType::Int;
  bool pointer = false;
  bool is_const = false;  // of a pointer: what it points to
  int structure = kNone;  // index of a struct
  bool operator==(const ValueType&) const = default;
  bool is_whole() const {
    return !pointer && base != BaseType::Float && base != BaseType::Void && base != BaseType::Struct;
  }
  bool is_float() const { return !pointer && base == BaseType::Float; }
  bool is_number() const { return is_whole() || is_float(); }
};

inline constexpr ValueType kIntType{BaseType::Int}, kBoolType{BaseType::Bool}, kFloatType{BaseType::Float},
    kUnsignedType{BaseType::Unsigned}, kLongType{BaseType::Long};

// Registers of constants are numbered from here on until the kernel is whole.
inline constexpr int kConstantRegisters = 0x8000;

// The result of an expression while it is compiled.
struct CompiledValue {
  enum Kind { Nothing, Constant, Register, Array, Null } kind = Nothing;
  ValueType type = {};
  std::uint64_t bits = 0;         // of a constant
  int reg = kNone;                // the first register, of a struct
  int object = kNone;             // of an array
  std::vector<int> indices = {};  // registers of those given so far
};

// Something that can be assigned to.
struct CompiledPlace {
  enum Kind { None, Variable, Element, Pointed } kind = None;
  ValueType type = {};
  int reg = kNone, flag = kNone;  // of a variable; flag: the register that says whether it has a value
  int object = kNone;             // of an element
  std::vector<int> indices = {};
  int pointer = kNone, index = kNone;  // registers
  bool is_const = false;
  std::string name = {};
};

class Compiler {
 public:
  Compiler(const ParsedText& text, const CompileSetup& setup, CompiledText& out);
  // Launch, scratch and base lines; then the kernels.
  void compile_all(const LexedText&);

 private:
  struct Symbol {
    std::string_view name = {};
    ValueType type = {};
    SourcePlace place = {};
    bool is_constant = false, is_const = false;
    std::uint64_t bits = 0;
    int reg = kNone, flag = kNone, object = kNone;
    int begin = 0;  // instruction
  };
  struct Launch {
    SourcePlace place = {};
    std::vector<std::int64_t> grid, block;
  };
  struct LoopLabels {
    std::vector<int> breaks, continues = {};  // jumps to be aimed
  };
  struct CalledFunction {
    const Function* function = nullptr;
    int result = kNone, flag = kNone;
    std::size_t first_symbol = 0;
    std::vector<int> returns = {};
    std::size_t first_loop = 0, first_ended = 0;
  };

  // compile.cpp: the program
  void read_directives(const LexedText&);
  void read_scratch(const Directive&);
  std::optional<Launch> read_launch(const Directive&);
  void declare_constants();
  void compile_kernel(const Function&, const Launch&);
  void declare_parameters(const Function&);
  std::optional<std::int64_t> constant_whole(ExprId, const char* what);

  // compile_statement.cpp
  void statement(StmtId);
  void block(const Stmt&);
  void declare(const Declarator&);
  void declare_array(const Declarator&, const ValueType&);
  void too_many_elements(const Declarator&, std::int64_t others, std::int64_t size);  // fails
  void declare_scalar(const Declarator&, const ValueType&);
  void loop(const Stmt&);
  void choice(const Stmt&);
  void return_statement(const Stmt&);
  enum class ScopeKind { Block, Loop, EmptyLoop, If, Function };
  void open_scope(ScopeKind);
  void close_scope();

  // compile_expression.cpp
  CompiledValue value(ExprId, int target = kNone);
  CompiledValue name_value(const Expr&);
  CompiledValue prefix(const Expr&, int target);
  CompiledValue postfix(const Expr&);
  CompiledValue assign(const Expr&, int target);
  CompiledValue choice_value(const Expr&, int target);
  std::optional<CompiledValue> built_in_member(const Expr&);

  // compile_place.cpp
  CompiledValue load(const CompiledPlace&, const SourcePlace&, int target = kNone);
  void store(const CompiledPlace&, const CompiledValue&, const SourcePlace&);
  CompiledPlace place_of(ExprId);
  CompiledPlace index_place(const Expr&);
  CompiledPlace pointed_place(const Expr&);
  CompiledPlace member_place(const Expr&);
  CompiledPlace place_of_symbol(const Symbol&);

  // compile_operator.cpp
  CompiledValue binary(const Expr&, int target);
  CompiledValue operate(std::string_view sign, CompiledValue left, CompiledValue right, const SourcePlace&, int target);
  CompiledValue pointer_operation(std::string_view sign, CompiledValue left, CompiledValue right, const SourcePlace&,
                                  int target);
  void jump_if(ExprId condition, bool when, std::vector<int>& jumps);
  void jump_on(const CompiledValue&, bool when, const SourcePlace&, std::vector<int>& jumps);

  // compile_type.cpp
  ValueType static_type(ExprId);
  ValueType static_type_of_choice(const Expr&);
  ValueType static_type_of_call(const Expr&);
  ValueType type_of(const TypeName&, const SourcePlace&);
  TypeName type_name(const ValueType&) const;
  std::string text_of(const ValueType&) const;
  int size_of(const ValueType&) const;  // registers
  ValueType common_type(const ValueType&, const ValueType&) const;
  CompiledValue convert(CompiledValue, const ValueType& to, const SourcePlace&, bool is_cast, int target = kNone);
  CompiledValue to_bool(CompiledValue, const SourcePlace&);
  CompiledValue decayed(CompiledValue, const SourcePlace&);

  // compile_call.cpp
  CompiledValue call(const Expr&, int target);
  std::optional<CompiledValue> call_built_in(const Expr&, int target);
  std::optional<CompiledValue> call_of_machine(const Expr&, int target);
  CompiledValue call_function(const Expr&, const Function&);
  CompiledValue call_print(const Expr&);
  CompiledValue call_mark(const Expr&);
  CompiledValue call_shuffle(const Expr&, int kind);
  bool need_arguments(const Expr&, std::size_t count, const char* form);

  // compile.cpp: common
  const Expr& expr(ExprId id) const { return text_.expr(id); }
  void fail(const SourcePlace&, std::string what, std::string instead = {});
  int emit(Op, const SourcePlace&, int a = 0, int b = 0, int c = 0, int imm = 0);
  int here() const { return int(kernel_->code.size()); }
  void aim(const std::vector<int>& jumps, int to);
  int new_register(int count = 1);
  int or_new(int target) { return target == kNone ? new_register() : target; }
  int constant_register(std::uint64_t bits);
  int reg_of(const CompiledValue&, const SourcePlace&);
  void move_to(int target, const CompiledValue&, const SourcePlace&);
  Symbol* find(std::string_view name);
  void declare_symbol(Symbol);
  void no_variable(const Expr&);  // fails

  const ParsedText& text_;
  const CompileSetup& setup_;
  CompiledText& out_;
  Program& program_;
  Kernel* kernel_ = nullptr;
  Kernel scratch_kernel_;  // where constants are folded, before the first kernel
  std::vector<Symbol> symbols_;
  struct Scope {
    std::size_t first = 0;  // symbol
    int next_register = 0;
    ScopeKind kind = ScopeKind::Block;
  };
  struct EndedName {
    std::string_view name = {};
    SourcePlace place = {};
    ScopeKind kind = ScopeKind::Block;
  };
  std::vector<Scope> scopes_;
  std::vector<EndedName> ended_;  // of the kernel or function that is compiled
  std::size_t globals_ = 0;       // symbols of the file
  std::vector<LoopLabels> loops_;
  std::vector<CalledFunction> calls_;
  std::vector<std::pair<const Function*, Launch>> launches_;
  std::vector<std::pair<std::uint64_t, int>> constants_;  // in registers
  int next_register_ = 0, most_registers_ = 0, copied_calls_ = 0;
  bool statement_failed_ = false, full_ = false;
};

}  // namespace tilewalk::lab
