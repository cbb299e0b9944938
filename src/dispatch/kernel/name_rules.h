// How each program names its kernels: functions that decode a name, or return nothing for a name of another program.
// Internal to dispatch/kernel. kernel_name.cpp calls them in order and uses the first result.
#pragma once

#include <vector>

#include "dispatch/kernel/cpp_name.h"
#include "dispatch/kernel/kernel_name.h"
#include "dispatch/kernel/shows.h"

namespace tilewalk {

using Decoded = std::optional<DecodedKernel>;

// Names without brackets, made of words with _ between them.
Decoded decode_cudnn(const CppName&);
Decoded decode_flash4(const CppName&);
Decoded decode_inductor(const CppName&);  // FlexAttention, as PyTorch's compiler names it
Decoded decode_triton(const CppName&);
Decoded decode_trtllm(const CppName&);

// Names of C++ templates.
Decoded decode_flash(const CppName&);
Decoded decode_flash3(const CppName&);
Decoded decode_cutlass_fmha(const CppName&);  // PyTorch's and xFormers's
Decoded decode_flashinfer(const CppName&);
Decoded decode_scores(const CppName&);   // the softmax of scores, by its name
Decoded decode_softmax(const CppName&);  // any other softmax: not attention by its name
Decoded decode_inference(const CppName&);
Decoded decode_rocm(const CppName&);  // AMD's: Composable Kernel, aiter, vLLM's for ROCm
Decoded decode_others(const CppName&);

// Shared helpers.
std::vector<std::string_view> words_between_underscores(std::string_view);
std::optional<std::string> dtype_of(std::string_view word);  // "half_t", "__nv_bfloat16", "float_e4m3_t"
std::optional<std::string> dtype_among(const CppNames&);     // of the first argument that is a number format
// the number in the rest of the word: "sm90" after "sm"
std::optional<int> number_after(std::string_view word, std::string_view start);
std::optional<int> head_size(std::optional<std::int64_t>);  // 1 to 1024
std::optional<KernelTile> tile_of(std::optional<std::int64_t> q_rows, std::optional<std::int64_t> keys);
std::optional<KernelTile> tile_between_x(std::string_view word);  // "64x128"
std::optional<int> sm_of(std::int64_t);                           // only existing versions
std::optional<bool> flag_at(const CppNames&, std::size_t index);  // 0 or 1

// A row of a table of names.
struct NamedKernel {
  std::string_view word;
  KernelPass pass;
  std::optional<ScheduleKind> schedule = {};
};
// A row's facts. For a word that was cut: the facts that all rows share whose words begin so; `word` is empty where
// there are several.
struct KernelFacts {
  std::string_view word;
  std::optional<KernelPass> pass = {};
  std::optional<ScheduleKind> schedule = {};
};
inline constexpr std::size_t kShortestBeginning = 9;
template <class Rows>
std::optional<KernelFacts> find_kernel(const Rows& rows, std::string_view word) {
  const std::optional<std::string_view> beginning = beginning_of(word);
  if (beginning && beginning->size() < kShortestBeginning) return std::nullopt;
  std::optional<KernelFacts> out;
  for (const NamedKernel& row : rows) {
    if (beginning ? !row.word.starts_with(*beginning) : row.word != word) continue;
    if (!out) {
      out = KernelFacts{.word = row.word, .pass = row.pass, .schedule = row.schedule};
      continue;
    }
    out->word = {};
    if (out->pass != row.pass) out->pass.reset();
    if (out->schedule != row.schedule) out->schedule.reset();
  }
  return out;
}
// The argument of a launcher's template, such as the kernel type in cutlass::device_kernel<…>; of a cut name, the part
// that is there.
const CppName* type_at(const CppWord&, std::size_t index);

}  // namespace tilewalk
