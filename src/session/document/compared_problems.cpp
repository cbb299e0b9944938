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
  p.numerics.narrow_scores = may_have_narrow_scores(p);
  if (!has_kernel)
    if (const std::optional<RealTile> tile = real_tile(p)) p.tiling.br = tile->br, p.tiling.bc = tile->bc;
  p.lanes = walk.lanes;
  p.tiling.stages = walk.tiling.stages;
  p.tiling.rescale_threshold = walk.tiling.rescale_threshold;
  return under_schedule(p, walk.schedule);
}

namespace {

// Whether a problem does the work of its call as a kernel does it. naive: the call's naive walk.
bool is_walked_as_call(const Problem& p, const Problem& naive) {
  if (row_of(p).family.naive != naive.schedule) return false;  // the call is of the forward pass
  const bool as_naive =
      p.schedule == naive.schedule && p.tiling.br == naive.tiling.br && p.tiling.bc == naive.tiling.bc;
  return as_naive || contender_of(p, device_of(p.machine));
}

Problem naive_walk(const Problem& p, const AttentionCall& call) {
  return walked_by(method_of(Contender::Naive), call, device_of(p.machine));
}

}  // namespace

std::optional<AttentionCall> walked_call(const Problem& p) {
  const std::optional<AttentionCall> call = call_of(p);
  return call && !is_tiny(p) && is_walked_as_call(p, naive_walk(p, *call)) ? call : std::nullopt;
}

std::optional<Problem> under_own_tiles(const Problem& walk, ScheduleKind kind) {
  const std::optional<AttentionCall> call = call_of(walk);
  if (!call || is_tiny(walk)) return std::nullopt;
  const Problem naive = naive_walk(walk, *call);
  const bool under_naive =
      kind != walk.schedule && kind == row_of(walk).family.naive && kind == naive.schedule;  // not backward
  if (!under_naive && !is_walked_as_call(walk, naive)) return std::nullopt;
  Problem p = walk;
  p.schedule = kind;
  const Problem called = at_call(p, *call, device_of(walk.machine));
  p.tiling.br = called.tiling.br, p.tiling.bc = called.tiling.bc;
  if (kind != walk.schedule) p.numerics.narrow_scores = called.numerics.narrow_scores;
  return under_schedule(p, kind);
}

Problem compared_under(const Problem& walk, ScheduleKind kind) {
  if (std::optional<Problem> own = under_own_tiles(walk, kind)) return *std::move(own);
  Problem p = walk;
  p.schedule = kind;
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
