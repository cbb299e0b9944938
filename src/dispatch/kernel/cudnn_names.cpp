// cuDNN: cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1_cga1x1x1_kernel0_0 and its
// helpers in cudnn::fusion. f16 means both 16-bit formats, and 64x128 does not say which number is rows of Q.
#include <algorithm>

#include "base/contains.h"
#include "base/parse.h"
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;

// The last of 64x128x128, as in every kernel that was recorded with its call.
std::optional<int> third_of(std::string_view word) {
  const std::string_view first = take_until(word, 'x'), second = take_until(word, 'x');
  if (!parse_integer(first) || !parse_integer(second)) return std::nullopt;
  return head_size(parse_integer(word));
}

Decoded decode_generated(const CppName& name) {
  const std::vector<std::string_view> words = words_between_underscores(name.word());
  const auto has = [&](std::string_view word) { return contains(words, word); };
  if (words.empty() || words[0] != "cudnn" || !has("sdpa") || has("fprop") == has("bprop")) return std::nullopt;
  DecodedKernel out{.family = KernelFamily::Cudnn, .pass = has("fprop") ? Forward : Backward};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto version = number_after(words[i], "sm")) out.sm = sm_of(*version);
    if (words[i] == "knob" && i + 2 < words.size()) out.d = third_of(words[i + 2]);
  }
  if (out.pass == Backward) out.schedule = shows::backward;
  if (out.pass == Forward && has("wmma")) out.schedule = shows::queries_outside;
  if (out.pass == Forward && has("wgmma")) out.schedule = shows::warps_by_trade;
  if (out.pass == Forward && out.sm && *out.sm / 10 == 10) out.schedule = shows::seldom_rescaled;
  return out;
}

}  // namespace

Decoded decode_cudnn(const CppName& name) {
  if (name.path.size() == 1 && name.arguments().empty()) return decode_generated(name);
  if (!name.lies_in("cudnn")) return std::nullopt;  // Nsight Compute omits fusion::
  const std::string& word = name.word();
  if (word.starts_with("lean_reduction"))  // merges the results of a short query's thread blocks
    return DecodedKernel{
        .family = KernelFamily::Cudnn, .pass = Combine, .split_kv = true, .schedule = shows::keys_shared_out};
  if (!word.starts_with("compute_dot_do_o") && !word.starts_with("convert_dq") && !word.starts_with("fmha_reduce_head"))
    return std::nullopt;
  return DecodedKernel{.family = KernelFamily::Cudnn, .pass = Helper};  // the size in <…, 128> is that of V
}

}  // namespace tilewalk
