#include <algorithm>
#include <iterator>

#include "base/nearest.h"
#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"
#include "lab/language/refused.h"

namespace tilewalk::lab {
namespace {

float absolute(float x) { return exact::float_of(exact::bits_of(x) & 0x7fffffffu); }
float root(float x) { return std::sqrt(x); }

struct FloatFunction {
  std::string_view name;
  Op op;
  float (*fold)(float);
};
constexpr FloatFunction kFloatFunctions[] = {{"exp2f", Op::Exp2, exact::exp2f_exact},
                                             {"expf", Op::Exp, exp_of},
                                             {"log2f", Op::Log2, exact::log2f_exact},
                                             {"logf", Op::Log, log_of},
                                             {"sqrtf", Op::Sqrt, root},
                                             {"fabsf", Op::AbsF, absolute}};

}  // namespace

bool Compiler::need_arguments(const Expr& e, std::size_t count, const char* form) {
  if (e.args.size() == count) return true;
  fail(e.place, std::string(e.name) + " has " + std::to_string(count) + (count == 1 ? " argument" : " arguments"),
       std::string("Write ") + form + ".");
  return false;
}

CompiledValue Compiler::call(const Expr& e, int target) {
  for (const Function& function : text_.functions)
    if (function.name == e.name) return call_function(e, function);
  if (auto is = call_built_in(e, target)) return *is;
  if (auto is = call_of_machine(e, target)) return *is;
  if (const char* instead = instead_of_function(e.name)) {
    fail(e.place, std::string(e.name) + " is not part of this language", instead);
    return {};
  }
  std::vector<std::string> names{"__syncthreads", "__syncwarp", "__shfl_sync", "__shfl_xor_sync", "__shfl_down_sync",
                                 "atomicAdd",     "printf",     "fmaf",        "fmaxf",           "fminf",
                                 "min",           "max",        "visit_done",  "row_done"};
  for (const FloatFunction& each : kFloatFunctions) names.emplace_back(each.name);
  for (const Function& each : text_.functions) names.emplace_back(each.name);
  const std::string other = alike_word(e.name, names);
  fail(e.place, "there is no function " + std::string(e.name),
       other.empty() ? "Write it above the kernel, with __device__ before it." : "Did you mean " + other + "?");
  return {};
}

std::optional<CompiledValue> Compiler::call_built_in(const Expr& e, int target) {
  const auto result = [&](const ValueType& type, Op op, int a, int b, int c = 0) {
    const int out = or_new(target);
    emit(op, e.place, out, a, b, c);
    return CompiledValue{.kind = CompiledValue::Register, .type = type, .reg = out};
  };
  const auto constant = [](float x) {
    return CompiledValue{.kind = CompiledValue::Constant, .type = kFloatType, .bits = bits_in(x)};
  };
  const auto as_float = [&](std::size_t at) { return convert(value(e.args[at]), kFloatType, e.place, false); };
  for (const FloatFunction& each : kFloatFunctions) {
    if (each.name != e.name) continue;
    if (!need_arguments(e, 1, (std::string(e.name) + "(x)").c_str())) return CompiledValue{};
    const CompiledValue x = as_float(0);
    if (x.kind == CompiledValue::Constant) return constant(each.fold(float_in(x.bits)));
    return result(kFloatType, each.op, reg_of(x, e.place), 0);
  }
  if (e.name == "fmaf") {
    if (!need_arguments(e, 3, "fmaf(a, b, c) for a * b + c")) return CompiledValue{};
    const CompiledValue a = as_float(0), b = as_float(1), c = as_float(2);
    if (a.kind == CompiledValue::Constant && b.kind == a.kind && c.kind == a.kind)
      return constant(exact::fma32(float_in(a.bits), float_in(b.bits), float_in(c.bits)));
    return result(kFloatType, Op::Fma, reg_of(a, e.place), reg_of(b, e.place), reg_of(c, e.place));
  }
  const bool is_max = e.name == "fmaxf" || e.name == "max", of_any = e.name == "max" || e.name == "min";
  if (!is_max && e.name != "fminf" && !of_any) return std::nullopt;
  if (!need_arguments(e, 2, (std::string(e.name) + "(a, b)").c_str())) return CompiledValue{};
  CompiledValue a = value(e.args[0]), b = value(e.args[1]);
  const ValueType type = of_any ? common_type(a.type, b.type) : kFloatType;
  a = convert(a, type, e.place, false);
  b = convert(b, type, e.place, false);
  if (a.kind == CompiledValue::Nothing || b.kind == CompiledValue::Nothing) return CompiledValue{};
  if (a.kind == CompiledValue::Constant && b.kind == CompiledValue::Constant) {
    if (type.is_float()) return constant((is_max ? max_of : min_of)(float_in(a.bits), float_in(b.bits)));
    const bool first = (std::int64_t(a.bits) < std::int64_t(b.bits)) != is_max;
    return first ? a : b;
  }
  const Op op = type.is_float() ? (is_max ? Op::MaxF : Op::MinF) : (is_max ? Op::Max : Op::Min);
  const int out = or_new(target);
  emit(op, e.place, out, reg_of(a, e.place), reg_of(b, e.place));
  return CompiledValue{.kind = CompiledValue::Register, .type = type, .reg = out};
}

std::optional<CompiledValue> Compiler::call_of_machine(const Expr& e, int target) {
  if (e.name == "__syncthreads") {
    if (need_arguments(e, 0, "__syncthreads()")) emit(Op::Barrier, e.place);
    return CompiledValue{};
  }
  if (e.name == "__syncwarp") {
    if (e.args.size() > 1) fail(e.place, "__syncwarp has one argument at most", "Write __syncwarp().");
    const int mask = e.args.empty() ? constant_register(0xffffffffu)
                                    : reg_of(convert(value(e.args[0]), kUnsignedType, e.place, false), e.place);
    emit(Op::WarpBarrier, e.place, mask);
    return CompiledValue{};
  }
  if (e.name == "__shfl_sync") return call_shuffle(e, kShuffleLane);
  if (e.name == "__shfl_xor_sync") return call_shuffle(e, kShuffleXor);
  if (e.name == "__shfl_down_sync") return call_shuffle(e, kShuffleDown);
  if (e.name == "printf") return call_print(e);
  if (e.name == "visit_done" || e.name == "row_done") return call_mark(e);
  if (e.name != "atomicAdd") return std::nullopt;
  if (!need_arguments(e, 2, "atomicAdd(&a[i], x)")) return CompiledValue{};
  const CompiledValue pointer = decayed(value(e.args[0]), e.place);
  if (!pointer.type.pointer || pointer.type.is_const) {
    fail(e.place, "atomicAdd adds to an element that is not const", "Write atomicAdd(&a[i], x).");
    return CompiledValue{};
  }
  const ValueType type{pointer.type.base};
  const CompiledValue by = convert(value(e.args[1]), type, e.place, false);
  const int out = or_new(target);
  emit(Op::AtomicAdd, e.place, out, reg_of(pointer, e.place), reg_of(by, e.place), type.is_float());
  return CompiledValue{.kind = CompiledValue::Register, .type = type, .reg = out};
}

CompiledValue Compiler::call_shuffle(const Expr& e, int kind) {
  if (e.args.size() == 4) {
    const CompiledValue width = value(e.args[3]);
    if (width.kind != CompiledValue::Constant || !width.type.is_whole() || width.bits != 32) {
      fail(e.place, "a shuffle's width is always 32 here",
           kind == kShuffleXor    ? "Leave the fourth argument out: lanes below 16 stay within 16 lanes, and so on."
           : kind == kShuffleLane ? "Leave it out, and write the lane as (threadIdx.x & ~15) + lane for 16 lanes."
                                  : "Leave it out, and use the result only in lanes whose source is in their group.");
      return {};
    }
  } else if (!need_arguments(e, 3, (std::string(e.name) + "(0xffffffffu, value, lane)").c_str())) {
    return {};
  }
  const CompiledValue mask = convert(value(e.args[0]), kUnsignedType, e.place, false);
  const CompiledValue is = value(e.args[1]);
  if (is.kind == CompiledValue::Nothing || !is.type.is_number() || is.type.base == BaseType::Long) {
    fail(e.place, "a shuffle passes a float, an int or an unsigned");
    return {};
  }
  const CompiledValue lane = convert(value(e.args[2]), kIntType, e.place, false);
  const int out = new_register();
  emit(Op::Shuffle, e.place, out, reg_of(is, e.place), reg_of(lane, e.place), reg_of(mask, e.place) * 4 + kind);
  return {.kind = CompiledValue::Register, .type = is.type, .reg = out};
}

CompiledValue Compiler::call_mark(const Expr& e) {
  const bool visit = e.name == "visit_done";
  const char* form = visit ? "visit_done(q_tile, kv_tile, m, l, o), with nullptr for what the kernel does not keep"
                           : "row_done(row, kv_tile, m, l, o), with nullptr for what the kernel does not keep";
  if (!need_arguments(e, 5, form)) return {};
  const int first = new_register(5);
  bool has[5] = {};
  for (int at = 0; at < 5; ++at) {
    const int mark = next_register_;
    CompiledValue is = decayed(value(e.args[std::size_t(at)]), e.place);
    const bool pointer = at == 4 || (visit && at > 1);
    has[at] = is.kind != CompiledValue::Null;
    if (pointer && (!is.type.pointer || is.type.base != BaseType::Float))
      fail(e.place,
           std::string(at == 2   ? "m"
                       : at == 3 ? "l"
                                 : "o") +
               " is a float* here",
           std::string("Write ") + form + ".");
    if (!pointer && has[at]) is = convert(is, at < 2 ? kIntType : kFloatType, e.place, false);
    move_to(first + at, is, e.place);
    next_register_ = mark;
  }
  emit(visit ? Op::VisitDone : Op::RowDone, e.place, first, has[2], has[3]);
  return {};
}

CompiledValue Compiler::call_print(const Expr& e) {
  if (e.args.empty() || expr(e.args[0]).kind != ExprKind::String) {
    fail(e.place, "printf needs its text in quotes first", "Write printf(\"m = %f\\n\", m).");
    return {};
  }
  const std::string_view text = expr(e.args[0]).name;
  PrintFormat format;
  const auto refuse = [&](const std::string& what) {
    fail(expr(e.args[0]).place, what, "Formats are %d, %u, %lld, %x, %f, %e, %g and %%.");
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      const char c = text[++at];
      if (c != 'n' && c != 't' && c != '"' && c != '\\') refuse(std::string("there is no \\") + c);
      format.text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      continue;
    }
    format.text += text[at];
    if (text[at] != '%') continue;
    if (at + 1 < text.size() && text[at + 1] == '%') {
      format.text += text[++at];
      continue;
    }
    std::size_t digits = 0;
    for (++at; at < text.size() && std::string_view("0123456789.-+ #").find(text[at]) != std::string_view::npos; ++at) {
      format.text += text[at];
      digits += text[at] >= '0' && text[at] <= '9';
    }
    if (digits > 4) refuse("a width has four digits at most");
    const bool is_long = text.substr(std::min(at, text.size())).starts_with("ll");
    if (is_long) at += 2;
    const char letter = at < text.size() ? text[at] : ' ';
    const BaseType type = std::string_view("feg").find(letter) != std::string_view::npos ? BaseType::Float
                          : letter == 'd' || letter == 'i' ? is_long ? BaseType::Long : BaseType::Int
                          : letter == 'u' || letter == 'x' ? BaseType::Unsigned
                                                           : BaseType::Void;
    if (type == BaseType::Void) refuse(std::string("printf does not know %") + letter);
    format.text += letter;
    format.arguments.push_back({.base = type});
  }
  if (format.arguments.size() + 1 != e.args.size()) {
    refuse("this text asks for " + std::to_string(format.arguments.size()) + " values, and there are " +
           std::to_string(e.args.size() - 1));
    return {};
  }
  const int first = new_register(int(format.arguments.size()));
  for (std::size_t at = 0; at < format.arguments.size(); ++at) {
    const int mark = next_register_;
    const ValueType type{format.arguments[at].base};
    const CompiledValue is = value(e.args[at + 1]);
    if (is.kind != CompiledValue::Nothing && is.type.is_float() != type.is_float())
      refuse("value " + std::to_string(at + 1) + " of printf is " + text_of(is.type));
    move_to(first + int(at), convert(is, type, e.place, false), e.place);
    next_register_ = mark;
  }
  emit(Op::Print, e.place, first, 0, 0, int(kernel_->formats.size()));
  if (kernel_ != &scratch_kernel_) kernel_->formats.push_back(std::move(format));
  return {};
}

CompiledValue Compiler::call_function(const Expr& e, const Function& function) {
  if (function.is_kernel) {
    fail(e.place, "a kernel is not called", "Write a launch line above it, or make it a __device__ function.");
    return {};
  }
  for (const CalledFunction& each : calls_)
    if (each.function == &function) {
      fail(e.place, std::string(function.name) + " calls itself, and recursion is not part of this language",
           "Write a loop.");
      return {};
    }
  if (&function >= calls_.back().function) {
    fail(e.place, std::string(function.name) + " is declared below its call", "Move it above.");
    return {};
  }
  if (function.parameters.size() != e.args.size()) {
    fail(e.place, std::string(function.name) + " has " + std::to_string(function.parameters.size()) +
                      " parameters, and " + std::to_string(e.args.size()) + " values are given");
    return {};
  }
  constexpr int kMostCopiedCalls = 20'000;  // empty functions make no instructions
  if (++copied_calls_ > kMostCopiedCalls) {
    fail(e.place, "the kernel is too long: more than 20,000 calls, all functions' calls counted");
    full_ = true;
    return {};
  }
  const ValueType type = type_of(function.result, function.place);
  const bool nothing = type.base == BaseType::Void && !type.pointer;
  const int result = nothing ? kNone : new_register(size_of(type));
  const Stmt& body = text_.stmt(function.body);
  const bool ends_with_return = !body.statements.empty() && text_.stmt(body.statements.back()).kind == StmtKind::Return;
  const int flag = nothing || ends_with_return ? kNone : new_register();
  if (flag != kNone) emit(Op::Move, e.place, flag, constant_register(0));
  std::vector<Symbol> parameters;
  for (std::size_t at = 0; at < e.args.size(); ++at) {
    const Declarator& each = function.parameters[at];
    const ValueType to = type_of(each.type, each.place);
    if (!each.dims.empty()) fail(each.place, "a parameter is no array", "Write float* instead.");
    const int reg = new_register(size_of(to));
    const int mark = next_register_;
    move_to(reg, convert(value(e.args[at]), to, e.place, false), e.place);
    next_register_ = mark;
    parameters.push_back({.name = each.name,
                          .type = to,
                          .place = each.place,
                          .is_const = each.type.is_const && !to.pointer,
                          .reg = reg});
  }
  if (statement_failed_ || full_) return {};
  calls_.push_back({&function, result, flag, symbols_.size(), {}, loops_.size(), ended_.size()});
  open_scope(ScopeKind::Function);
  for (Symbol& each : parameters) declare_symbol(each);
  statement(function.body);
  close_scope();
  aim(calls_.back().returns, here());
  ended_.resize(calls_.back().first_ended);
  calls_.pop_back();
  if (nothing) return {};
  next_register_ = std::max(next_register_, result + size_of(type));
  if (flag != kNone) {
    emit(Op::CheckSet, e.place, flag, 0, 0, int(kernel_->unset_names.size()));
    kernel_->unset_names.push_back("the result of " + std::string(function.name));
  }
  return {.kind = CompiledValue::Register, .type = type, .reg = result};
}

}  // namespace tilewalk::lab
