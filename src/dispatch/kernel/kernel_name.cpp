#include "dispatch/kernel/kernel_name.h"

#include <algorithm>

#include "base/contains.h"
#include "base/parse.h"
#include "base/words.h"
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

struct NumberFormat {
  std::string_view word;
  const char* name;
};
constexpr NumberFormat kFormats[] = {
    {"float", "fp32"},       {"half_t", "fp16"},       {"__half", "fp16"},       {"half", "fp16"},
    {"Half", "fp16"},        {"_Float16", "fp16"},     {"bfloat16_t", "bf16"},   {"__nv_bfloat16", "bf16"},
    {"nv_bfloat16", "bf16"}, {"BFloat16", "bf16"},     {"__bf16", "bf16"},       {"float_e4m3_t", "fp8"},
    {"float_e5m2_t", "fp8"}, {"__nv_fp8_e4m3", "fp8"}, {"__nv_fp8_e5m2", "fp8"},
};

constexpr int kVersions[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

// Templates that launch the type in their arguments: CUTLASS's, and Composable Kernel's after some numbers.
bool is_launcher(std::string_view word) {
  return word == "device_kernel" || word == "Kernel" || word == "Kernel2" || word == "kentry";
}

// PyTorch's compiler lists the operators around a loop in its name; what it runs are sums and single values.
bool is_fused_loop(std::string_view name) {
  constexpr std::string_view loops[] = {"triton_poi_", "triton_red_", "triton_per_"};
  return std::any_of(std::begin(loops), std::end(loops), [&](std::string_view one) { return name.starts_with(one); });
}

// The kernel's own name, in small letters, with _ between words. Without its template arguments, which may contain any
// word.
std::string own_words(std::string_view text) {
  const std::optional<CppName> name = cpp_name(text);
  std::string out;
  const auto add = [&](const CppName& one) {
    for (const CppWord& word : one.path) out += "_" + word.text;
  };
  if (name) add(*name);
  if (name && is_launcher(name->word()))
    for (std::size_t i = 0; i <= name->arguments().size(); ++i)
      if (const CppName* type = type_at(name->path.back(), i)) add(*type);
  if (!name) out = "_" + std::string(text.substr(0, kLongestKernelName));
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

const char* name_of(KernelFamily family) {
  static constexpr const char* names[] = {"cudnn",  "flash",      "efficient", "flash3", "flash4", "xformers",
                                          "triton", "flashinfer", "flex",      "math",   "other"};
  return names[std::size_t(family)];
}

const char* name_of(KernelPass pass) {
  static constexpr const char* names[] = {"forward", "backward", "combine", "helper"};
  return names[std::size_t(pass)];
}

DecodedKernel decode_kernel(std::string_view text) {
  using NameRule = Decoded (*)(const CppName&);
  static constexpr NameRule rules[] = {decode_cudnn,      decode_flash4, decode_inductor, decode_triton,
                                       decode_trtllm,     decode_flash,  decode_flash3,   decode_cutlass_fmha,
                                       decode_flashinfer, decode_scores, decode_rocm,     decode_others,
                                       decode_inference};
  const std::optional<CppName> name = cpp_name(trimmed_view(text));
  if (name)
    for (const NameRule rule : rules)
      if (const Decoded decoded = rule(*name)) return *decoded;
  return {};
}

std::optional<DecodedKernel> as_part_of_attention(std::string_view text) {
  const std::optional<CppName> name = cpp_name(trimmed_view(text));
  return name ? decode_softmax(*name) : std::nullopt;
}

NameHint hint_of(std::string_view text) {
  if (as_part_of_attention(text)) return NameHint::Softmax;
  if (is_fused_loop(trimmed_view(text))) return NameHint::None;
  const std::string called = own_words(trimmed_view(text));
  constexpr std::string_view parts[] = {"attention", "attn", "fmha", "sdpa", "flash_fwd", "flash_bwd"};
  const bool speaks = std::any_of(std::begin(parts), std::end(parts),
                                  [&](std::string_view part) { return called.find(part) != std::string::npos; });
  for (const std::string_view word : words_between_underscores(called))
    if (word == "mha" || word == "mqa" || speaks) return NameHint::Attention;
  return NameHint::None;
}

const char* hint_text(NameHint hint) {
  static constexpr const char* words[] = {"", "a softmax, of attention or of something else: its name does not say",
                                          "its name contains attention; that kernel is not known here"};
  return words[std::size_t(hint)];
}

std::vector<std::string_view> words_between_underscores(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) out.push_back(take_until(text, '_'));
  return out;
}

std::optional<std::string> dtype_of(std::string_view word) {
  for (const NumberFormat& format : kFormats)
    if (format.word == word) return format.name;
  return std::nullopt;
}

std::optional<std::string> dtype_among(const CppNames& names) {
  for (const auto& name : names)
    if (const auto dtype = dtype_of(name->word())) return dtype;
  return std::nullopt;
}

const CppName* type_at(const CppWord& word, std::size_t index) {
  if (index < word.arguments.size()) return word.arguments[index].get();
  return index == word.arguments.size() ? word.last.get() : nullptr;
}

std::optional<int> number_after(std::string_view word, std::string_view start) {
  if (!word.starts_with(start)) return std::nullopt;
  return parse_integer<int>(word.substr(start.size()));
}

std::optional<int> head_size(std::optional<std::int64_t> size) {
  return size && *size >= 1 && *size <= 1024 ? std::optional(int(*size)) : std::nullopt;
}

std::optional<KernelTile> tile_of(std::optional<std::int64_t> q_rows, std::optional<std::int64_t> keys) {
  constexpr std::int64_t longest = 4096;
  if (!within(q_rows, std::int64_t(1), longest) || !within(keys, std::int64_t(1), longest)) return std::nullopt;
  return KernelTile{int(*q_rows), int(*keys)};
}

std::optional<KernelTile> tile_between_x(std::string_view word) {
  const std::size_t x = word.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  return tile_of(parse_integer(word.substr(0, x)), parse_integer(word.substr(x + 1)));
}

std::optional<int> sm_of(std::int64_t version) {
  const bool there = contains(kVersions, version);
  return there ? std::optional(int(version)) : std::nullopt;
}

std::optional<bool> flag_at(const CppNames& names, std::size_t index) {
  const auto value = number_at(names, index);
  return value && (*value == 0 || *value == 1) ? std::optional(*value == 1) : std::nullopt;
}

}  // namespace tilewalk
