#include "lab/language/compile.h"

#include <algorithm>

#include "base/contains.h"
#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"
#include "lab/language/parser.h"

namespace tilewalk::lab {

CompiledText compile(std::string_view text, const CompileSetup& setup) {
  CompiledText out;
  LexedText lexed;
  std::vector<NamedConstant> constants;
  for (const GivenConstant& each : setup.constants)
    constants.push_back({each.name, each.integer, each.type != BaseType::Float});
  if (const auto error = split_into_tokens(text, constants, lexed)) {
    out.errors.push_back(*error);
    return out;
  }
  ParsedText parsed;
  if (const auto error = Parser(lexed.tokens, parsed).parse_program()) {
    out.errors.push_back(*error);
    return out;
  }
  out.program.tags = lexed.tags;
  out.program.lines = lexed.lines;
  out.program.tensors = setup.tensors;
  Compiler(parsed, setup, out).compile_all(lexed);
  return out;
}

Compiler::Compiler(const ParsedText& text, const CompileSetup& setup, CompiledText& out)
    : text_(text), setup_(setup), out_(out), program_(out.program) {
  kernel_ = &scratch_kernel_;
}

void Compiler::compile_all(const LexedText& lexed) {
  declare_constants();
  read_directives(lexed);
  for (const Function& function : text_.functions) {
    if (find(function.name)) fail(function.place, std::string(function.name) + " already has another meaning");
    if (function.is_kernel && (function.result.base != BaseType::Void || function.result.pointer))
      fail(function.place, "a kernel returns nothing", "Write __global__ void " + std::string(function.name) + "(…).");
  }
  if (out_.errors.empty() && launches_.empty())
    fail({1, 1}, "no kernel is started",
         "Write a line above the kernel: // launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)");
  for (const auto& [function, launch] : launches_)
    if (out_.errors.empty()) compile_kernel(*function, launch);
}

void Compiler::compile_kernel(const Function& function, const Launch& launch) {
  program_.kernels.emplace_back();
  kernel_ = &program_.kernels.back();
  kernel_->name = function.name;
  std::copy(launch.grid.begin(), launch.grid.end(), kernel_->grid.begin());
  std::copy(launch.block.begin(), launch.block.end(), kernel_->block.begin());
  kernel_->objects = program_.tensors;
  constants_.clear();
  next_register_ = most_registers_ = kFirstFreeRegister;
  const std::size_t before = symbols_.size();
  globals_ = before;
  ended_.clear();
  open_scope(ScopeKind::Function);
  declare_parameters(function);
  calls_.push_back({.function = &function, .first_symbol = before});
  statement(function.body);
  aim(calls_.back().returns, here());
  calls_.pop_back();
  emit(Op::Return, function.place);
  close_scope();

  // Registers of constants were numbered from kConstantRegisters on: they come behind the others.
  const auto placed = [&](auto reg) {
    return reg >= kConstantRegisters ? decltype(reg)(reg - kConstantRegisters + most_registers_) : reg;
  };
  for (Instruction& each : kernel_->code) {
    each.a = placed(each.a), each.b = placed(each.b), each.c = placed(each.c);
    if (each.op == Op::Fma) each.imm = placed(each.imm);
    if (each.op == Op::Shuffle) each.imm = placed(each.imm / 4) * 4 + each.imm % 4;
  }
  const std::size_t registers = std::size_t(most_registers_) + constants_.size();
  if (registers > std::size_t(kMostRegisters))
    fail(function.place, "this kernel needs more than 4000 registers a thread", "Use arrays, or smaller functions.");
  kernel_->registers.assign(registers, 0);
  for (const auto& [bits, reg] : constants_) {
    const int at = reg - kConstantRegisters + most_registers_;
    kernel_->registers[std::size_t(at)] = bits;
  }

  std::int64_t bytes = kernel_->shared_words * 4;
  if (bytes > kMostSharedBytes) {
    std::string sum;
    SourcePlace place = function.place;
    for (const MemoryObject& object : kernel_->objects)
      if (object.space == MemorySpace::Shared) {
        sum += (sum.empty() ? "" : " + ") + object.name + " " + std::to_string(object.size * 4);
        place = object.place;
      }
    fail(place,
         "the shared arrays need " + std::to_string(bytes) + " bytes, and a thread block has " +
             std::to_string(kMostSharedBytes),
         "In bytes: " + sum + ". Use smaller tiles, or use an array twice.");
  }
  if (kernel_->local_words * kernel_->threads() > kMostElements)
    fail(function.place, "the local arrays of all threads need more than 64 MiB", "Use smaller arrays.");
}

void Compiler::declare_parameters(const Function& function) {
  for (const Declarator& each : function.parameters) {
    const auto tensor = std::find_if(program_.tensors.begin(), program_.tensors.end(),
                                     [&](const MemoryObject& one) { return one.name == each.name && !one.is_scratch; });
    if (tensor == program_.tensors.end()) {
      std::string names;
      for (const MemoryObject& one : program_.tensors)
        if (!one.is_scratch) names += (names.empty() ? "" : ", ") + one.name;
      fail(each.place, "there is no tensor " + std::string(each.name),
           "A kernel's parameters are named: " + names + ".");
      statement_failed_ = false;
      if (!out_.errors.empty()) out_.errors.back().unknown_tensor = each.name;
      declare_symbol(
          {.name = each.name, .type = type_of(each.type, each.place), .place = each.place, .reg = new_register()});
      continue;
    }
    const ValueType type = type_of(each.type, each.place);
    if (!type.pointer || type.base != BaseType::Float || !each.dims.empty())
      fail(each.place, "a kernel's parameter is a float*",
           std::string("Write ") + (tensor->is_const ? "const float* " : "float* ") + tensor->name + ".");
    if (tensor->is_const && !type.is_const)
      fail(each.place, tensor->name + " is an input, and const", "Write const float* " + tensor->name + ".");
    kernel_->parameters.push_back(int(tensor - program_.tensors.begin()));
    const int reg = new_register();
    emit(Op::Move, each.place, reg, constant_register(Pointer::to(int(tensor - program_.tensors.begin()), 0)));
    declare_symbol({.name = each.name, .type = type, .place = each.place, .reg = reg});
  }
}

void Compiler::fail(const SourcePlace& place, std::string what, std::string instead) {
  if (statement_failed_ || out_.errors.size() >= 10) return;
  statement_failed_ = true;
  const SourceError error{place, std::move(what), std::move(instead)};
  if (!contains(out_.errors, error)) out_.errors.push_back(error);
}

int Compiler::emit(Op op, const SourcePlace& place, int a, int b, int c, int imm) {
  if (kernel_ == &scratch_kernel_) {
    fail(place, "this value is not a constant", "Use numbers and the task's constants.");
    return 0;
  }
  if (here() >= kMostInstructions) {
    if (!full_) {
      statement_failed_ = false;
      fail(place, "the kernel is too long: more than 60,000 instructions",
           "Functions are copied to each of their calls.");
    }
    full_ = true;
    return 0;
  }
  kernel_->code.push_back({op, std::uint16_t(a), std::uint16_t(b), std::uint16_t(c), imm});
  kernel_->places.push_back(place);
  return here() - 1;
}

void Compiler::aim(const std::vector<int>& jumps, int to) {
  for (const int jump : jumps)
    if (std::size_t(jump) < kernel_->code.size()) kernel_->code[std::size_t(jump)].imm = to;
}

int Compiler::new_register(int count) {
  const int out = next_register_;
  if (next_register_ + count > kMostRegisters) {
    if (kernel_ != &scratch_kernel_) fail({}, "a kernel needs more than 4000 registers a thread", "Use arrays.");
    return out;
  }
  next_register_ += count;
  most_registers_ = std::max(most_registers_, next_register_);
  return out;
}

int Compiler::constant_register(std::uint64_t bits) {
  for (const auto& [value, reg] : constants_)
    if (value == bits) return reg;
  if (constants_.size() >= std::size_t(kMostRegisters)) {
    fail({}, "a kernel has more than 4000 different constants", "");
    return kConstantRegisters;
  }
  constants_.emplace_back(bits, kConstantRegisters + int(constants_.size()));
  return constants_.back().second;
}

Compiler::Symbol* Compiler::find(std::string_view name) {
  const std::size_t first = calls_.empty() ? globals_ : calls_.back().first_symbol;
  for (std::size_t at = symbols_.size(); at-- > first;)
    if (symbols_[at].name == name) return &symbols_[at];
  for (std::size_t at = std::min(globals_, symbols_.size()); at-- > 0;)
    if (symbols_[at].name == name) return &symbols_[at];
  return nullptr;
}

void Compiler::declare_symbol(Symbol symbol) {
  const std::size_t first = scopes_.empty() ? 0 : scopes_.back().first;
  for (std::size_t at = first; at < symbols_.size(); ++at)
    if (symbols_[at].name == symbol.name)
      fail(
          symbol.place, std::string(symbol.name) + " is declared twice here",
          symbols_[at].place.line > 0 ? "It is declared in line " + std::to_string(symbols_[at].place.line) + "." : "");
  if (!calls_.empty() || kernel_ != &scratch_kernel_)
    for (const GivenConstant& given : setup_.constants)
      if (given.name == symbol.name)
        fail(symbol.place, std::string(symbol.name) + " is a constant that the task gives", "Choose another name.");
  symbol.begin = here();
  symbols_.push_back(symbol);
}

}  // namespace tilewalk::lab
