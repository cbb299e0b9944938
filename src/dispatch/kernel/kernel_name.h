// What the name of a GPU kernel tells: which attention it is of, which pass, for which chip, number format, head size
// and tile it was built, and which schedule of Tilewalk shows it.
// A part that the name does not tell is empty, never guessed: a tile is there only where the name says which of its
// numbers are rows of Q and which are keys. Names may be as profilers print them, mangled, or cut short.
// A kernel is attention where it has a family, or is Other and has a pass or a program (one without a family).
// A softmax alone is no attention: its name tells not whose it is. Other names may speak of attention all the same.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/problem/problem.h"

namespace tilewalk {

enum class KernelFamily {
  Cudnn,       // NVIDIA's cuDNN
  Flash,       // FlashAttention 1 and 2, PyTorch's copy included
  Efficient,   // PyTorch's memory-efficient attention
  Flash3,      // FlashAttention-3
  Flash4,      // FlashAttention-4
  Xformers,    // xFormers, where PyTorch's copy has its kernels from
  Triton,      // written in Triton, by known names
  Flashinfer,  // FlashInfer
  Flex,        // FlexAttention, compiled by PyTorch
  Math,        // a softmax of scores, by its name; the products of such attention are plain matrix products by name
  Other
};
enum class KernelPass {
  Forward,
  Backward,
  Combine,  // merges what several thread blocks found for the same rows
  Helper    // before or after: row sums of O and dO, conversions, lists of work
};

const char* name_of(KernelFamily);
const char* name_of(KernelPass);

struct KernelTile {
  int q_rows = 0;
  int keys = 0;
  bool operator==(const KernelTile&) const = default;
};

struct DecodedKernel {
  KernelFamily family = KernelFamily::Other;
  std::optional<KernelPass> pass = {};
  std::optional<int> sm = {};             // 90
  std::optional<std::string> dtype = {};  // "fp32", "fp16", "bf16" or "fp8"
  std::optional<int> d = {};              // the head size that it was built for
  std::optional<KernelTile> tile = {};
  std::optional<bool> split_kv = {};  // whether a row's keys are shared out among thread blocks
  std::optional<ScheduleKind> schedule = {};
  std::optional<std::string> program = {};  // of family Other: "TensorRT-LLM"

  bool is_attention() const { return family != KernelFamily::Other || pass.has_value() || program.has_value(); }
  bool operator==(const DecodedKernel&) const = default;
};

DecodedKernel decode_kernel(std::string_view name);

// Of a kernel that is no attention that is known here.
enum class NameHint {
  None,
  Softmax,   // of attention or of anything else
  Attention  // its name speaks of attention
};
NameHint hint_of(std::string_view name);
const char* words_of(NameHint);  // a sentence; empty for None
// What a softmax is where something else than its name says that it is attention's; none: it is no softmax.
std::optional<DecodedKernel> as_part_of_attention(std::string_view name);

}  // namespace tilewalk
