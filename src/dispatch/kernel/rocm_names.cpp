// Kernels of AMD's programs: Composable Kernel (ck_tile::kentry with a kernel type, include/ck_tile/ops/fmha), aiter's
// in assembly (their names are lists of words), and vLLM's paged attention for ROCm. Triton's kernels for AMD,
// AOTriton's among them, are with Triton's.
#include <algorithm>

#include "base/contains.h"
#include "base/parse.h"
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;

constexpr NamedKernel kComposable[] = {
    {"FmhaFwdKernel", Forward, shows::queries_outside},
    {"FmhaFwdV3Kernel", Forward, shows::queries_outside},
    {"FmhaFwdPagedKVKernel", Forward, shows::queries_outside},
    {"FmhaBatchPrefillWithPagedKVCacheKernel", Forward, shows::queries_outside},
    {"UnifiedAttentionKernel", Forward, shows::queries_outside},
    {"FmhaFwdSplitKVKernel", Forward, shows::keys_shared_out},
    {"FmhaFwdSplitKVCombineKernel", Combine, shows::keys_shared_out},
    {"FmhaFwdAppendKVKernel", Helper},
    {"FmhaBwdDQDKDVKernel", Backward, shows::backward},
    {"FmhaBwdOGradDotOKernel", Helper},
    {"FmhaBwdConvertQGradKernel", Helper},
};

constexpr int kDeepestShape = 8;

// TileFmhaShape<sequence<rows of Q, keys, part of d, part of d_v, part of the keys, d>, …>, somewhere in the type.
const CppName* tile_shape(const CppName& type, int depth) {
  if (type.word() == "TileFmhaShape") return &type;
  if (depth == 0) return nullptr;
  for (const auto& argument : type.arguments())
    if (const CppName* found = tile_shape(*argument, depth - 1)) return found;
  return nullptr;
}

// The number formats are the first arguments of the pipeline's problem.
std::optional<std::string> problem_format(const CppName& type, int depth) {
  if (type.word() == "BlockFmhaPipelineProblem") {
    const CppName* q = name_at(type.arguments(), 0);
    return q ? dtype_of(q->word()) : std::nullopt;
  }
  if (depth == 0) return std::nullopt;
  for (const auto& argument : type.arguments())
    if (const auto found = problem_format(*argument, depth - 1)) return found;
  return std::nullopt;
}

Decoded decode_composable(const CppName& name) {
  const bool launched = name.word() == "kentry";
  for (std::size_t i = 0; launched && i <= name.arguments().size(); ++i) {
    const CppName* type = type_at(name.path.back(), i);
    if (!type || !type->lies_in("ck_tile")) continue;
    const std::string& word = type->word();
    const auto row = find_kernel(kComposable, word);
    if (!row && !word.starts_with("Fmha")) continue;
    DecodedKernel out{.program = "Composable Kernel"};
    if (row)
      out.pass = row->pass, out.schedule = row->schedule;
    else if (word.starts_with("FmhaBwd"))
      out.pass = std::nullopt;  // its helpers begin so too
    else if (word.starts_with("FmhaFwd") && !beginning_of(word))
      out.pass = Forward;
    if (out.schedule == shows::keys_shared_out) out.split_kv = true;
    if (out.pass != Forward) return out;
    out.dtype = problem_format(*type, kDeepestShape);
    const CppName* shape = tile_shape(*type, kDeepestShape);
    const CppName* sizes = shape ? name_at(shape->arguments(), 0) : nullptr;
    if (sizes && sizes->word() == "sequence" && sizes->arguments().size() == 6 && !sizes->cut()) {
      out.tile = tile_of(number_at(sizes->arguments(), 0), number_at(sizes->arguments(), 1));
      out.d = head_size(number_at(sizes->arguments(), 5));
    }
    return out;
  }
  return std::nullopt;
}

// fmha fwd hd128 bf16 causal rtna group; fmha bwd hd192 hd128 bf16 causal a32 pssk, where the second size is that of V;
// mla dec stage1 bf16 …, pa bf16 … (paged attention).
Decoded decode_aiter(const CppName& name) {
  const std::vector<std::string_view> words = words_between_underscores(name.word());
  const auto has = [&](std::string_view word) { return contains(words, word); };
  const bool at_home = name.lies_in("aiter");
  if (words.size() < 2 || (name.path.size() > 1 && !at_home)) return std::nullopt;
  DecodedKernel out{.program = "aiter"};
  std::optional<int> d;
  for (const std::string_view word : words) {
    if (const auto size = number_after(word, "hd"); size && !d) d = head_size(size);
    if ((word == "bf16" || word == "fp16" || word == "fp8") && !out.dtype) out.dtype = std::string(word);
  }
  const bool forward = words[0] == "fmha" && words[1] == "fwd", backward = words[0] == "fmha" && words[1] == "bwd";
  if ((forward || backward) && (d || at_home)) {
    out.d = d;
    const bool helps = has("odo") || has("convert") || has("shuffle");
    out.pass = forward ? Forward : helps ? Helper : Backward;
    if (out.pass == Backward) out.schedule = shows::backward;
    return out;
  }
  if (!at_home || (words[0] != "mla" && words[0] != "pa")) return std::nullopt;
  if (has("reduce"))
    out.pass = Combine, out.split_kv = true, out.schedule = shows::keys_shared_out;
  else
    out.pass = Forward;
  out.dtype.reset();  // of the query or of the cache
  return out;
}

// A row's keys are divided among thread blocks of 256 keys.
constexpr NamedKernel kVllm[] = {
    {"paged_attention_ll4mi_QKV_kernel", Forward, shows::keys_shared_out},
    {"paged_attention_ll4mi_QKV_mfma4_kernel", Forward, shows::keys_shared_out},
    {"paged_attention_ll4mi_QKV_mfma16_kernel", Forward, shows::keys_shared_out},
    {"paged_attention_ll4mi_reduce_kernel", Combine, shows::keys_shared_out},
};

Decoded decode_vllm_rocm(const CppName& name) {
  const auto row = find_kernel(kVllm, name.word());
  if (!row) return std::nullopt;
  return DecodedKernel{.pass = row->pass, .split_kv = true, .schedule = row->schedule, .program = "vLLM"};
}

}  // namespace

Decoded decode_rocm(const CppName& name) {
  for (const auto rule : {decode_composable, decode_aiter, decode_vllm_rocm})
    if (Decoded decoded = rule(name)) return decoded;
  return std::nullopt;
}

}  // namespace tilewalk
