// What should have run beside what ran: a call's answer compared with a profile. A profile may hold many calls, and
// does not tell their shapes: so what is found is what kernels of attention there are, not that this call launched
// them.
#pragma once

#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/profile/profile.h"
#include "dispatch/rule_table.h"

namespace tilewalk {

struct JoinedKernel {
  std::string name, told;  // "tile 64×256 as told, keys shared out as told"
  std::int64_t calls = 0;
  std::optional<bool> as_told;  // none: nothing of it can be compared
};

struct ProfileJoin {
  std::string should, ran;            // "CUDNN_ATTENTION", "cuDNN 12 calls, FLASH · FA-1, FA-2 3 calls"
  std::string verdict;                // one sentence or two
  bool seen = false;                  // forward kernels of what should have run
  std::vector<JoinedKernel> kernels;  // forward ones of it, the longest first
};

// Of a call that PyTorch's function answers.
ProfileJoin join_profile(const Call&, const RuleTable&, const Profile&);
std::string join_text(const ProfileJoin&);

}  // namespace tilewalk
