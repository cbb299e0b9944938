// The ways to attention other than calling PyTorch's function: packages and names of other libraries, and which
// generation of FlashAttention runs behind each. Those that end in PyTorch's function are answered by its rules.
// Read from flash-attn's README and sources, xFormers' dispatch.py and Transformers' documentation; not held against a
// machine, unlike PyTorch's rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/shown_by.h"

namespace tilewalk {

// Why the text is no way in; none where it is one.
std::optional<std::string> refuse_way_in(const std::string& text);

struct WayCheck {
  std::string says;
  std::optional<bool> ok{};  // none: not reached
  std::string value{};
};

struct WayAnswer {
  bool by_sdpa = false;  // PyTorch's rules decide
  std::string name{};    // "flash-attn 2.8.3"
  bool runs = false;
  std::vector<WayCheck> checks{};
  ShownBy shown{};          // where it runs
  std::string otherwise{};  // where it does not: what happens instead
  std::string source{};
};

WayAnswer answer_of_way(const Call&);

}  // namespace tilewalk
