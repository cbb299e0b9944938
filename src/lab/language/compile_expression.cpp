#include <algorithm>

#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"
#include "lab/language/refused.h"

namespace tilewalk::lab {

CompiledValue Compiler::value(ExprId id, int target) {
  if (id == kNone || full_) return {};
  const Expr& e = expr(id);
  switch (e.kind) {
    case ExprKind::Integer:
      return {.kind = CompiledValue::Constant,
              .type = e.is_long       ? kLongType
                      : e.is_unsigned ? kUnsignedType
                                      : kIntType,
              .bits = std::uint64_t(e.integer)};
    case ExprKind::Float: return {.kind = CompiledValue::Constant, .type = kFloatType, .bits = bits_in(e.value)};
    case ExprKind::Bool: return {.kind = CompiledValue::Constant, .type = kBoolType, .bits = std::uint64_t(e.integer)};
    case ExprKind::Null: return {.kind = CompiledValue::Null, .type = {BaseType::Float, true}};
    case ExprKind::String: fail(e.place, "text in quotes is allowed only in printf"); return {};
    case ExprKind::Name: return name_value(e);
    case ExprKind::Prefix: return prefix(e, target);
    case ExprKind::Postfix: return postfix(e);
    case ExprKind::Binary: return binary(e, target);
    case ExprKind::Assign: return assign(e, target);
    case ExprKind::Choice: return choice_value(e, target);
    case ExprKind::Call: return call(e, target);
    case ExprKind::Index: {
      const CompiledPlace place = index_place(e);
      return load(place, e.place, target);
    }
    case ExprKind::Member: {
      if (auto found = built_in_member(e)) return *found;
      return load(member_place(e), e.place, target);
    }
    case ExprKind::Cast: return convert(value(e.args[0]), type_of(e.type, e.place), e.place, true, target);
  }
  return {};
}

CompiledValue Compiler::name_value(const Expr& e) {
  const Symbol* symbol = find(e.name);
  if (!symbol) {
    for (const char* indexed : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
      if (e.name == indexed) {
        fail(e.place, std::string(e.name) + " has parts", "Write " + std::string(e.name) + ".x.");
        return {};
      }
    if (const char* instead = instead_of_function(e.name))
      fail(e.place, std::string(e.name) + " is not part of this language", instead);
    else
      no_variable(e);
    return {};
  }
  if (symbol->is_constant) return {.kind = CompiledValue::Constant, .type = symbol->type, .bits = symbol->bits};
  return load(place_of_symbol(*symbol), e.place);
}

// threadIdx.x and the like.
std::optional<CompiledValue> Compiler::built_in_member(const Expr& e) {
  const Expr& of = expr(e.args[0]);
  if (of.kind != ExprKind::Name || find(of.name)) return std::nullopt;
  const std::size_t axis = e.name == "x" ? 0 : e.name == "y" ? 1 : e.name == "z" ? 2 : 3;
  const bool thread = of.name == "threadIdx", in_block = of.name == "blockIdx", block = of.name == "blockDim";
  if (!thread && !in_block && !block && of.name != "gridDim") return std::nullopt;
  if (axis == 3) {
    fail(e.place, std::string(of.name) + " has the parts x, y and z");
    return CompiledValue{};
  }
  if (kernel_ == &scratch_kernel_) {
    fail(e.place, std::string(of.name) + " is known in a kernel alone");
    return CompiledValue{};
  }
  if (thread || in_block)
    return CompiledValue{.kind = CompiledValue::Register,
                         .type = kUnsignedType,
                         .reg = int(axis) + (in_block ? kBlockIndexRegister : 0)};
  return CompiledValue{.kind = CompiledValue::Constant,
                       .type = kUnsignedType,
                       .bits = std::uint64_t(block ? kernel_->block[axis] : kernel_->grid[axis])};
}

CompiledValue Compiler::assign(const Expr& e, int) {
  CompiledPlace place = place_of(e.args[0]);
  if (place.kind == CompiledPlace::None) {
    value(e.args[1]);
    return {};
  }
  const bool direct = place.kind == CompiledPlace::Variable && place.type.structure == kNone && !place.is_const;
  if (e.name == "=") {
    const CompiledValue is =
        convert(value(e.args[1], direct ? place.reg : kNone), place.type, e.place, false, direct ? place.reg : kNone);
    store(place, is, e.place);
    return is;
  }
  const CompiledValue old = load(place, e.place);
  CompiledValue by = value(e.args[1]);
  // Sums, differences and products modulo 2^32 are the same for int and unsigned.
  const std::string_view sign = e.name.substr(0, e.name.size() - 1);
  CompiledValue left = old;
  if (old.type == kIntType && by.type == kUnsignedType && (sign == "+" || sign == "-" || sign == "*"))
    by.type = kIntType;
  const CompiledValue sum = operate(sign, left, by, e.place, direct ? place.reg : kNone);
  const CompiledValue is = convert(sum, place.type, e.place, false, direct ? place.reg : kNone);
  store(place, is, e.place);
  return is;
}

CompiledValue Compiler::postfix(const Expr& e) {
  const CompiledPlace place = place_of(e.args[0]);
  const CompiledValue old = load(place, e.place);
  if (old.kind == CompiledValue::Nothing) return {};
  const int copy = new_register(size_of(old.type));
  emit(Op::Move, e.place, copy, reg_of(old, e.place));
  const CompiledValue one{.kind = CompiledValue::Constant, .type = kIntType, .bits = 1};
  const CompiledValue kept{.kind = CompiledValue::Register, .type = old.type, .reg = copy};
  store(place, convert(operate(e.name.substr(0, 1), kept, one, e.place, kNone), place.type, e.place, false), e.place);
  return kept;
}

CompiledValue Compiler::prefix(const Expr& e, int target) {
  if (e.name == "++" || e.name == "--") {
    const CompiledPlace place = place_of(e.args[0]);
    const CompiledValue old = load(place, e.place);
    if (old.kind == CompiledValue::Nothing) return {};
    const bool direct = place.kind == CompiledPlace::Variable && !place.is_const;
    const CompiledValue one{.kind = CompiledValue::Constant, .type = kIntType, .bits = 1};
    const CompiledValue is = convert(operate(e.name.substr(0, 1), old, one, e.place, direct ? place.reg : kNone),
                                     place.type, e.place, false);
    store(place, is, e.place);
    return is;
  }
  if (e.name == "*") return load(pointed_place(e), e.place, target);
  if (e.name == "&") {
    const CompiledPlace place = place_of(e.args[0]);
    if (place.kind == CompiledPlace::Variable) {
      fail(e.place, "a variable in a register has no address", "Use an array of one element, or pass the value.");
      return {};
    }
    if (place.kind == CompiledPlace::Element)
      return decayed(
          {.kind = CompiledValue::Array, .type = place.type, .object = place.object, .indices = place.indices},
          e.place);
    if (place.kind == CompiledPlace::None) return {};
    const int out = or_new(target);
    emit(Op::MovePointer, e.place, out, place.pointer, place.index);
    return {.kind = CompiledValue::Register, .type = {place.type.base, true, place.is_const}, .reg = out};
  }
  CompiledValue of = value(e.args[0]);
  if (of.kind == CompiledValue::Nothing) return {};
  if (e.name == "!") {
    of = to_bool(of, e.place);
    const CompiledValue zero{.kind = CompiledValue::Constant, .type = kBoolType};
    return operate("==", of, zero, e.place, target);
  }
  if (!of.type.is_number() || (e.name == "~" && !of.type.is_whole())) {
    fail(e.place, "there is no " + std::string(e.name) + " of " + text_of(of.type));
    return {};
  }
  if (of.type.is_float()) {
    if (e.name == "+") return of;
    if (of.kind == CompiledValue::Constant) {
      of.bits = bits_in(-float_in(of.bits));
      return of;
    }
    const int out = or_new(target);
    emit(Op::NegF, e.place, out, reg_of(of, e.place));
    return {.kind = CompiledValue::Register, .type = kFloatType, .reg = out};
  }
  CompiledValue zero{.kind = CompiledValue::Constant, .type = kIntType, .bits = 0};
  if (e.name == "+") return operate("+", zero, of, e.place, target);
  if (e.name == "-") return operate("-", zero, of, e.place, target);
  zero.bits = std::uint64_t(-1);
  return operate("^", zero, of, e.place, target);
}

CompiledValue Compiler::choice_value(const Expr& e, int target) {
  const CompiledValue known = value(e.args[0]);
  if (known.kind == CompiledValue::Constant && known.type.is_number()) {
    const bool yes = to_bool(known, e.place).bits != 0;
    return convert(value(e.args[yes ? 1 : 2]), static_type_of_choice(e), e.place, false);
  }
  std::vector<int> to_no;
  jump_on(known, false, e.place, to_no);
  const ValueType type = static_type_of_choice(e);
  if (type.structure != kNone || type.base == BaseType::Void) {
    fail(e.place, "?: chooses between numbers or pointers", "Write if and else.");
    return {};
  }
  const int out = or_new(target);
  move_to(out, convert(value(e.args[1], target), type, e.place, false, out), e.place);
  const std::vector<int> to_end{emit(Op::Jump, e.place)};
  aim(to_no, here());
  move_to(out, convert(value(e.args[2], target), type, e.place, false, out), e.place);
  aim(to_end, here());
  return {.kind = CompiledValue::Register, .type = type, .reg = out};
}

}  // namespace tilewalk::lab
