// The smallest change of a call that makes PyTorch choose a higher-ranked backend. Every possible change is tried alone
// on the call; the evaluator says which backend would run. Where no single change helps, pairs are tried. The rank is
// the usual order of speed on a full GPU: cuDNN before FLASH on Hopper and Blackwell's data-centre cards, FLASH before
// cuDNN elsewhere, then EFFICIENT, then MATH. With few heads or short rows the order may differ, as some recorded calls
// show.
// Not here: times, which recordings and `tilewalk predict` have.
#pragma once

#include <string>
#include <vector>

#include "dispatch/dispatch.h"

namespace tilewalk {

struct Advice {
  std::string change;  // in plain words, with its Python: "attn_mask.requires_grad_(False)"
  std::string costs;   // what it changes besides the speed; empty: nothing
  Call call;           // the changed call
  SdpaBackend then{};  // the backend that would run
};

std::vector<Advice> advice_for(const Call&, const RuleTable&);  // smallest first, at most four

// 0 for no backend, larger for a higher rank.
int speed_rank(const Call&, std::optional<SdpaBackend>);
std::string rank_words(const Call&);  // "cuDNN, FLASH, EFFICIENT, MATH"

}  // namespace tilewalk
