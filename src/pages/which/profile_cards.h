// The calls that a profile implies, one card for each group of attention kernels: the parts of the call that the name
// of the group's longest kernel contains, PyTorch's rules for such a call, and the commands that make it the window's.
// No name contains the lengths, the heads and the mask: a card takes them from the window's call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/profile/profile.h"
#include "dispatch/rule_table.h"
#include "session/command/command.h"

namespace tilewalk {

struct ProfileCard {
  std::string title;               // "EFFICIENT · CUTLASS"
  std::string figure;              // "62.1 %" of GPU time; its calls where the profile has no times
  std::string words;               // "forward · 12 calls, 0.45 ms"
  std::vector<std::string> facts;  // "bf16", "d up to 128", "tile 64×256"
  std::string verdict;             // what the rules say
  std::optional<bool> agrees;      // what ran is what the rules run; empty: no rules, or not PyTorch's kernel
  std::vector<Command> take;       // empty: the window's call has these fields already
};

// table: null where the call's version has no rules.
std::vector<ProfileCard> profile_cards(const Call& window, const RuleTable* table, const Profile&);

}  // namespace tilewalk
