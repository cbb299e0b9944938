// Compares a call's answer with a profile. A profile may have many calls and does not contain their shapes. So the
// result says which attention kernels ran, not that this call launched them.
#pragma once

#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/profile/profile.h"
#include "dispatch/rule_table.h"

namespace tilewalk {

struct JoinedKernel {
  std::string name, words;  // agreement, in words: "tile 64×256, as expected"
  std::int64_t calls = 0;
  std::optional<bool> as_expected;  // empty: nothing can be compared
};

struct ProfileJoin {
  std::string should, ran;            // "CUDNN_ATTENTION", "cuDNN 12 calls, FLASH · FA-1, FA-2 3 calls"
  std::string verdict;                // one or two sentences
  bool seen = false;                  // forward kernels of the expected backend ran
  std::vector<JoinedKernel> kernels;  // forward kernels of that backend, longest first
};

// For a call of PyTorch's scaled_dot_product_attention.
// The tables of all versions: another one may explain what ran.
ProfileJoin join_profile(const Call&, const std::vector<RuleTable>&, const Profile&);
std::string join_text(const ProfileJoin&);

}  // namespace tilewalk
