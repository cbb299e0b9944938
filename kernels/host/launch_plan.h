// The arguments of a kernel that follow from the problem alone: its shape, and the place of each tile visit in the
// trace. Which kernels run: passes.h; their buffers: slots.h.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem/problem.h"
#include "kernels/host/launch_args.h"

namespace tilewalk {

// Tile visits of one query head before each Q tile (flash_v1 and the backward passes: before each KV tile, in walk
// order), and all visits of one query head.
struct VisitPlan {
  std::vector<long long> before;
  std::int64_t per_head = 0;
};
VisitPlan visits_of(const Problem&);

// Shapes, mask and single numbers; no device memory yet.
LaunchArgs launch_args_of(const Problem&);

}  // namespace tilewalk
