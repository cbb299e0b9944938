// The answer of the page of which attention runs, in two sentences in plain words: what runs, and why.
#pragma once

#include <string>

#include "dispatch/dispatch.h"
#include "dispatch/entry_points.h"

namespace tilewalk {

struct PlainAnswer {
  std::string runs;     // "PyTorch 2.11 runs FlashAttention-2.": ASCII alone, for the font of figures
  std::string because;  // "cuDNN, which it tries first, refuses this call: it takes no mask that needs a gradient."
};

// Empty where nothing runs.
PlainAnswer plain_answer(const Call&, const RuleTable&, const WhichAnswer&);
PlainAnswer plain_answer(const EntryPointAnswer&);  // of a way in that PyTorch's rules do not decide

}  // namespace tilewalk
