// FlashAttention-3 (arXiv 2407.08608, Algorithms 1 and 2): steps, values and global traffic of FlashAttention-2, done
// by other hands. Two consumer warpgroups share the rows of a Q tile, half each; a producer keeps a circular buffer of
// `stages` tiles filled, K and V in turn. S, P, O, m and l live in the consumers' registers, so shared memory holds Q
// and the buffer. FlashAttention-4 is the same on chip, with S, P and O in tensor memory. Who works when:
// core/chip/timeline.
#include <algorithm>

#include "core/walk/sectioned_schedule.h"

namespace tilewalk {

SchedulePlan flash_v3_plan(const Problem& p) {
  SchedulePlan plan = flash_v2_plan(p);
  const std::int64_t full = std::min(p.tiling.bc, p.shape.n_kv) * p.shape.d * p.numerics.element_bytes(), stages = p.tiling.stages;
  // The buffer is there from the first load to the last use, whatever the tile at hand.
  plan.residents = [inner = plan.residents, full, stages](int section, Phase phase, std::int64_t r, std::int64_t c) {
    std::vector<Resident> now;
    for (const Resident& each : inner(section, phase, r, c)) {
      if (each.tensor == TensorId::Q)
        now.push_back(each);
      else if (each.tensor == TensorId::K)
        now.push_back({TensorId::K, (stages + 1) / 2 * full});
      else if (each.tensor == TensorId::V)
        now.push_back({TensorId::V, stages / 2 * full});
      else
        now.push_back({each.tensor, 0, each.bytes});
    }
    return now;
  };
  return plan;
}

const char* why_stages_deadlock(const Problem& p) {
  if (p.tiling.stages != 1) return nullptr;
  if (p.schedule == ScheduleKind::FlashV4)
    return "deadlocks: the next K is multiplied with one Q tile before the other has released this V, and one stage "
           "cannot hold both";
  if (p.schedule != ScheduleKind::FlashV3) return nullptr;
  if (p.lanes.overlap)
    return "deadlocks: with overlap the next K is needed before this V is released, and one stage cannot hold both";
  if (p.lanes.ping_pong)
    return "deadlocks: a consumer's turn needs this V and the next K, and the other releases this V only in its own "
           "turn";
  return nullptr;
}

}  // namespace tilewalk
