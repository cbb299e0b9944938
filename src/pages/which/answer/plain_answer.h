// The answer of the page of which attention runs, in plain words: which kernel refuses the call, what runs, and why.
#pragma once

#include <string>

#include "dispatch/dispatch.h"
#include "dispatch/entry_points.h"

namespace tilewalk {

struct PlainAnswer {         // refusal and runs: ASCII alone, for the font of figures
  std::string refusal = {};  // "cuDNN refuses this call: attn_mask needs a gradient"; empty: none does for the call
  std::string runs = {};     // "PyTorch 2.11 runs FlashAttention-2."; empty where nothing runs
  std::string because = {};  // "FLASH refuses the call: it takes no attn_mask."
};

PlainAnswer plain_answer(const Call&, const RuleTable&, const WhichAnswer&);
PlainAnswer plain_answer(const EntryPointAnswer&);  // of a way in that PyTorch's rules do not decide

}  // namespace tilewalk
