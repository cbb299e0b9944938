// Which launches a problem is made of, how many thread blocks each has, and how much shared memory a block needs. Pure
// arithmetic. What the launches are told: launch_plan.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/host/backend.h"

namespace tilewalk {

struct SharedPart {
  std::string name;
  std::int64_t bytes = 0;
};

struct PassPlan {
  Pass pass{};
  std::int64_t blocks = 0;
  std::vector<SharedPart> shared;
  bool forward = false;  // backward: what the forward pass leaves is made first, untraced and outside the timing
  std::int64_t shared_bytes() const;
};

std::vector<PassPlan> passes_of(const Problem&);

// "Q 16 KiB + K 16 KiB = 32 KiB"
std::string sum_text(const std::vector<SharedPart>&);

}  // namespace tilewalk
