#include <algorithm>
#include <iterator>

#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"

namespace tilewalk::lab {
namespace {

struct OperatorRow {
  std::string_view sign;
  Op int_op, unsigned_op, long_op;
  Op float_op;  // Move: there is none
};
constexpr OperatorRow kOperators[] = {
    {"+", Op::AddI, Op::AddU, Op::AddL, Op::AddF},  {"-", Op::SubI, Op::SubU, Op::SubL, Op::SubF},
    {"*", Op::MulI, Op::MulU, Op::MulL, Op::MulF},  {"/", Op::DivI, Op::DivL, Op::DivL, Op::DivF},
    {"%", Op::RemI, Op::RemL, Op::RemL, Op::Move},  {"&", Op::And, Op::And, Op::And, Op::Move},
    {"|", Op::Or, Op::Or, Op::Or, Op::Move},        {"^", Op::Xor, Op::Xor, Op::Xor, Op::Move},
    {"<<", Op::ShlI, Op::ShlU, Op::ShlL, Op::Move}, {">>", Op::ShrI, Op::ShrI, Op::ShrL, Op::Move}};

struct ComparisonRow {
  std::string_view sign;
  Op op, float_op;
  bool swapped;
  Op jump, jump_not, float_jump, float_jump_not;
};
constexpr ComparisonRow kComparisons[] = {
    {"<", Op::Less, Op::LessF, false, Op::JumpLess, Op::JumpNotLess, Op::JumpLessF, Op::JumpNotLessF},
    {">", Op::Less, Op::LessF, true, Op::JumpLess, Op::JumpNotLess, Op::JumpLessF, Op::JumpNotLessF},
    {"<=", Op::LessEqual, Op::LessEqualF, false, Op::JumpLessEqual, Op::JumpNotLessEqual, Op::JumpLessEqualF,
     Op::JumpNotLessEqualF},
    {">=", Op::LessEqual, Op::LessEqualF, true, Op::JumpLessEqual, Op::JumpNotLessEqual, Op::JumpLessEqualF,
     Op::JumpNotLessEqualF},
    {"==", Op::Equal, Op::EqualF, false, Op::JumpEqual, Op::JumpNotEqual, Op::JumpEqualF, Op::JumpNotEqualF},
    {"!=", Op::NotEqual, Op::NotEqualF, false, Op::JumpNotEqual, Op::JumpEqual, Op::JumpNotEqualF, Op::JumpEqualF}};

const OperatorRow* operator_of(std::string_view sign) {
  const auto at =
      std::find_if(std::begin(kOperators), std::end(kOperators), [&](auto& row) { return row.sign == sign; });
  return at == std::end(kOperators) ? nullptr : &*at;
}
const ComparisonRow* comparison_of(std::string_view sign) {
  const auto at =
      std::find_if(std::begin(kComparisons), std::end(kComparisons), [&](auto& row) { return row.sign == sign; });
  return at == std::end(kComparisons) ? nullptr : &*at;
}

std::int64_t folded_whole(char sign, std::int64_t a, std::int64_t b, bool is_long) {
  switch (sign) {
    case '+': return wrapped_sum(a, b);
    case '-': return wrapped_difference(a, b);
    case '*': return wrapped_product(a, b);
    case '/': return quotient(a, b);
    case '%': return remainder_of(a, b);
    case '&': return a & b;
    case '|': return a | b;
    case '^': return a ^ b;
    case '<': return shifted_left(a, b & (is_long ? 63 : 31));
    default: return a >> (b & (is_long ? 63 : 31));
  }
}

float folded_float(char sign, float a, float b) {
  return sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
}

template <class T>
bool folded_comparison(std::string_view sign, T a, T b) {
  if (sign == "<") return a < b;
  if (sign == ">") return a > b;
  if (sign == "<=") return a <= b;
  if (sign == ">=") return a >= b;
  return sign == "==" ? a == b : a != b;
}

}  // namespace

CompiledValue Compiler::binary(const Expr& e, int target) {
  if (e.name == ",") {
    value(e.args[0]);
    return value(e.args[1], target);
  }
  if (e.name == "&&" || e.name == "||") {
    const bool is_and = e.name == "&&";
    const CompiledValue left = to_bool(value(e.args[0]), e.place);
    if (left.kind == CompiledValue::Constant)
      return (left.bits != 0) == is_and ? to_bool(value(e.args[1]), e.place) : left;
    const int out = new_register();
    std::vector<int> ends;
    jump_on(left, !is_and, e.place, ends);
    const CompiledValue right = to_bool(value(e.args[1]), e.place);
    move_to(out, right, e.place);
    const std::vector<int> end{emit(Op::Jump, e.place)};
    aim(ends, here());
    emit(Op::Move, e.place, out, constant_register(is_and ? 0 : 1));
    aim(end, here());
    return {.kind = CompiledValue::Register, .type = kBoolType, .reg = out};
  }
  const CompiledValue left = value(e.args[0]);
  const CompiledValue right = value(e.args[1]);
  return operate(e.name, left, right, e.place, target);
}

CompiledValue Compiler::pointer_operation(std::string_view sign, CompiledValue left, CompiledValue right,
                                          const SourcePlace& place, int target) {
  const bool both = left.type.pointer && right.type.pointer;
  if (sign == "+" && right.type.pointer && left.type.is_whole()) std::swap(left, right);
  if ((sign == "+" || sign == "-") && left.type.pointer && right.type.is_whole() && left.kind != CompiledValue::Null) {
    if (sign == "-") {
      const CompiledValue zero{.kind = CompiledValue::Constant, .type = kLongType};
      right = operate("-", zero, convert(right, kLongType, place, false), place, kNone);
    }
    const int out = or_new(target);
    emit(Op::MovePointer, place, out, reg_of(left, place), reg_of(right, place));
    return {.kind = CompiledValue::Register, .type = left.type, .reg = out};
  }
  const bool compared = sign == "==" || sign == "!=";
  if (both && (compared || sign == "-")) {
    const int out = or_new(target);
    if (sign == "-")
      emit(Op::PointerDifference, place, out, reg_of(left, place), reg_of(right, place));
    else
      emit(sign == "==" ? Op::Equal : Op::NotEqual, place, out, reg_of(left, place), reg_of(right, place));
    return {.kind = CompiledValue::Register, .type = sign == "-" ? kLongType : kBoolType, .reg = out};
  }
  fail(place, "there is no " + text_of(left.type) + " " + std::string(sign) + " " + text_of(right.type),
       "Pointers can be moved by +, - and compared by ==.");
  return {};
}

CompiledValue Compiler::operate(std::string_view sign, CompiledValue left, CompiledValue right,
                                const SourcePlace& place, int target) {
  if (left.kind == CompiledValue::Nothing || right.kind == CompiledValue::Nothing) {
    if (!statement_failed_) fail(place, "a side of this has no value");
    return {};
  }
  left = decayed(left, place);
  right = decayed(right, place);
  if (left.type.pointer || right.type.pointer) return pointer_operation(sign, left, right, place, target);
  if (!left.type.is_number() || !right.type.is_number()) {
    fail(place, "there is no " + text_of(left.type) + " " + std::string(sign) + " " + text_of(right.type));
    return {};
  }
  const bool shift = sign == "<<" || sign == ">>";
  const ValueType type = shift ? common_type(kIntType, left.type) : common_type(left.type, right.type);
  const bool constant = left.kind == CompiledValue::Constant && right.kind == CompiledValue::Constant;
  left = convert(left, type, place, false);
  if (!shift) right = convert(right, type, place, false);
  if (const ComparisonRow* row = comparison_of(sign)) {
    if (constant) {
      const bool is = type.is_float() ? folded_comparison(sign, float_in(left.bits), float_in(right.bits))
                                      : folded_comparison(sign, std::int64_t(left.bits), std::int64_t(right.bits));
      return {.kind = CompiledValue::Constant, .type = kBoolType, .bits = std::uint64_t(is)};
    }
    if (row->swapped) std::swap(left, right);
    const int l = reg_of(left, place), r = reg_of(right, place), out = or_new(target);
    emit(type.is_float() ? row->float_op : row->op, place, out, l, r);
    return {.kind = CompiledValue::Register, .type = kBoolType, .reg = out};
  }
  const OperatorRow* row = operator_of(sign);
  if (!row || (type.is_float() && row->float_op == Op::Move) || (shift && !right.type.is_whole())) {
    fail(place, "there is no " + text_of(left.type) + " " + std::string(sign) + " " + text_of(right.type),
         sign == "%" ? "For whole numbers alone: write int(…)." : "");
    return {};
  }
  const bool divides = sign == "/" || sign == "%";
  if (divides && !type.is_float() && right.kind == CompiledValue::Constant && right.bits == 0) {
    fail(place, "this divides a whole number by zero");
    return {};
  }
  if (constant && type.is_float())
    return {.kind = CompiledValue::Constant,
            .type = type,
            .bits = bits_in(folded_float(sign[0], float_in(left.bits), float_in(right.bits)))};
  if (constant) {
    const std::int64_t is =
        folded_whole(sign[0], std::int64_t(left.bits), std::int64_t(right.bits), type.base == BaseType::Long);
    const std::uint64_t bits = type.base == BaseType::Long       ? std::uint64_t(is)
                               : type.base == BaseType::Unsigned ? unsigned_bits(is)
                                                                 : int_bits(is);
    return {.kind = CompiledValue::Constant, .type = type, .bits = bits};
  }
  const Op op = type.is_float()                   ? row->float_op
                : type.base == BaseType::Long     ? row->long_op
                : type.base == BaseType::Unsigned ? row->unsigned_op
                                                  : row->int_op;
  const int l = reg_of(left, place), r = reg_of(right, place), out = or_new(target);
  emit(op, place, out, l, r);
  return {.kind = CompiledValue::Register, .type = type, .reg = out};
}

void Compiler::jump_on(const CompiledValue& is, bool when, const SourcePlace& place, std::vector<int>& jumps) {
  const CompiledValue condition = to_bool(is, place);
  if (condition.kind == CompiledValue::Nothing) {
    if (!statement_failed_) fail(place, "this condition has no value");
    return;
  }
  if (condition.kind == CompiledValue::Constant) {
    if ((condition.bits != 0) == when) jumps.push_back(emit(Op::Jump, place));
    return;
  }
  jumps.push_back(emit(when ? Op::JumpTrue : Op::JumpFalse, place, condition.reg));
}

void Compiler::jump_if(ExprId id, bool when, std::vector<int>& jumps) {
  const Expr& e = expr(id);
  if (e.kind == ExprKind::Prefix && e.name == "!") return jump_if(e.args[0], !when, jumps);
  if (e.kind == ExprKind::Binary && (e.name == "&&" || e.name == "||")) {
    if ((e.name == "||") == when) {  // either side may jump
      jump_if(e.args[0], when, jumps);
      jump_if(e.args[1], when, jumps);
    } else {
      std::vector<int> past;
      jump_if(e.args[0], !when, past);
      jump_if(e.args[1], when, jumps);
      aim(past, here());
    }
    return;
  }
  const ComparisonRow* row = e.kind == ExprKind::Binary ? comparison_of(e.name) : nullptr;
  if (!row) return jump_on(value(id), when, e.place, jumps);
  CompiledValue left = value(e.args[0]);
  CompiledValue right = value(e.args[1]);
  const bool constant = left.kind == CompiledValue::Constant && right.kind == CompiledValue::Constant;
  if (constant || !left.type.is_number() || !right.type.is_number() || left.kind == CompiledValue::Array ||
      right.kind == CompiledValue::Array || left.kind == CompiledValue::Nothing || right.kind == CompiledValue::Nothing)
    return jump_on(operate(e.name, left, right, e.place, kNone), when, e.place, jumps);
  const ValueType type = common_type(left.type, right.type);
  left = convert(left, type, e.place, false);
  right = convert(right, type, e.place, false);
  if (row->swapped) std::swap(left, right);
  const Op op = type.is_float() ? (when ? row->float_jump : row->float_jump_not) : (when ? row->jump : row->jump_not);
  jumps.push_back(emit(op, e.place, reg_of(left, e.place), reg_of(right, e.place)));
}

int Compiler::reg_of(const CompiledValue& is, const SourcePlace& place) {
  switch (is.kind) {
    case CompiledValue::Constant: return constant_register(is.bits);
    case CompiledValue::Register: return is.reg;
    case CompiledValue::Array: return decayed(is, place).reg;
    case CompiledValue::Null: return constant_register(0);
    case CompiledValue::Nothing: break;
  }
  if (!statement_failed_) fail(place, "this has no value");
  return 0;
}

void Compiler::move_to(int target, const CompiledValue& is, const SourcePlace& place) {
  if (is.kind == CompiledValue::Register && is.type.structure != kNone) {
    for (int at = 0; at < size_of(is.type); ++at)
      if (is.reg != target) emit(Op::Move, place, target + at, is.reg + at);
    return;
  }
  const int from = reg_of(is, place);
  if (from != target) emit(Op::Move, place, target, from);
}

}  // namespace tilewalk::lab
