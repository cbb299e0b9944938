
#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"

namespace tilewalk::lab {

void Compiler::statement(StmtId id) {
  if (id == kNone || full_) return;
  const Stmt& stmt = text_.stmt(id);
  statement_failed_ = false;
  const int mark = next_register_;
  switch (stmt.kind) {
    case StmtKind::Empty: break;
    case StmtKind::Block: block(stmt); break;
    case StmtKind::Declare:
      for (const Declarator& each : stmt.declared) declare(each);
      return;  // its variables stay
    case StmtKind::Expression: value(stmt.condition); break;
    case StmtKind::If: choice(stmt); break;
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::Do: loop(stmt); break;
    case StmtKind::Break:
    case StmtKind::Continue: {
      const std::size_t first = calls_.empty() ? 0 : calls_.back().first_loop;
      const bool is_break = stmt.kind == StmtKind::Break;
      if (loops_.size() <= first) {
        fail(stmt.place, std::string(is_break ? "break" : "continue") + " is outside of a loop");
        break;
      }
      const int jump = emit(Op::Jump, stmt.place);
      (is_break ? loops_.back().breaks : loops_.back().continues).push_back(jump);
      break;
    }
    case StmtKind::Return: return_statement(stmt); break;
  }
  next_register_ = mark;
}

void Compiler::block(const Stmt& stmt) {
  open_scope(ScopeKind::Block);
  for (const StmtId each : stmt.statements) statement(each);
  close_scope();
}

void Compiler::choice(const Stmt& stmt) {
  std::vector<int> to_else;
  const int mark = next_register_;
  jump_if(stmt.condition, false, to_else);
  next_register_ = mark;
  open_scope(ScopeKind::If);
  statement(stmt.body);
  close_scope();
  if (stmt.other == kNone) return aim(to_else, here());
  const std::vector<int> to_end{emit(Op::Jump, stmt.place)};
  aim(to_else, here());
  open_scope(ScopeKind::If);
  statement(stmt.other);
  close_scope();
  aim(to_end, here());
}

// The test comes after the body, so that a turn has one jump.
void Compiler::loop(const Stmt& stmt) {
  const bool empty = stmt.body != kNone && text_.stmt(stmt.body).kind == StmtKind::Empty;
  open_scope(empty ? ScopeKind::EmptyLoop : ScopeKind::Loop);
  statement(stmt.init);
  std::vector<int> to_test;
  if (stmt.kind != StmtKind::Do && stmt.condition != kNone) to_test.push_back(emit(Op::Jump, stmt.place));
  const int top = here();
  loops_.emplace_back();
  open_scope(ScopeKind::Loop);
  statement(stmt.body);
  close_scope();
  const LoopLabels labels = loops_.back();
  loops_.pop_back();
  statement_failed_ = false;
  aim(labels.continues, here());
  const int mark = next_register_;
  if (stmt.step != kNone) value(stmt.step);
  next_register_ = mark;
  aim(to_test, here());
  std::vector<int> again;
  if (stmt.condition == kNone)
    again.push_back(emit(Op::Jump, stmt.place));
  else
    jump_if(stmt.condition, true, again);
  aim(again, top);
  aim(labels.breaks, here());
  close_scope();
}

void Compiler::return_statement(const Stmt& stmt) {
  CalledFunction& call = calls_.back();
  const ValueType type = type_of(call.function->result, call.function->place);
  const bool nothing = type.base == BaseType::Void && !type.pointer;
  if (nothing && stmt.condition != kNone) return fail(stmt.place, "this function returns nothing", "Write return;");
  if (!nothing && stmt.condition == kNone)
    return fail(stmt.place, "this return has no value", "The function returns " + text_of(type) + ".");
  if (!nothing) {
    const int result = call.result, flag = call.flag;
    const CompiledValue is = convert(value(stmt.condition), type, stmt.place, false);
    move_to(result, is, stmt.place);
    if (flag != kNone) emit(Op::Move, stmt.place, flag, constant_register(1));
  }
  calls_.back().returns.push_back(emit(Op::Jump, stmt.place));
}

void Compiler::declare(const Declarator& each) {
  const ValueType type = type_of(each.type, each.place);
  if (type.base == BaseType::Void && !type.pointer) return fail(each.place, "a variable has a type that is not void");
  if (each.shared && calls_.size() > 1)
    return fail(each.place, "a __device__ function has no shared arrays of its own",
                "Declare it in the kernel and pass it as a float*.");
  if (!each.dims.empty() || each.shared) return declare_array(each, type);
  declare_scalar(each, type);
}

void Compiler::too_many_elements(const Declarator& each, std::int64_t others, std::int64_t size) {
  const bool counted = size < 1 || size <= INT64_MAX / others;
  const std::string number = size < 1                 ? "a side of " + std::to_string(size) + " elements"
                             : others > 1 || !counted ? "more than 16,777,216 elements"
                                                      : std::to_string(size) + " elements";
  fail(each.place, std::string(each.name) + " would have " + number + ", and an array has from 1 to 16,777,216",
       each.shared ? "A thread block has " + std::to_string(kMostSharedBytes) +
                         " bytes of shared memory for all its arrays: use sizes of a tile, such as sS[BR][BC]."
                   : "A local array belongs to one thread: use sizes of a tile, such as o[D].");
}

void Compiler::declare_array(const Declarator& each, const ValueType& type) {
  MemoryObject object{.name = std::string(each.name),
                      .space = each.shared ? MemorySpace::Shared : MemorySpace::Local,
                      .element = type.base,
                      .size = 1,
                      .place = each.place};
  if (type.structure != kNone)
    return fail(each.place, "an array of structs is not part of this language",
                "Write an array for each field of " + text_of(type) + ".");
  if (type.pointer)
    return fail(each.place, "an array of pointers is not part of this language", "Write an array of int: offsets.");
  if (type.base == BaseType::Long)
    return fail(each.place, "an array of long long is not part of this language",
                "Write int: an element has 32 bits. Variables may be long long.");
  for (const ExprId dim : each.dims) {
    const auto size = constant_whole(dim, "an array's size");
    if (!size) return;
    if (*size < 1 || *size > kMostElements || object.size * *size > kMostElements)
      return too_many_elements(each, object.size, *size);
    object.dims.push_back(*size);
    object.size *= *size;
  }
  if (each.shared && (each.init != kNone || each.has_list))
    return fail(each.place, "a shared array has no values at the start", "Write them by a loop, then __syncthreads().");
  if (each.init != kNone) return fail(each.place, "an array's values are a list", "Write = {0.0f} for zeros.");
  if (object.dims.empty()) object.dims.push_back(1);
  std::int64_t& words = each.shared ? kernel_->shared_words : kernel_->local_words;
  object.offset = words;
  words += object.size;
  if (words > 2 * kMostElements || kernel_->objects.size() > 2000)
    return fail(each.place, "all arrays together are too large", "Use smaller arrays.");
  const int id = int(kernel_->objects.size());
  kernel_->objects.push_back(object);
  if (!each.shared) emit(Op::ForgetLocal, each.place, 0, 0, 0, id);
  declare_symbol({.name = each.name, .type = type, .place = each.place, .is_const = each.type.is_const, .object = id});
  if (!each.has_list) return;
  if (object.dims.size() > 1 || object.size > 1024)
    return fail(each.place, "a list of values is for arrays of one dimension, of 1024 elements at most",
                "Write the values by a loop.");
  if (std::int64_t(each.list.size()) > object.size) return fail(each.place, "there are more values than elements");
  for (std::int64_t at = 0; at < object.size; ++at) {  // those without a value are 0, as in C
    const int mark = next_register_;
    const bool given = at < std::int64_t(each.list.size());
    CompiledValue zero{.kind = CompiledValue::Constant, .type = type};
    const CompiledValue is = given ? convert(value(each.list[std::size_t(at)]), type, each.place, false) : zero;
    emit(Op::StoreLocal1, each.place, reg_of(is, each.place), constant_register(std::uint64_t(at)), 0, id);
    next_register_ = mark;
  }
}

void Compiler::declare_scalar(const Declarator& each, const ValueType& type) {
  Symbol symbol{.name = each.name, .type = type, .place = each.place};
  symbol.is_const = !type.pointer && (each.type.is_const || each.is_constexpr);
  if (each.has_list) {
    if (type.structure == kNone)
      return fail(each.place, "only an array or a struct takes values in braces", "Leave them out.");
    const std::vector<Declarator>& fields = text_.structs[std::size_t(type.structure)].fields;
    if (each.list.size() != fields.size())
      return fail(each.place, "a list needs a value for each field",
                  "The struct has " + std::to_string(fields.size()) + ".");
    symbol.reg = new_register(int(fields.size()));
    for (std::size_t at = 0; at < fields.size(); ++at) {
      const int mark = next_register_;
      move_to(symbol.reg + int(at),
              convert(value(each.list[at]), type_of(fields[at].type, fields[at].place), each.place, false), each.place);
      next_register_ = mark;
    }
    return declare_symbol(symbol);
  }
  if (each.init == kNone) {
    if (symbol.is_const) return fail(each.place, "a constant needs a value", "Write = and its value.");
    const int size = size_of(type);
    symbol.reg = new_register(size);
    symbol.flag = new_register(size);
    for (int at = 0; at < size; ++at) emit(Op::Move, each.place, symbol.flag + at, constant_register(0));
    return declare_symbol(symbol);
  }
  const int reg = new_register(size_of(type));
  const CompiledValue is = convert(value(each.init, size_of(type) == 1 ? reg : kNone), type, each.place, false,
                                   size_of(type) == 1 ? reg : kNone);
  if (each.is_constexpr && is.kind != CompiledValue::Constant)
    return fail(each.place, "the value of a constexpr is made of constants", "Write const.");
  symbol.reg = reg;
  next_register_ = reg + size_of(type);
  if (is.kind == CompiledValue::Constant && symbol.is_const) {
    symbol.is_constant = true;
    symbol.bits = is.bits;
  } else {
    move_to(reg, is, each.place);
  }
  declare_symbol(symbol);
}

}  // namespace tilewalk::lab
