#include "session/document/compared_problems.h"

#include <algorithm>

#include "core/chip/real_tiles.h"
#include "core/predict/attention_method.h"
#include "core/predict/compare.h"
#include "core/schedules/registry.h"

namespace tilewalk {

Problem at_call(const Problem& walk, const AttentionCall& call, const DeviceModel& device) {
  const AttentionMethod* const fast = fast_method_of(walk.schedule);
  const bool has_kernel = fast && why_not_there(*fast, call, device).empty();
  Problem p = walked_by(has_kernel ? *fast : method_of(Contender::Naive), call, device);
  p.schedule = walk.schedule;
  if (!has_kernel)
    if (const std::optional<RealTile> tile = real_tile(p)) p.tiling.br = tile->br, p.tiling.bc = tile->bc;
  p.lanes = walk.lanes;
  p.tiling.stages = walk.tiling.stages;
  p.tiling.rescale_threshold = walk.tiling.rescale_threshold;
  return under_schedule(p, walk.schedule);
}

std::optional<AttentionCall> walked_call(const Problem& p) {
  const std::optional<AttentionCall> call = call_of(p);
  if (!call || is_tiny(p)) return std::nullopt;
  const DeviceModel& device = device_of(p.machine);
  const Problem naive = walked_by(method_of(Contender::Naive), *call, device);
  if (row_of(p).family.naive != naive.schedule) return std::nullopt;  // the call is of the forward pass
  const bool as_naive =
      p.schedule == naive.schedule && p.tiling.br == naive.tiling.br && p.tiling.bc == naive.tiling.bc;
  return as_naive || contender_of(p, device) ? call : std::nullopt;
}

bool takes_own_tiles(const Problem& walk, ScheduleKind kind) {
  if (walked_call(walk)) return true;
  const std::optional<AttentionCall> call = call_of(walk);
  if (!call || is_tiny(walk) || kind == walk.schedule || kind != row_of(walk).family.naive) return false;
  return kind == walked_by(method_of(Contender::Naive), *call, device_of(walk.machine)).schedule;  // not backward
}

Problem compared_under(const Problem& walk, ScheduleKind kind) {
  Problem p = walk;
  p.schedule = kind;
  if (takes_own_tiles(walk, kind)) {
    const std::optional<AttentionCall> call = call_of(walk);
    const Problem called = at_call(p, *call, device_of(walk.machine));
    p.tiling.br = called.tiling.br, p.tiling.bc = called.tiling.bc;
  }
  return under_schedule(p, kind);
}

Problem at_recorded(const Problem& walk, const ChipRun& run) {
  Problem p = recorded_problem(run);
  p.shape.mask = walk.shape.n_q == walk.shape.n_kv && is_causal(walk.shape.mask.kind) ? walk.shape.mask : p.shape.mask;
  const bool same = p.shape == walk.shape && p.numerics.dtype == walk.numerics.dtype &&
                    p.machine.device == walk.machine.device && p.tiling == walk.tiling;
  return same ? walk : p;
}

bool is_tiny(const Problem& p) { return std::max(p.shape.n_q, p.shape.n_kv) < 1024; }

}  // namespace tilewalk
