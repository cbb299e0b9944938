// What can be assigned to: variables, elements of arrays, what a pointer points to; loaded and stored.
#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"

namespace tilewalk::lab {

CompiledPlace Compiler::place_of_symbol(const Symbol& symbol) {
  CompiledPlace out{.type = symbol.type, .is_const = symbol.is_const, .name = std::string(symbol.name)};
  if (symbol.object != kNone && kernel_ == &scratch_kernel_) {
    fail(symbol.place, out.name + " is an array, where a constant is needed");
  } else if (symbol.object != kNone) {
    out.kind = CompiledPlace::Element;
    out.object = symbol.object;
    const MemoryObject& object = kernel_->objects[std::size_t(symbol.object)];
    out.is_const = out.is_const || object.is_const;
  } else {
    out.kind = CompiledPlace::Variable;
    out.reg = symbol.reg;
    out.flag = symbol.flag;
  }
  return out;
}

CompiledPlace Compiler::place_of(ExprId id) {
  const Expr& e = expr(id);
  if (e.kind == ExprKind::Name) {
    const Symbol* symbol = find(e.name);
    if (!symbol) {
      no_variable(e);
      return {};
    }
    if (symbol->is_constant) {
      fail(e.place, std::string(e.name) + " is a constant");
      return {};
    }
    return place_of_symbol(*symbol);
  }
  if (e.kind == ExprKind::Index) return index_place(e);
  if (e.kind == ExprKind::Member) {
    if (built_in_member(e)) fail(e.place, "this is given and cannot be changed");
    return member_place(e);
  }
  if (e.kind == ExprKind::Prefix && e.name == "*") return pointed_place(e);
  fail(e.place, "this is a value and not a variable", "Write a variable or an element of an array left of =.");
  return {};
}

CompiledPlace Compiler::pointed_place(const Expr& e) {
  const CompiledValue pointer = decayed(value(e.args[0]), e.place);
  if (!pointer.type.pointer || pointer.kind == CompiledValue::Null) {
    fail(e.place, "only a pointer has a * before it", "Write a[i] for an element.");
    return {};
  }
  return {.kind = CompiledPlace::Pointed,
          .type = {pointer.type.base},
          .pointer = reg_of(pointer, e.place),
          .index = constant_register(0),
          .is_const = pointer.type.is_const};
}

CompiledPlace Compiler::index_place(const Expr& e) {
  const Expr& of = expr(e.args[0]);
  CompiledPlace array;
  if (of.kind == ExprKind::Index) {
    array = index_place(of);
    if (array.kind != CompiledPlace::Element ||
        array.indices.size() >= kernel_->objects[std::size_t(array.object)].dims.size()) {
      if (array.kind != CompiledPlace::None) fail(e.place, "there are more indices than dimensions");
      return {};
    }
  } else if (of.kind == ExprKind::Name) {
    array = place_of(e.args[0]);
    if (array.kind == CompiledPlace::None) return {};
  }
  const CompiledValue at = value(e.args[1]);
  if (at.kind != CompiledValue::Nothing && !at.type.is_whole()) {
    fail(e.place, "an index is a whole number, not " + text_of(at.type), "Write int(…) if it is meant so.");
    return {};
  }
  if (array.kind == CompiledPlace::Element) {
    array.indices.push_back(reg_of(at, e.place));
    return array;
  }
  const CompiledValue pointer = decayed(value(e.args[0]), e.place);
  if (pointer.kind == CompiledValue::Nothing) return {};
  if (!pointer.type.pointer) {
    fail(e.place, "only an array or a pointer has an index, and this is " + text_of(pointer.type));
    return {};
  }
  return {.kind = CompiledPlace::Pointed,
          .type = {pointer.type.base},
          .pointer = reg_of(pointer, e.place),
          .index = reg_of(at, e.place),
          .is_const = pointer.type.is_const};
}

CompiledPlace Compiler::member_place(const Expr& e) {
  const Expr& of = expr(e.args[0]);
  CompiledPlace place;
  if (of.kind == ExprKind::Call) {
    const CompiledValue is = value(e.args[0]);
    place = {.kind = CompiledPlace::Variable, .type = is.type, .reg = is.reg, .is_const = true};
    if (is.kind == CompiledValue::Nothing) return {};
  } else {
    place = place_of(e.args[0]);
  }
  if (place.kind == CompiledPlace::None) return {};
  if (place.kind != CompiledPlace::Variable || place.type.structure == kNone) {
    fail(e.place, "only a struct has fields, and this is " + text_of(place.type));
    return {};
  }
  const std::vector<Declarator>& fields = text_.structs[std::size_t(place.type.structure)].fields;
  for (std::size_t at = 0; at < fields.size(); ++at)
    if (fields[at].name == e.name) {
      place.type = type_of(fields[at].type, fields[at].place);
      place.reg += int(at);
      if (place.flag != kNone) place.flag += int(at);
      place.name += "." + std::string(e.name);
      return place;
    }
  fail(e.place, "this struct has no field " + std::string(e.name));
  return {};
}

CompiledValue Compiler::load(const CompiledPlace& place, const SourcePlace& at, int target) {
  switch (place.kind) {
    case CompiledPlace::None: return {};
    case CompiledPlace::Variable:
      if (place.flag != kNone)
        for (int field = 0; field < size_of(place.type); ++field) {
          emit(Op::CheckSet, at, place.flag + field, 0, 0, int(kernel_->unset_names.size()));
          if (kernel_ != &scratch_kernel_) kernel_->unset_names.push_back(place.name);
        }
      return {.kind = CompiledValue::Register, .type = place.type, .reg = place.reg};
    case CompiledPlace::Element: {
      const MemoryObject& object = kernel_->objects[std::size_t(place.object)];
      const bool scalar =
          place.indices.empty() && object.size == 1 && object.dims.size() == 1 && object.space == MemorySpace::Shared;
      if (place.indices.size() < object.dims.size() && !scalar)
        return {.kind = CompiledValue::Array, .type = place.type, .object = place.object, .indices = place.indices};
      const int out = or_new(target);
      if (object.space == MemorySpace::Global || object.dims.size() > 2) {
        const CompiledValue pointer = decayed(
            {.kind = CompiledValue::Array, .type = place.type, .object = place.object, .indices = place.indices}, at);
        emit(Op::Load, at, out, reg_of(pointer, at), constant_register(0));
      } else {
        const bool shared = object.space == MemorySpace::Shared, two = object.dims.size() == 2;
        const int i = scalar ? constant_register(0) : place.indices[0], j = two ? place.indices[1] : 0;
        emit(shared ? two ? Op::LoadShared2 : Op::LoadShared1
             : two  ? Op::LoadLocal2
                    : Op::LoadLocal1,
             at, out, i, j, place.object);
      }
      if (place.type.base == BaseType::Unsigned) emit(Op::WrapU, at, out, out);
      return {.kind = CompiledValue::Register, .type = place.type, .reg = out};
    }
    case CompiledPlace::Pointed: {
      const int out = or_new(target);
      emit(Op::Load, at, out, place.pointer, place.index);
      if (place.type.base == BaseType::Unsigned) emit(Op::WrapU, at, out, out);
      return {.kind = CompiledValue::Register, .type = place.type, .reg = out};
    }
  }
  return {};
}

void Compiler::store(const CompiledPlace& place, const CompiledValue& is, const SourcePlace& at) {
  if (place.kind == CompiledPlace::None || is.kind == CompiledValue::Nothing) return;
  if (place.is_const)
    return fail(
        at, (place.name.empty() ? "this element" : place.name) + " is const",
        place.kind == CompiledPlace::Variable ? "Leave const out of its declaration." : "Inputs are only read.");
  if (place.kind == CompiledPlace::Variable) {
    move_to(place.reg, is, at);
    if (place.flag != kNone)
      for (int field = 0; field < size_of(place.type); ++field)
        emit(Op::Move, at, place.flag + field, constant_register(1));
    return;
  }
  const int from = reg_of(is, at);
  if (place.kind == CompiledPlace::Pointed) {
    emit(Op::Store, at, from, place.pointer, place.index);
    return;
  }
  const MemoryObject& object = kernel_->objects[std::size_t(place.object)];
  const bool scalar =
      place.indices.empty() && object.size == 1 && object.dims.size() == 1 && object.space == MemorySpace::Shared;
  if (place.indices.size() < object.dims.size() && !scalar)
    return fail(at, object.name + " is an array and is written element by element",
                "It has " + std::to_string(object.dims.size()) + (object.dims.size() > 1 ? " indices." : " index."));
  if (object.space == MemorySpace::Global || object.dims.size() > 2) {
    const CompiledValue pointer = decayed(
        {.kind = CompiledValue::Array, .type = place.type, .object = place.object, .indices = place.indices}, at);
    emit(Op::Store, at, from, reg_of(pointer, at), constant_register(0));
    return;
  }
  const bool shared = object.space == MemorySpace::Shared, two = object.dims.size() == 2;
  const int i = scalar ? constant_register(0) : place.indices[0], j = two ? place.indices[1] : 0;
  emit(shared ? two ? Op::StoreShared2 : Op::StoreShared1
       : two  ? Op::StoreLocal2
              : Op::StoreLocal1,
       at, from, i, j, place.object);
}

}  // namespace tilewalk::lab
