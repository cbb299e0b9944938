#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"

namespace tilewalk::lab {

ValueType Compiler::type_of(const TypeName& name, const SourcePlace& place) {
  ValueType out{name.base, name.pointer, name.pointer && name.is_const};
  if (name.base == BaseType::Struct) {
    for (std::size_t at = 0; at < text_.structs.size(); ++at)
      if (text_.structs[at].name == name.struct_name) out.structure = int(at);
    const std::vector<Declarator>& fields = text_.structs[std::size_t(out.structure)].fields;
    for (const Declarator& each : fields)
      if (each.type.base == BaseType::Struct || !each.dims.empty() || each.init != kNone || each.has_list)
        fail(each.place, "a struct's fields are numbers and pointers, without values", "");
    if (name.pointer) fail(place, "pointers to structs are not part of this language", "Pass the struct by value.");
    if (fields.empty()) fail(place, "this struct has no fields");
  }
  if (name.pointer && (name.base == BaseType::Void || name.base == BaseType::Long || name.base == BaseType::Bool))
    fail(place, "a pointer points to float, int or unsigned");
  return out;
}

TypeName Compiler::type_name(const ValueType& type) const {  // outlives the text, so without a name in it
  return {.base = type.base, .is_const = type.is_const, .pointer = type.pointer};
}

std::string Compiler::text_of(const ValueType& type) const {
  static constexpr const char* kNames[] = {"void", "bool", "int", "unsigned", "long long", "float", "struct"};
  std::string out = type.is_const ? "const " : "";
  out += type.structure != kNone ? std::string(text_.structs[std::size_t(type.structure)].name)
                                 : std::string(kNames[int(type.base)]);
  return out + (type.pointer ? "*" : "");
}

int Compiler::size_of(const ValueType& type) const {
  return type.structure == kNone ? 1 : int(text_.structs[std::size_t(type.structure)].fields.size());
}

ValueType Compiler::common_type(const ValueType& a, const ValueType& b) const {
  if (a.is_float() || b.is_float()) return kFloatType;
  if (a.base == BaseType::Long || b.base == BaseType::Long) return kLongType;
  if (a.base == BaseType::Unsigned || b.base == BaseType::Unsigned) return kUnsignedType;
  return kIntType;
}

// The type that an expression will have, without compiling it; void where it will be refused.
ValueType Compiler::static_type(ExprId id) {
  const ValueType none{BaseType::Void};
  if (id == kNone) return none;
  const Expr& e = expr(id);
  switch (e.kind) {
    case ExprKind::Integer: return e.is_long ? kLongType : e.is_unsigned ? kUnsignedType : kIntType;
    case ExprKind::Float: return kFloatType;
    case ExprKind::Bool: return kBoolType;
    case ExprKind::Null: return {BaseType::Float, true};
    case ExprKind::String: return none;
    case ExprKind::Name: {
      const Symbol* symbol = find(e.name);
      if (!symbol) return none;
      ValueType out = symbol->type;
      const bool scalar = symbol->object != kNone && std::size_t(symbol->object) < kernel_->objects.size() &&
                          kernel_->objects[std::size_t(symbol->object)].size == 1;
      if (symbol->object != kNone && !scalar) out.pointer = true, out.is_const = symbol->is_const;
      return out;
    }
    case ExprKind::Prefix: {
      ValueType of = static_type(e.args[0]);
      if (e.name == "!") return kBoolType;
      if (e.name == "*") return {of.base};
      if (e.name == "&") return {of.base, true};
      return e.name == "++" || e.name == "--" || !of.is_number() ? of : common_type(kIntType, of);
    }
    case ExprKind::Postfix:
    case ExprKind::Assign: return static_type(e.args[0]);
    case ExprKind::Binary: {
      for (const char* sign : {"<", ">", "<=", ">=", "==", "!=", "&&", "||"})
        if (e.name == sign) return kBoolType;
      if (e.name == ",") return static_type(e.args[1]);
      const ValueType left = static_type(e.args[0]), right = static_type(e.args[1]);
      if (e.name == "<<" || e.name == ">>") return common_type(kIntType, left);
      if (left.pointer && right.pointer) return kLongType;
      if (left.pointer || right.pointer) return left.pointer ? left : right;
      return common_type(left, right);
    }
    case ExprKind::Choice: return static_type_of_choice(e);
    case ExprKind::Call: return static_type_of_call(e);
    case ExprKind::Index: {
      const ValueType of = static_type(e.args[0]);
      if (expr(e.args[0]).kind == ExprKind::Name) {  // a row of an array is a pointer
        const Symbol* symbol = find(expr(e.args[0]).name);
        if (symbol && symbol->object != kNone && std::size_t(symbol->object) < kernel_->objects.size() &&
            kernel_->objects[std::size_t(symbol->object)].dims.size() > 1)
          return {of.base, true, of.is_const};
      }
      return {of.base};
    }
    case ExprKind::Member: {
      const ValueType of = static_type(e.args[0]);
      if (of.structure == kNone) return kUnsignedType;  // threadIdx.x
      for (const Declarator& field : text_.structs[std::size_t(of.structure)].fields)
        if (field.name == e.name) return type_of(field.type, field.place);
      return none;
    }
    case ExprKind::Cast: return type_of(e.type, e.place);
  }
  return none;
}

ValueType Compiler::static_type_of_choice(const Expr& e) {
  const ValueType yes = static_type(e.args[1]), no = static_type(e.args[2]);
  if (yes.is_number() && no.is_number()) return yes == no ? yes : common_type(yes, no);
  return yes;
}

ValueType Compiler::static_type_of_call(const Expr& e) {
  for (const Function& function : text_.functions)
    if (function.name == e.name) return type_of(function.result, function.place);
  if ((e.name == "min" || e.name == "max") && e.args.size() == 2)
    return common_type(static_type(e.args[0]), static_type(e.args[1]));
  if (e.name.starts_with("__shfl") && e.args.size() > 1) return static_type(e.args[1]);
  if (e.name == "atomicAdd" && !e.args.empty()) return {static_type(e.args[0]).base};
  return kFloatType;
}

CompiledValue Compiler::decayed(CompiledValue is, const SourcePlace& place) {
  if (is.kind != CompiledValue::Array) return is;
  const MemoryObject& object = kernel_->objects[std::size_t(is.object)];
  const ValueType type{is.type.base, true, object.is_const};
  const int base = constant_register(Pointer::to(is.object, 0));
  if (is.indices.empty()) return {.kind = CompiledValue::Register, .type = type, .reg = base};
  const int flat = new_register();
  emit(Op::Move, place, flat, constant_register(0));
  for (std::size_t dim = 0; dim < object.dims.size(); ++dim) {
    const int index = dim < is.indices.size() ? is.indices[dim] : constant_register(0);
    emit(Op::Index, place, flat, flat, index, is.object * 8 + int(dim));
  }
  emit(Op::MovePointer, place, flat, base, flat);
  return {.kind = CompiledValue::Register, .type = type, .reg = flat};
}

CompiledValue Compiler::to_bool(CompiledValue is, const SourcePlace& place) {
  if (is.kind == CompiledValue::Nothing) return is;
  is = decayed(is, place);
  if (is.kind == CompiledValue::Null) return {.kind = CompiledValue::Constant, .type = kBoolType};
  if (is.type.structure != kNone) {
    fail(place, "a condition is a number, not a struct");
    return {};
  }
  if (is.type == kBoolType) return is;
  if (is.kind == CompiledValue::Constant) {
    is.bits = is.type.is_float() ? float_in(is.bits) != 0 : is.bits != 0;
    is.type = kBoolType;
    return is;
  }
  const int out = new_register();
  emit(is.type.is_float() ? Op::ToBoolF : Op::ToBool, place, out, is.reg);
  return {.kind = CompiledValue::Register, .type = kBoolType, .reg = out};
}

CompiledValue Compiler::convert(CompiledValue is, const ValueType& to, const SourcePlace& place, bool is_cast,
                                int target) {
  if (is.kind == CompiledValue::Nothing) {
    if (!statement_failed_) fail(place, "this has no value");
    return is;
  }
  is = decayed(is, place);
  if (is.kind == CompiledValue::Null && to.pointer) {
    is.kind = CompiledValue::Constant;
    is.type = to;
    return is;
  }
  if (is.type == to) return is;
  if (to.pointer && is.type.pointer && to.base == is.type.base && is.kind != CompiledValue::Null) {
    if (is.type.is_const && !to.is_const) fail(place, "this points to const values", "Write " + text_of(is.type) + ".");
    is.type = to;
    return is;
  }
  if (to.pointer || is.type.pointer || to.structure != kNone || is.type.structure != kNone ||
      to.base == BaseType::Void || is.type.base == BaseType::Void) {
    if (to.base == BaseType::Void && is_cast) return {};
    fail(place, text_of(is.type) + " does not become " + text_of(to),
         is.type.pointer && !to.pointer ? "Write an index behind the pointer: p[i]." : "");
    return {};
  }
  if (to.base == BaseType::Bool) return to_bool(is, place);
  const auto made = [&](Op op) {
    const int out = or_new(target);
    emit(op, place, out, is.reg);
    return CompiledValue{.kind = CompiledValue::Register, .type = to, .reg = out};
  };
  const bool constant = is.kind == CompiledValue::Constant;
  const auto fold = [&](std::uint64_t bits) {
    return CompiledValue{.kind = CompiledValue::Constant, .type = to, .bits = bits};
  };
  const auto whole = std::int64_t(is.bits);
  if (to.is_float()) return constant ? fold(bits_in(float(whole))) : made(Op::ToFloat);
  if (is.type.is_float()) {
    const float x = float_in(is.bits);
    if (to.base == BaseType::Int) return constant ? fold(std::uint64_t(int_of(x))) : made(Op::FloatToI);
    if (to.base == BaseType::Unsigned) return constant ? fold(std::uint64_t(unsigned_of(x))) : made(Op::FloatToU);
    return constant ? fold(std::uint64_t(long_of(x))) : made(Op::FloatToL);
  }
  const bool fits = is.type.base == BaseType::Bool || (to.base == BaseType::Long);
  if (constant && to.base == BaseType::Int) return fold(int_bits(whole));
  if (constant && to.base == BaseType::Unsigned) return fold(unsigned_bits(whole));
  if (constant || fits) {
    is.type = to;
    return is;
  }
  return made(to.base == BaseType::Int ? Op::WrapI : Op::WrapU);
}

}  // namespace tilewalk::lab
