// The lines outside of kernels: launch, scratch and base lines, constants.
#include <algorithm>

#include "lab/language/arithmetic.h"
#include "lab/language/compiler.h"
#include "lab/language/parser.h"

namespace tilewalk::lab {

void Compiler::declare_constants() {
  for (const GivenConstant& given : setup_.constants) {
    Symbol symbol{.name = given.name, .type = {given.type}, .is_constant = true, .is_const = true};
    symbol.bits = given.type == BaseType::Float ? bits_in(given.value) : std::uint64_t(given.integer);
    symbols_.push_back(symbol);
  }
  symbols_.push_back(
      {.name = "INFINITY", .type = kFloatType, .is_constant = true, .is_const = true, .bits = 0x7f800000u});
  globals_ = symbols_.size();
  for (const Declarator& each : text_.constants) {
    statement_failed_ = false;
    if (find(each.name)) fail(each.place, std::string(each.name) + " already has a value", "Remove this line.");
    if (each.init == kNone || !each.dims.empty() || each.has_list) {
      fail(each.place, "a constant has one value", "Write constexpr int kName = 1;");
      continue;
    }
    const ValueType type = type_of(each.type, each.place);
    const CompiledValue is = convert(value(each.init), type, each.place, false);
    if (is.kind != CompiledValue::Constant) fail(each.place, "the value of a constant is made of constants");
    symbols_.push_back(
        {.name = each.name, .type = type, .place = each.place, .is_constant = true, .is_const = true, .bits = is.bits});
    globals_ = symbols_.size();
  }
  statement_failed_ = false;
}

std::optional<std::int64_t> Compiler::constant_whole(ExprId id, const char* what) {
  const SourcePlace place = expr(id).place;
  Kernel* const kernel = kernel_;
  kernel_ = &scratch_kernel_;
  const CompiledValue is = value(id);
  kernel_ = kernel;
  if (is.kind == CompiledValue::Constant && is.type.is_whole()) return std::int64_t(is.bits);
  statement_failed_ = statement_failed_ && is.kind != CompiledValue::Constant;
  fail(place, std::string(what) + " must be a constant whole number", "Use numbers and the task's constants.");
  return std::nullopt;
}

// Each is compiled with the expressions of its own line, so those of the text stay as they are.
void Compiler::read_directives(const LexedText& lexed) {
  std::vector<std::pair<SourcePlace, Launch>> launches;
  for (const Directive& each : lexed.directives) {
    statement_failed_ = false;
    if (each.name == "base") {
      const bool whole = each.tokens.size() == 2 && each.tokens[0].kind == TokenKind::Integer;
      const bool letter = each.tokens.size() == 2 && each.tokens[0].text == "e";
      program_.base_two = whole && each.tokens[0].integer == 2;
      if (!program_.base_two && !letter)
        fail(each.place, "the base is e or 2", "Write // base: 2 where m and l are in log2 units.");
    } else if (each.name == "scratch") {
      read_scratch(each);
    } else if (const auto launch = read_launch(each)) {
      launches.emplace_back(each.place, *launch);
    }
  }
  statement_failed_ = false;
  for (std::size_t at = 0; at < launches.size(); ++at) {
    const Function* started = nullptr;
    for (const Function& function : text_.functions)
      if (function.is_kernel && function.place.line > launches[at].first.line) {
        started = &function;
        break;
      }
    if (!started)
      fail(launches[at].first, "there is no kernel below this launch line", "Write it above the __global__ function.");
    else
      launches_.emplace_back(started, launches[at].second);
  }
  for (const Function& function : text_.functions) {
    const auto starts = [&](const auto& each) { return each.first == &function; };
    if (function.is_kernel && !launches.empty() && std::none_of(launches_.begin(), launches_.end(), starts))
      fail(function.place, "no launch line starts this kernel",
           "Write above it: // launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)");
  }
}

std::optional<Compiler::Launch> Compiler::read_launch(const Directive& directive) {
  ParsedText parsed;
  Parser parser(directive.tokens, parsed);
  const std::vector<ExprId> grid = parser.parse_list("grid");
  const std::vector<ExprId> block = parser.parse_list("block");
  if (!parser.failed() && !parser.at_end()) parser.fail(parser.at().place, "this does not belong to a launch line");
  if (parser.failed()) {
    fail(parser.error()->place, parser.error()->what, "Write // launch: grid(X, Y, Z) block(THREADS)");
    return std::nullopt;
  }
  CompiledText unused;
  Compiler folder(parsed, setup_, unused);
  folder.symbols_ = symbols_;
  folder.globals_ = globals_;
  Launch out{directive.place, {}, {}};
  std::int64_t blocks = 1, threads = 1;
  const auto read = [&](const std::vector<ExprId>& from, std::vector<std::int64_t>& to, std::int64_t& product,
                        std::int64_t most, const char* what) {
    if (from.empty() || from.size() > 3) fail(directive.place, std::string(what) + " has one to three numbers");
    for (const ExprId id : from) {
      const auto number = folder.constant_whole(id, what);
      if (!number) return fail(parsed.expr(id).place, unused.errors.at(0).what, unused.errors.at(0).instead);
      if (*number < 1 || *number > most || product * *number > most)
        return fail(parsed.expr(id).place,
                    std::string(what) + " must be from 1 to " + std::to_string(most) + " in all");
      product *= *number;
      to.push_back(*number);
    }
  };
  read(grid, out.grid, blocks, kMostBlocks, "the grid");
  read(block, out.block, threads, kMostThreads, "the block");
  if (statement_failed_) return std::nullopt;
  return out;
}

void Compiler::read_scratch(const Directive& directive) {
  ParsedText parsed;
  Parser parser(directive.tokens, parsed);
  const TypeName type = parser.parse_type();
  MemoryObject object{.space = MemorySpace::Global, .size = 1, .is_scratch = true, .place = directive.place};
  object.element = type.base;
  const std::string_view name = parser.need_name("a name");
  object.name = name;
  std::vector<ExprId> dims;
  while (!parser.failed() && parser.take_sign("[") && dims.size() < 8) {
    dims.push_back(parser.parse_assignment());
    parser.need_sign("]", "the size");
  }
  parser.take_sign(";");
  if (!parser.failed() && !parser.at_end()) parser.fail(parser.at().place, "this does not belong to a scratch line");
  const bool fits = type.base == BaseType::Float || type.base == BaseType::Int || type.base == BaseType::Unsigned;
  if (parser.failed() || dims.empty() || type.pointer || !fits)
    return fail(directive.place,
                parser.failed() ? parser.error()->what : "a scratch tensor is an array of float or int",
                "Write // scratch: float Part[BATCH][HEADS][N_Q][D]");
  CompiledText unused;
  Compiler folder(parsed, setup_, unused);
  folder.symbols_ = symbols_;
  folder.globals_ = globals_;
  for (const ExprId id : dims) {
    const auto number = folder.constant_whole(id, "a size");
    if (!number) return fail(directive.place, unused.errors.at(0).what, unused.errors.at(0).instead);
    if (*number < 1 || *number > kMostElements || object.size * *number > kMostElements)
      return fail(directive.place, "a scratch tensor has from 1 to 16,777,216 elements");
    object.size *= *number;
    object.dims.push_back(*number);
  }
  if (find(object.name)) return fail(directive.place, object.name + " already has another meaning");
  if (program_.tensors.size() >= 32) return fail(directive.place, "there are more than 32 tensors");
  program_.tensors.push_back(object);
  symbols_.push_back(
      {.name = name, .type = {type.base}, .place = directive.place, .object = int(program_.tensors.size()) - 1});
  globals_ = symbols_.size();
}

}  // namespace tilewalk::lab
