// The launches of a problem: how many thread blocks each has, and how much shared memory a block needs. Pure
// arithmetic. Their arguments: launch_plan.h.
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

std::vector<PassPlan> passes_of(const Problem&);  // of the schedule's rung; empty where it has none

// For the rows of kernels/registry.cpp.
std::vector<PassPlan> standard_passes(const Problem&);
std::vector<PassPlan> flash_v1_passes(const Problem&);
std::vector<PassPlan> online_passes(const Problem&, Pass);  // one launch: a running max and sum over the KV tiles
template <Pass pass>
std::vector<PassPlan> online_passes(const Problem& p) {
  return online_passes(p, pass);
}
std::vector<PassPlan> flash_v3_passes(const Problem&);
std::vector<PassPlan> split_kv_passes(const Problem&);
std::vector<PassPlan> backward_passes(const Problem&);
std::vector<PassPlan> backward_v1_passes(const Problem&);
std::vector<PassPlan> backward_standard_passes(const Problem&);

// "Q 16 KiB + K 16 KiB = 32 KiB"
std::string sum_text(const std::vector<SharedPart>&);

}  // namespace tilewalk
