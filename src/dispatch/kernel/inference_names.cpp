// Kernels of inference programs without a family of their own here: TensorRT-LLM (fmha_v2, XQA, masked multi-head
// attention), CUTLASS's own examples of attention, ggml's flash_attn_ext, and NVIDIA Apex's fmha. Only what their names
// say: they do not say which of fmha_v2's numbers are rows of Q, or whether a decoding kernel divides its keys.
#include <algorithm>

#include "base/contains.h"
#include "base/parse.h"
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;
using Words = std::vector<std::string_view>;

bool has(const Words& words, std::string_view word) { return contains(words, word); }

std::optional<std::string> dtype_word(std::string_view word) {
  if (word == "fp16" || word == "bf16" || word == "fp32") return std::string(word);
  if (word == "e4m3" || word == "fp8") return "fp8";
  return std::nullopt;
}

std::optional<int> sm_among(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto version = number_after(words[i], "sm")) return sm_of(*version);
    if (words[i] == "sm" && i + 1 < words.size())
      if (const auto version = parse_integer(words[i + 1])) return sm_of(*version);
  }
  return std::nullopt;
}

// fmha v2 flash attention bf16 64 128 S qkv 128 causal tma ws sm90 kernel: the head size follows the layout.
DecodedKernel fmha_v2(const Words& words) {
  DecodedKernel out{.pass = Forward, .sm = sm_among(words), .program = "TensorRT-LLM"};
  for (const std::string_view word : words)
    if (const auto dtype = dtype_word(word); dtype && !out.dtype) out.dtype = dtype;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (std::string_view behind = words[i + 1]; words[i] == "qkv" || words[i] == "kv" || words[i] == "v")
      if (const auto size = head_size(parse_integer(take_until(behind, 'x')))) out.d = size;
  if (has(words, "flash") && !has(words, "ws")) out.schedule = shows::queries_outside;
  if (has(words, "flash") && has(words, "tma") && has(words, "ws") && out.sm == 90)
    out.schedule = shows::warps_by_trade;
  return out;
}

// xqa kernel dt fp16 d 128 beam 1 kvt e4m3 pagedKV 32 nqpkv 8 m 8 sm 90
DecodedKernel xqa(const Words& words) {
  DecodedKernel out{.pass = Forward, .sm = sm_among(words), .program = "TensorRT-LLM"};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "dt") out.dtype = dtype_word(words[i + 1]);
    if (words[i] == "d") out.d = head_size(parse_integer(words[i + 1]));
  }
  return out;
}

// fmha fprop fp16 512 64 sm80 kernel: built for rows of at most 512 keys, d 64. All keys of a row at once.
std::optional<DecodedKernel> apex_fmha(const Words& words) {
  const bool forward = has(words, "fprop");
  if (words.size() < 6 || (!forward && !has(words, "dgrad")) || !dtype_word(words[2])) return std::nullopt;
  if (!parse_integer(words[3]) || !parse_integer(words[4])) return std::nullopt;
  return DecodedKernel{.pass = forward ? Forward : Backward,
                       .sm = sm_among(words),
                       .dtype = dtype_word(words[2]),
                       .d = head_size(parse_integer(words[4])),
                       .program = "NVIDIA Apex"};
}

Decoded decode_plain(const CppName& name) {
  const Words words = words_between_underscores(name.word());
  if (name.path.size() != 1 || words.size() < 2) return std::nullopt;
  if (words[0] == "fmha" && words[1] == "v2") return fmha_v2(words);
  if (words[0] == "xqa" && words[1] == "kernel") return xqa(words);
  if (words[0] == "fmha") return apex_fmha(words);
  return std::nullopt;
}

constexpr NamedKernel kGgml[] = {
    {"flash_attn_ext_f16", Forward},
    {"flash_attn_ext_vec", Forward},
    {"flash_attn_vec_ext_f16", Forward},
    {"flash_attn_vec_ext_f32", Forward},
    {"flash_attn_tile", Forward},
    {"flash_attn_tile_ext_f16", Forward},
    {"flash_attn_tile_ext_f32", Forward},
    {"flash_attn_combine_results", Combine, shows::keys_shared_out},
    {"flash_attn_stream_k_fixup", Combine, shows::keys_shared_out},
    {"flash_attn_stream_k_fixup_uniform", Combine, shows::keys_shared_out},
    {"flash_attn_mask_to_KV_max", Helper},
};

Decoded decode_ggml(const CppName& name) {
  auto row = find_kernel(kGgml, name.word());
  if (!row && name.word().starts_with("flash_attn_ext_")) row = KernelFacts{.word = {}, .pass = Forward};
  if (!row || name.path.size() != 1) return std::nullopt;
  DecodedKernel out{.pass = row->pass, .schedule = row->schedule, .program = "ggml"};
  if (row->pass == Combine) out.split_kv = true;
  if (row->pass != Helper) out.d = head_size(number_at(name.arguments(), 0));  // the first argument in every version
  return out;
}

// cutlass::device_kernel<cutlass::fmha::kernel::Sm100FmhaFwdKernelTmaWarpspecialized<…>>
Decoded decode_cutlass_example(const CppName& name) {
  const CppName* type = name.word() == "device_kernel" ? type_at(name.path.back(), 0) : &name;
  if (!type || !type->lies_in("fmha")) return std::nullopt;
  const std::string& word = type->word();
  if (word.find("Fmha") == std::string::npos && !(type != &name && beginning_of(word))) return std::nullopt;
  DecodedKernel out{.program = "CUTLASS"};
  std::string_view rest = word;
  if (rest.starts_with("Sm")) {
    rest.remove_prefix(2);
    out.sm = sm_of(parse_integer(rest.substr(0, rest.find_first_not_of("0123456789"))).value_or(0));
  }
  const CppName* loop = name_at(type->arguments(), 0);
  const auto says = [&](std::string_view part) {
    return word.find(part) != std::string::npos || (loop && loop->word().find(part) != std::string::npos);
  };
  if (says("Bwd"))
    out.pass = Backward, out.schedule = shows::backward;
  else if (says("Fwd") || says("FmhaMainloop") || says("FmhaMla"))  // MLA decodes: it has no backward pass
    out.pass = Forward;
  if (loop) out.dtype = dtype_among(loop->arguments());
  return out;
}

}  // namespace

Decoded decode_inference(const CppName& name) {
  for (const auto rule : {decode_plain, decode_ggml, decode_cutlass_example})
    if (Decoded decoded = rule(name)) return decoded;
  if (name.word() != "masked_multihead_attention_kernel") return std::nullopt;
  return DecodedKernel{.pass = Forward, .program = "TensorRT-LLM"};  // one query row; also FasterTransformer's
}

}  // namespace tilewalk
