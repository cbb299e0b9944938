// Kernels of programs that serve models: FlashInfer (include/flashinfer/attention), vLLM's paged attention, and those
// that TensorRT-LLM generates. Also softmaxes, of scores and of other things.
#include <algorithm>

#include "base/contains.h"
#include "base/parse.h"
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;

constexpr NamedKernel kFlashinfer[] = {
    {"SinglePrefillWithKVCacheKernel", Forward, shows::queries_outside},
    {"BatchPrefillWithRaggedKVCacheKernel", Forward, shows::queries_outside},
    {"BatchPrefillWithPagedKVCacheKernel", Forward, shows::queries_outside},
    {"PrefillWithKVCacheKernel", Forward, shows::warps_by_trade},
    {"SingleDecodeWithKVCacheKernel", Forward},
    {"BatchDecodeWithPagedKVCacheKernel", Forward},
    {"BatchDecodeWithPagedKVCacheKernelMLA", Forward},
    {"BatchMLAPagedAttentionKernel", Forward},
    {"MergeStateKernel", Combine, shows::keys_shared_out},
    {"MergeStateInPlaceKernel", Combine, shows::keys_shared_out},
    {"MergeStatesKernel", Combine, shows::keys_shared_out},
    {"MergeStatesLargeNumIndexSetsKernel", Combine, shows::keys_shared_out},
    {"VariableLengthMergeStatesKernel", Combine, shows::keys_shared_out},
    {"PersistentVariableLengthMergeStatesKernel", Combine, shows::keys_shared_out},
    {"AttentionSumKernel", Combine, shows::keys_shared_out},
    {"PersistentVariableLengthAttentionSumKernel", Combine, shows::keys_shared_out},
};

constexpr std::int64_t kFragment = 16;  // rows, keys and columns of one tensor-core instruction

std::optional<std::int64_t> times(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  constexpr std::int64_t most = 4096;
  return within(a, std::int64_t(0), most) && within(b, std::int64_t(0), most) ? std::optional(*a * *b) : std::nullopt;
}

// <mask, rows of Q, fragments of Q, of keys, of d, of d_v, warps over Q, over keys, positions, formats of Q, K and V, O
// …>
void read_prefill_traits(DecodedKernel& out, const CppNames& traits) {
  if (traits.size() < 15) return;  // earlier versions had other arguments
  out.d = head_size(times(number_at(traits, 4), kFragment));
  out.tile = tile_of(number_at(traits, 1), times(times(number_at(traits, 3), number_at(traits, 7)), kFragment));
  const auto q = dtype_of(traits[9]->word()), kv = dtype_of(traits[10]->word());
  if (q == kv) out.dtype = q;
}

// <positions, stages, tile, values a thread reads at once, threads over d, …>; earlier versions had a flag before.
void read_decode(DecodedKernel& out, const CppName& name) {
  if (name.cut() || name.arguments().size() != 9) return;
  out.d = head_size(times(number_at(name.arguments(), 3), number_at(name.arguments(), 4)));
}

std::optional<std::int64_t> leading_number(std::string_view text) {
  return parse_integer(text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size())));
}

constexpr std::string_view kSoftmaxForward[] = {"softmax_warp_forward", "cunn_SoftMaxForward",
                                                "cunn_SoftMaxForwardSmem", "cunn_SoftMaxForwardReg",
                                                "cunn_SoftMaxForwardGmem"};
constexpr std::string_view kSoftmaxBackward[] = {"softmax_warp_backward", "cunn_SoftMaxBackward",
                                                 "cunn_SoftMaxBackwardSmem"};
// Apex and Megatron: softmaxes of scores, by their names.
constexpr std::string_view kScores[] = {"scaled_softmax_warp_", "scaled_masked_softmax_warp_",
                                        "scaled_upper_triang_masked_softmax_warp_",
                                        "scaled_aligned_causal_masked_softmax_warp_"};

template <class Words>
bool is_one(const Words& words, std::string_view word) {
  return contains(words, word);
}

// The softmax of a loss: its logarithm.
bool takes_logarithm(const CppName& name) {
  for (const auto& argument : name.arguments())
    if (argument->word().starts_with("LogSoftMax")) return true;
  return name.word().starts_with("softmax_warp") && flag_at(name.arguments(), 4) == true;
}

DecodedKernel softmax_of(const CppName& name, bool forward) {
  return {.family = KernelFamily::Math,
          .pass = forward ? Forward : Backward,
          .dtype = dtype_among(name.arguments()),
          .schedule = forward ? shows::unfused : shows::backward_unfused};
}

}  // namespace

Decoded decode_flashinfer(const CppName& name) {
  const auto row = find_kernel(kFlashinfer, name.word());
  if (!row || (name.path.size() > 1 && !name.lies_in("flashinfer"))) return std::nullopt;
  DecodedKernel out{.family = KernelFamily::Flashinfer, .pass = row->pass, .schedule = row->schedule};
  if (row->pass == Combine) out.split_kv = true;
  const CppName* traits = name_at(name.arguments(), 0);
  if (traits && traits->word() == "KernelTraits") read_prefill_traits(out, traits->arguments());
  if (row->word == "BatchDecodeWithPagedKVCacheKernel") read_decode(out, name);
  return out;
}

// fmhaSm100aKernel_QkvBfloat16OBfloat16H128PagedKvCausalP64VarSeqQ128Kv128PersistentContext
Decoded decode_trtllm(const CppName& name) {
  constexpr std::string_view start = "fmhaSm", middle = "Kernel_Q";
  std::string_view text = name.word();
  const std::size_t at = text.find(middle);
  if (name.path.size() != 1 || !text.starts_with(start) || at == std::string_view::npos) return std::nullopt;
  DecodedKernel out{.pass = Forward, .program = "TensorRT-LLM"};
  text.remove_prefix(start.size());
  if (const auto version = leading_number(text)) out.sm = sm_of(*version);
  text = name.word();
  text.remove_prefix(at + middle.size());
  constexpr std::pair<const char*, const char*> formats[] = {
      {"kvBfloat16O", "bf16"}, {"kvFp16O", "fp16"}, {"kvE4m3O", "fp8"}};
  for (const auto& [word, dtype] : formats)
    if (text.starts_with(word)) out.dtype = dtype;
  if (const std::size_t head = text.find("HQk"); head != std::string_view::npos)
    out.d = head_size(leading_number(text.substr(head + 3)));
  else if (const std::size_t size = text.find('H'); size != std::string_view::npos)
    out.d = head_size(leading_number(text.substr(size + 1)));
  if (const std::size_t rows = text.find("SeqQ"); rows != std::string_view::npos)
    if (const std::size_t keys = text.find("Kv", rows); keys != std::string_view::npos)
      out.tile = tile_of(parse_integer(text.substr(rows + 4, keys - rows - 4)), leading_number(text.substr(keys + 2)));
  return out;
}

Decoded decode_scores(const CppName& name) {
  const auto is_of = [&](std::string_view pass) {
    return std::any_of(std::begin(kScores), std::end(kScores),
                       [&](std::string_view start) { return name.word() == std::string(start) + std::string(pass); });
  };
  const bool forward = is_of("forward");
  if (!forward && !is_of("backward")) return std::nullopt;
  return softmax_of(name, forward);
}

Decoded decode_softmax(const CppName& name) {
  const bool forward = is_one(kSoftmaxForward, name.word());
  if ((!forward && !is_one(kSoftmaxBackward, name.word())) || takes_logarithm(name)) return std::nullopt;
  return softmax_of(name, forward);
}

// FlashMLA: flash_fwd_splitkv_mla_kernel and its later kin, such as flash_fwd_splitkv_mla_fp8_sparse_kernel.
Decoded decode_flash_mla(const CppName& name) {
  const std::string& word = name.word();
  const bool sparse = word.starts_with("sparse_attn_fwd") && (name.lies_in("sm90") || name.lies_in("sm100"));
  DecodedKernel out{.program = "FlashMLA"};
  if (word.starts_with("flash_fwd_splitkv_mla"))
    out.pass = Forward, out.split_kv = true, out.schedule = shows::keys_shared_out;
  else if (word.starts_with("flash_fwd_mla_combine"))
    out.pass = Combine, out.split_kv = true, out.schedule = shows::keys_shared_out;
  else if (word.starts_with("get_mla_metadata"))
    out.pass = Helper;
  else if (sparse)
    out.pass = Forward;
  else
    return std::nullopt;
  return out;
}

// Attention of programs without a family here: their pass, and what else is certain.
Decoded decode_others(const CppName& name) {
  // v1 keeps a row's scores in shared memory and reads them twice: no schedule here shows that.
  constexpr NamedKernel of_vllm[] = {{"paged_attention_v1_kernel", Forward},
                                     {"paged_attention_v2_kernel", Forward, shows::keys_shared_out},
                                     {"paged_attention_v2_reduce_kernel", Combine, shows::keys_shared_out},
                                     {"merge_attn_states_kernel", Combine, shows::keys_shared_out}};
  const auto row = name.lies_in("vllm") ? find_kernel(of_vllm, name.word()) : std::nullopt;
  if (!row) {
    const bool sage = name.word().starts_with("qk_int") &&
                      (name.word().find("_attn_") != std::string::npos ||
                       (beginning_of(name.word()) && name.word().find("_sv_f") != std::string::npos));
    return sage ? Decoded(DecodedKernel{.pass = Forward, .program = "SageAttention"}) : decode_flash_mla(name);
  }
  DecodedKernel out{.pass = row->pass, .schedule = row->schedule, .program = "vLLM"};
  if (row->schedule == shows::keys_shared_out) out.split_kv = true;
  if (row->word == "paged_attention_v1_kernel") out.split_kv = false;
  if (row->pass == Forward) out.d = head_size(number_at(name.arguments(), 2));  // <number, number kept, d, …>
  return out;
}

}  // namespace tilewalk
