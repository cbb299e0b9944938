// The smallest change of a call that brings a backend which ranks higher. Each change there is gets tried, alone, on
// the call as it is; the evaluator says what would run. Where no single change helps, two are tried together. The rank
// is how backends mostly come in on a full GPU: cuDNN before FLASH on Hopper and Blackwell's data-centre cards, FLASH
// before cuDNN elsewhere, then EFFICIENT, then MATH. With few heads or short rows it may be otherwise, and some
// recorded calls say so. Not known here: times, which recordings and `tilewalk predict` tell.
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

// 0 for nothing at all, more for what ranks higher.
int speed_rank(const Call&, std::optional<SdpaBackend>);
std::string rank_words(const Call&);  // "cuDNN, FLASH, EFFICIENT, MATH"

}  // namespace tilewalk
