// The smallest change of a call that brings a faster backend. Each change there is gets tried, alone, on the call as it
// is; the evaluator says what would run. Where no single change helps, two are tried together. What is faster: cuDNN
// before FLASH on Hopper and Blackwell's data-centre cards, FLASH before cuDNN elsewhere, then EFFICIENT, then MATH.
// Not known here: how much faster, which `tilewalk predict` and `tilewalk race` tell.
#pragma once

#include <string>
#include <vector>

#include "dispatch/dispatch.h"

namespace tilewalk {

struct Advice {
  std::string change;  // in plain words, with the Python that does it: "attn_mask.requires_grad_(False)"
  std::string costs;   // what it changes beside the speed; empty: nothing
  Call call;           // as it would be
  SdpaBackend then{};  // what would run
};

std::vector<Advice> advice_for(const Call&, const RuleTable&);  // the smallest first, at most four

// 0 for nothing at all, more for the faster.
int speed_rank(const Call&, std::optional<SdpaBackend>);

}  // namespace tilewalk
