// What the name of a GPU kernel says: which program's attention it is, which pass, its GPU architecture, number format,
// head size and tile, and which schedule of Tilewalk shows it.
// A part that is not in the name is empty, never guessed: there is a tile only where the name says which of its numbers
// are rows of Q and which are keys. Names may be as profilers print them, mangled, or truncated.
// A kernel is attention where it has a family, or is Other and has a pass or a program (one without a family).
// A softmax alone is not attention: its name does not say what it is part of. Other names may still contain the word
// attention.
#pragma once

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
  Xformers,    // xFormers, the origin of PyTorch's copy
  Triton,      // written in Triton, with known names
  Flashinfer,  // FlashInfer
  Flex,        // FlexAttention, compiled by PyTorch
  Math,  // a softmax of scores, by its name; the products of such attention have the names of plain matrix products
  Other
};
enum class KernelPass {
  Forward,
  Backward,
  Combine,  // merges the results of several thread blocks for the same rows
  Helper    // before or after: row sums of O and dO, conversions, work lists
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
  std::optional<int> d = {};              // the head size of its build
  std::optional<KernelTile> tile = {};
  std::optional<bool> split_kv = {};  // true if a row's keys are divided among thread blocks
  std::optional<ScheduleKind> schedule = {};
  std::optional<std::string> program = {};  // of family Other: "TensorRT-LLM"

  bool is_attention() const { return family != KernelFamily::Other || pass.has_value() || program.has_value(); }
  bool operator==(const DecodedKernel&) const = default;
};

DecodedKernel decode_kernel(std::string_view name);

// A hint in the name of a kernel that is not known as attention.
enum class NameHint {
  None,
  Softmax,   // of attention or of something else
  Attention  // its name contains a word for attention
};
NameHint hint_of(std::string_view name);
const char* hint_text(NameHint);  // a sentence; empty for None
// Decodes a softmax that is known from elsewhere to be part of attention; none: it is no softmax.
std::optional<DecodedKernel> as_part_of_attention(std::string_view name);

}  // namespace tilewalk
