// FlashAttention 1 and 2 (csrc/flash_attn/src), as released, in PyTorch and in vLLM.
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;

constexpr NamedKernel kFlash2[] = {
    {"flash_fwd_kernel", Forward, shows::queries_outside},
    {"flash_fwd_splitkv_kernel", Forward},
    {"flash_fwd_splitkv_combine_kernel", Combine, shows::keys_shared_out},
    {"flash_bwd_kernel", Backward, shows::backward},
    {"flash_bwd_dq_dk_dv_loop_kernel", Backward, shows::backward},
    {"flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel", Backward, shows::backward},
    {"flash_bwd_dq_dk_dv_loop_seqq_parallel_kernel", Backward, shows::backward},
    {"flash_bwd_dot_do_o_kernel", Helper},
    {"flash_bwd_clear_dkvaccum_kernel", Helper},
    {"flash_bwd_convert_dq_kernel", Helper},
    {"flash_bwd_convert_dkv_kernel", Helper},
};
constexpr NamedKernel kFlash1[] = {
    {"fmha_fwd_loop_kernel", Forward, shows::keys_outside},
    {"fmha_bwd_dq_dk_dv_loop_kernel", Backward, shows::backward_rows_inside},
    {"fmha_bwd_dq_dk_dv_loop_seqk_parallel_kernel", Backward, shows::backward_rows_inside},
    {"fmha_bwd_dot_do_o_kernel", Helper},
};

const CppName* traits_of(const CppName& name, std::string_view end) {
  for (const auto& argument : name.arguments())
    if (argument->word().ends_with(end)) return argument.get();
  return nullptr;
}

// Its flags after the traits: causal, local, ALiBi, even lengths, even d, soft cap, as far as that version had them,
// and last split and append. Whether one is cut off is not visible from the others.
std::optional<bool> splits_keys(const CppName& name) {
  const CppNames& flags = name.arguments();
  if (beginning_of(name.word())) return std::nullopt;
  if (flags.empty() && !name.cut()) return true;  // the name alone
  return name.cut() || flags.size() < 6 ? std::nullopt : flag_at(flags, flags.size() - 2);
}

}  // namespace

Decoded decode_flash(const CppName& name) {
  const bool at_home = name.path.size() == 1 || name.lies_in("flash") || name.lies_in("pytorch_flash");
  if (const auto row = find_kernel(kFlash2, name.word()); row && at_home) {
    DecodedKernel out{.family = KernelFamily::Flash, .pass = row->pass, .schedule = row->schedule};
    for (const char* end : {"lash_fwd_kernel_traits", "lash_bwd_kernel_traits"})
      if (const CppName* traits = traits_of(name, end)) {  // <d, rows of Q, keys, warps, …, number format, …>
        out.d = head_size(number_at(traits->arguments(), 0));
        out.tile = tile_of(number_at(traits->arguments(), 1), number_at(traits->arguments(), 2));
        out.dtype = dtype_among(traits->arguments());
      }
    if (row->word == "flash_fwd_kernel") out.split_kv = false;
    if (row->pass == Combine) out.split_kv = true;
    if (row->word == "flash_fwd_splitkv_kernel") {
      out.split_kv = splits_keys(name);
      if (out.split_kv) out.schedule = *out.split_kv ? shows::keys_shared_out : shows::queries_outside;
    }
    return out;
  }
  const auto row = find_kernel(kFlash1, name.word());
  const CppName* traits = traits_of(name, "FMHA_kernel_traits");
  if (!row || name.path.size() != 1 || (!name.arguments().empty() && !traits)) return std::nullopt;
  DecodedKernel out{.family = KernelFamily::Flash, .pass = row->pass, .schedule = row->schedule};
  if (traits) {  // <keys, d, rows of Q, warps, warps, flags, number format>
    out.d = head_size(number_at(traits->arguments(), 1));
    out.tile = tile_of(number_at(traits->arguments(), 2), number_at(traits->arguments(), 0));
    out.dtype = dtype_among(traits->arguments());
  }
  return out;
}

}  // namespace tilewalk
