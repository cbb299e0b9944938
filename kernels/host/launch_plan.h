// What a problem needs from a device: its launches, the shared memory of each, and the kernels' arguments. Pure
// arithmetic; buffers: slots.h.
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
  bool forward = false;  // backward: the forward pass runs first, untraced and outside the timing
  std::int64_t shared_bytes() const;
};

std::vector<PassPlan> passes_of(const Problem&);

// Tile visits of one query head before each Q tile (flash_v1 and the backward passes: before each KV tile, in walk
// order), and all visits of one query head.
struct VisitPlan {
  std::vector<long long> before;
  std::int64_t per_head = 0;
};
VisitPlan visits_of(const Problem&);

// Shapes, mask and single numbers; no device memory yet.
LaunchArgs launch_args_of(const Problem&);

// "Q 16 KiB + K 16 KiB = 32 KiB"
std::string sum_text(const std::vector<SharedPart>&);

}  // namespace tilewalk
