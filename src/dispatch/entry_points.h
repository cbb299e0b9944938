// The ways to attention other than calling PyTorch's function: packages and names of other libraries, and which
// generation of FlashAttention runs behind each. Those that end in PyTorch's function are answered by its rules.
// Read from flash-attn's sources (tags up to v2.8.3, hopper/ and flash_attn/cute at fa4-v4.0.0.beta27), xFormers'
// dispatch.py of October 2025, torch's flex_attention.py and Transformers' documentation; not held against a machine,
// but for FlexAttention's kernels. Not modelled: rows of different lengths, causal masks aligned to the bottom right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/kernel_schedule.h"

namespace tilewalk {

// Why the text is no way in; none where it is one.
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
  KernelSchedule shown{};   // where it runs
  std::string otherwise{};  // where it does not: what happens instead
  std::string note{};       // what it makes of the call; empty: nothing
  std::string source{};
};

EntryPointAnswer entry_point_answer(const Call&);

}  // namespace tilewalk
