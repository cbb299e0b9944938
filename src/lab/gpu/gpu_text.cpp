#include "lab/gpu/gpu_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tilewalk::lab {
namespace {

std::string exact_float(float x) {
  if (x != x || x - x != 0) return x > 0 ? "INFINITY" : x < 0 ? "-INFINITY" : "(INFINITY - INFINITY)";
  std::array<char, 48> digits{};
  const int length = std::snprintf(digits.data(), digits.size(), "%af", double(x));
  return std::string(digits.data(), std::size_t(length));
}

std::string constant_line(const GivenConstant& each) {
  const std::string head = "constexpr ", tail = " " + each.name + " = ";
  if (each.type == BaseType::Float) return head + "float" + tail + exact_float(each.value) + ";\n";
  if (each.type == BaseType::Bool) return head + "bool" + tail + (each.integer ? "true" : "false") + ";\n";
  return head + "int" + tail + std::to_string(each.integer) + ";\n";
}

// #if asks the preprocessor, which knows no constexpr.
std::string define_line(const GivenConstant& each) {
  return each.type == BaseType::Float ? "" : "#define " + each.name + " " + std::to_string(each.integer) + "\n";
}

bool has_condition(std::string_view text) {
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    const std::size_t word = std::min(text.find_first_not_of(" \t", at + 1), text.size());
    if (text.substr(word).starts_with("if")) return true;
  }
  return false;
}

std::string scratch_line(const MemoryObject& each) {
  std::string out = each.element == BaseType::Int        ? "int "
                    : each.element == BaseType::Unsigned ? "unsigned "
                                                         : "float ";
  out += each.name;
  for (const std::int64_t dim : each.dims) out += "[" + std::to_string(dim) + "]";
  return "__device__ " + out + ";\n";
}

std::string wrapper(const Kernel& kernel, std::size_t at) {
  std::string parameters, arguments;
  for (std::size_t each = 0; each < kernel.parameters.size(); ++each) {
    const std::string name = "tilewalk_tensor_" + std::to_string(each), comma = each ? ", " : "";
    parameters += comma + "float* " + name;
    arguments += comma + name;
  }
  return "extern \"C\" __attribute__((global)) void __launch_bounds__(" + std::to_string(kernel.threads()) + ") " +
         gpu_launch_name(at) + "(" + parameters + ") {\n  ::" + kernel.name + "(" + arguments +
         ");\n  tilewalk_syncthreads();\n}\n";
}

}  // namespace

std::string gpu_launch_name(std::size_t kernel) { return "tilewalk_launch_" + std::to_string(kernel); }

std::string gpu_text(std::string_view text, const CompileSetup& setup, const Program& program) {
  std::string out = kExactMathText;
  for (const GivenConstant& each : setup.constants) out += constant_line(each);
  out += kPreludeText;
  out += "extern \"C\" {\n";
  for (const MemoryObject& each : program.tensors)
    if (each.is_scratch) out += scratch_line(each);
  out += "}\n";
  if (has_condition(text))
    for (const GivenConstant& each : setup.constants) out += define_line(each);
  out += "#line 1 \"" + std::string(kGpuTextName) + "\"\n";
  out += text;
  out += "\n#line 1 \"wrappers\"\n";
  for (std::size_t at = 0; at < program.kernels.size(); ++at) out += wrapper(program.kernels[at], at);
  return out;
}

}  // namespace tilewalk::lab
