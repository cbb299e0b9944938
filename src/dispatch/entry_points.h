// Ways to call attention other than PyTorch's function: packages and functions of other libraries, and which generation
// of FlashAttention runs behind each. For those that end in PyTorch's function, its rules give the answer.
// Read from flash-attn's sources (tags v0.2.1 to v2.8.3, hopper/ and flash_attn/cute at fa4-v4.0.0.beta27), xFormers
// 0.0.35 (xformers_kernels.h), torch's flex_attention.py and Transformers' documentation; not compared with a real
// machine, except FlexAttention's kernels.
// Not modelled: rows of different lengths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/kernel_schedule.h"

namespace tilewalk {

// Why the text names no entry point; none where it does.
std::optional<std::string> refuse_entry_point(const std::string& text);

struct EntryPointCheck {
  std::string says;
  std::optional<bool> ok{};  // none: not reached
  std::string value{};
};

struct EntryPointAnswer {
  bool by_sdpa = false;  // PyTorch's rules decide
  std::string name{};    // "flash-attn 2.8.3"
  bool runs = false;
  std::vector<EntryPointCheck> checks{};
  KernelSchedule shown{};   // the kernel, where it runs
  std::string otherwise{};  // what happens instead, where it does not run
  std::string note{};       // how it changes the call; empty: not at all
  std::string source{};
};

EntryPointAnswer entry_point_answer(const Call&);

}  // namespace tilewalk
