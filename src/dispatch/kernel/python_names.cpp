// Kernels generated from Python: their names are words with _ between them. CuTe DSL (FlashAttention-4), PyTorch's
// compiler (FlexAttention) and Triton.
#include <algorithm>

#include "base/parse.h"
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;

bool is_plain(const CppName& name) { return name.path.size() == 1 && name.arguments().empty(); }

// The version at the start of the text: "100_object_at", where no digit is missing.
std::optional<int> version_at_start(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_integer(text.substr(0, end));
  return number ? sm_of(*number) : std::nullopt;
}

// The format of the first tensor: "tensorptrbf16gmem".
std::optional<std::string> dtype_of_tensor(std::string_view text) {
  constexpr std::string_view before = "tensorptr";
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + before.size());
  if (rest.starts_with("bf16gmem")) return "bf16";
  if (rest.starts_with("f16gmem")) return "fp16";
  if (rest.starts_with("f8E4M3") || rest.starts_with("f8E5M2")) return "fp8";
  return std::nullopt;
}

// Names from vLLM and SGLang (decode, unified attention), xFormers (split), FlashAttention's and Triton's own examples,
// PyTorch's for AMD (AOTriton: attn_fwd, bwd_kernel_…), aiter (sage_fwd).
constexpr NamedKernel kTriton[] = {
    {"_attn_fwd", Forward, shows::queries_outside},
    {"attn_fwd", Forward, shows::queries_outside},
    {"_attn_fwd_persist", Forward, shows::queries_outside},
    {"_attn_bwd", Backward, shows::backward},
    {"attn_bwd", Backward, shows::backward},
    {"_attn_bwd_dkdv", Backward, shows::backward},
    {"_attn_bwd_dq", Backward, shows::backward},
    {"_attn_bwd_preprocess", Helper},
    {"bwd_kernel_dk_dv", Backward, shows::backward},
    {"bwd_kernel_dq", Backward, shows::backward},
    {"bwd_kernel_fuse", Backward, shows::backward},
    {"bwd_preprocess", Helper},
    {"bwd_preprocess_padded", Helper},
    {"bwd_preprocess_varlen", Helper},
    {"sage_fwd", Forward},
    {"_bwd_preprocess_do_o_dot", Helper},
    {"kernel_unified_attention", Forward},  // one name for both of the next
    {"kernel_unified_attention_2d", Forward, shows::queries_outside},
    {"kernel_unified_attention_3d", Forward, shows::keys_shared_out},
    {"reduce_segments", Combine, shows::keys_shared_out},
    {"kernel_paged_attention_2d", Forward, shows::queries_outside},
    {"_fwd_kernel_stage1", Forward, shows::keys_shared_out},
    {"_fwd_grouped_kernel_stage1", Forward, shows::keys_shared_out},
    {"_fwd_kernel_stage2", Combine, shows::keys_shared_out},
    {"_fwd_kernel_splitK", Forward, shows::keys_shared_out},
    {"_splitK_reduce", Combine, shows::keys_shared_out},
    {"merge_attn_states_kernel", Combine, shows::keys_shared_out},
};

// Triton 2 appended what it knew about the arguments: _attn_fwd_0d1d2d34d5de.
std::string_view without_specialisation(std::string_view text) {
  const std::size_t at = text.rfind('_');
  if (at == std::string_view::npos || at + 2 >= text.size()) return text;
  const std::string_view tail = text.substr(at + 1);
  const bool written = tail.starts_with('0') && tail.find_first_not_of("0123456789dce") == std::string_view::npos;
  return written && tail.find('d') != std::string_view::npos ? text.substr(0, at) : text;
}

// True of a name cut within "flex_attention_backward".
bool may_go_on_as_backward(std::string_view beginning) {
  constexpr std::string_view word = "flex_attention", whole = "flex_attention_backward";
  return whole.starts_with(beginning.substr(beginning.rfind(word)));
}

// A name cut before its class, after part of its module: flash_fwd_sm100F…, flash_bwd_preprocess….
DecodedKernel cut_flash4(std::string_view module) {
  DecodedKernel out{.family = KernelFamily::Flash4};
  constexpr std::pair<std::string_view, KernelPass> modules[] = {
      {"flash_fwd_combine", Combine}, {"flash_bwd_preprocess", Helper}, {"flash_bwd_postprocess", Helper},
      {"flash_fwd_sm", Forward},      {"flash_bwd_sm", Backward},       {"flash_fwdF", Forward},
      {"flash_bwdF", Backward}};
  for (const auto& [word, pass] : modules) {
    if (!module.starts_with(word)) continue;
    out.pass = pass;
    if (word.ends_with("sm") && module.find('F') != std::string_view::npos)
      out.sm = version_at_start(module.substr(word.size()));
  }
  if (out.pass == Combine) out.split_kv = true, out.schedule = shows::keys_shared_out;
  if (out.pass == Backward) out.schedule = shows::backward;
  if (out.pass == Forward && out.sm && *out.sm / 10 == 10) out.schedule = shows::seldom_rescaled;
  return out;
}

}  // namespace

Decoded decode_flash4(const CppName& name) {
  constexpr std::string_view start = "FlashAttention";
  if (!is_plain(name)) return std::nullopt;
  const std::string_view text = name.word();
  const std::size_t cute = text.find("flash_attncute"),
                    at = text.find(start, cute == std::string_view::npos ? 0 : cute);
  if (at == std::string_view::npos && cute != std::string_view::npos && beginning_of(text))
    return cut_flash4(text.substr(cute + std::string_view("flash_attncute").size()));
  if (at == std::string_view::npos || (cute == std::string_view::npos && at != 0)) return std::nullopt;
  std::string_view rest = text.substr(at + start.size());
  if (rest.starts_with("MLA")) rest.remove_prefix(3);
  const bool forward = rest.starts_with("Forward");
  if (!forward && !rest.starts_with("Backward")) return std::nullopt;
  rest.remove_prefix(forward ? 7 : 8);
  DecodedKernel out{.family = KernelFamily::Flash4};
  if (rest.starts_with("Combine")) {
    out.pass = Combine, out.split_kv = true, out.schedule = shows::keys_shared_out;
    return out;
  }
  if (rest.starts_with("Preprocess") || rest.starts_with("Postprocess")) {
    out.pass = Helper;
    return out;
  }
  if (!rest.starts_with("Sm")) return std::nullopt;
  out.pass = forward ? Forward : Backward;
  out.sm = version_at_start(rest.substr(2));
  out.dtype = dtype_of_tensor(rest);
  if (!forward) out.schedule = shows::backward;
  if (forward && out.sm)
    out.schedule = *out.sm / 10 == 10 || *out.sm / 10 == 11 ? shows::seldom_rescaled
                   : *out.sm == 90                          ? shows::warps_by_trade
                                                            : shows::queries_outside;
  return out;
}

// triton_tem_: from a template, here attention itself. triton_per_, _red_: sums around it, as over dO and O.
// triton_poi_ computes single values, of operators beside attention too. FlexDecoding, which divides keys, has the same
// name as FlexAttention: so a forward kernel gets no schedule.
Decoded decode_inductor(const CppName& name) {
  const std::string& text = name.word();
  if (!is_plain(name) || text.find("flex_attention") == std::string::npos) return std::nullopt;
  for (const char* start : {"triton_per_fused_", "triton_red_fused_"})
    if (text.starts_with(start)) return DecodedKernel{.family = KernelFamily::Flex, .pass = Helper};
  if (!text.starts_with("triton_tem_fused_")) return std::nullopt;
  const bool backward = text.find("flex_attention_backward") != std::string::npos;
  DecodedKernel out{.family = KernelFamily::Flex,
                    .pass = backward ? Backward : Forward,
                    .schedule = backward ? std::optional(shows::backward) : std::nullopt};
  if (const auto beginning = beginning_of(text); beginning && !backward && may_go_on_as_backward(*beginning))
    out.pass.reset();
  return out;
}

Decoded decode_triton(const CppName& name) {
  if (!is_plain(name) || !name.parameters.empty()) return std::nullopt;
  const auto row = find_kernel(kTriton, without_specialisation(name.word()));
  if (!row) return std::nullopt;
  DecodedKernel out{.family = KernelFamily::Triton, .pass = row->pass, .schedule = row->schedule};
  if (row->schedule == shows::keys_shared_out) out.split_kv = true;
  return out;
}

}  // namespace tilewalk
