// The CUTLASS kernels of xFormers, which PyTorch copied: fmha_cutlassF_f16_aligned_64x128_rf_sm80 and, backward,
// fmha_cutlassB_f16_aligned_64x64_k64_sm80. Their one parameter tells the two libraries apart; without it they count as
// PyTorch's.
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kAnyHeadSize = 65536;  // "k65536": any
constexpr std::string_view kBatched[] = {"attention_kernel_batched", "attention_kernel_batched_impl",
                                         "attention_kernel_backward_batched", "attention_kernel_backward_batched_impl"};

std::optional<int> built_size(std::optional<std::int64_t> most) {
  return most == kAnyHeadSize ? std::nullopt : head_size(most);
}

// The arguments of the kernel's type: <number format, architecture, aligned, rows of Q, keys, largest d, …>, and
// backward <architecture, number format, aligned, dropout, preload, rows of Q, keys, largest d, …>.
void read_type(DecodedKernel& out, const CppName& type) {
  for (const CppWord& word : type.path) {
    const bool forward = word.text == "AttentionKernel", backward = word.text == "AttentionBackwardKernel";
    if (!forward && !backward) continue;
    const std::size_t at = forward ? 3 : 5;
    out.pass = forward ? KernelPass::Forward : KernelPass::Backward;
    if (const CppName* element = name_at(word.arguments, forward ? 0 : 1)) out.dtype = dtype_of(element->word());
    if (const CppName* chip = name_at(word.arguments, forward ? 1 : 0))
      if (const auto version = number_after(chip->word(), "Sm")) out.sm = sm_of(*version);
    out.tile = tile_of(number_at(word.arguments, at), number_at(word.arguments, at + 1));
    out.d = built_size(number_at(word.arguments, at + 2));
  }
}

// fmha cutlassF f16 aligned 64x128 rf sm80
bool read_words(DecodedKernel& out, std::string_view text) {
  const std::vector<std::string_view> words = words_between_underscores(text);
  if (words.size() < 5 || words[0] != "fmha" || (words[1] != "cutlassF" && words[1] != "cutlassB")) return false;
  out.pass = words[1] == "cutlassF" ? KernelPass::Forward : KernelPass::Backward;
  if (words[2] == "f16") out.dtype = "fp16";
  if (words[2] == "bf16") out.dtype = "bf16";
  if (words[2] == "f32") out.dtype = "fp32";
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (const auto tile = tile_between_x(words[i])) out.tile = tile;
    if (const auto most = number_after(words[i], "k")) out.d = built_size(*most);
    if (const auto version = number_after(words[i], "sm")) out.sm = sm_of(*version);
  }
  return true;
}

}  // namespace

Decoded decode_cutlass_fmha(const CppName& name) {
  DecodedKernel out{.family = KernelFamily::Efficient};
  const CppName* type = name_at(name.parameters, 0);
  bool known = name.path.size() == 1 && name.arguments().empty() && read_words(out, name.word());
  for (const std::string_view batched : kBatched)
    if (name.word() == batched && !name.arguments().empty()) known = true, type = name_at(name.arguments(), 0);
  if (!known) return std::nullopt;
  if (type) {
    read_type(out, *type);
    const std::string& first = type->path.front().text;
    if (first == "AttentionKernel" || first == "AttentionBackwardKernel") out.family = KernelFamily::Xformers;
  }
  if (!out.pass) return std::nullopt;
  out.schedule = out.pass == KernelPass::Forward ? shows::queries_outside : shows::backward;
  return out;
}

}  // namespace tilewalk
