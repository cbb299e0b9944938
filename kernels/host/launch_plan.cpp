#include "kernels/host/launch_plan.h"

#include "core/schedules/registry.h"
#include "trace/trace.h"

namespace tilewalk {

VisitPlan visits_of(const Problem& p) {
  VisitPlan plan;
  const Band band = p.shape.band();
  const ScheduleRow& row = row_of(p);
  if (row.walk.block == BlockKind::Head || row.family.backward) {
    const Band turned = row.walk.softmax == SoftmaxKind::Stored ? Band{} : Band{-band.high, -band.low};
    plan.before.resize(std::size_t(p.kv_tiles()));
    for (std::int64_t place = 0; place < p.kv_tiles(); ++place) {
      const std::int64_t kv_tile = p.tiling.order == KvOrder::Reverse ? p.kv_tiles() - 1 - place : place,
                         begin = kv_tile * p.tiling.bc;
      plan.before[std::size_t(kv_tile)] = plan.per_head;
      plan.per_head +=
          visited_kv_tiles(turned, begin, begin + p.kv_tile_cols(kv_tile), p.shape.n_q, p.tiling.br).count();
    }
    return plan;
  }
  for (std::int64_t q_tile = 0; q_tile < p.q_tiles(); ++q_tile) {
    plan.before.push_back(plan.per_head);
    const std::int64_t begin = q_tile * p.tiling.br;
    plan.per_head +=
        row.walk.softmax == SoftmaxKind::WholeRows
            ? p.kv_tiles()
            : visited_kv_tiles(band, begin, begin + p.q_tile_rows(q_tile), p.shape.n_kv, p.tiling.bc).count();
  }
  return plan;
}

LaunchArgs launch_args_of(const Problem& p) {
  LaunchArgs args;
  args.problem = {.batch = p.shape.batch,
                  .heads = p.shape.heads,
                  .kv_heads = p.shape.kv_heads,
                  .n_q = p.shape.n_q,
                  .n_kv = p.shape.n_kv,
                  .d = int(p.shape.d),
                  .br = int(trace_rows(p)),
                  .bc = int(trace_cols(p)),
                  .q_tiles = p.q_tiles(),
                  .kv_tiles = p.kv_tiles(),
                  .band_low = p.shape.band().low,
                  .band_high = p.shape.band().high,
                  .reverse = p.tiling.order == KvOrder::Reverse,
                  .c = p.score_factor(),
                  .first_block = 0};
  args.threshold = float(p.tiling.rescale_threshold);
  args.stages = p.tiling.stages;
  args.splits = p.tiling.splits;
  args.split_tiles = p.split_tiles();
  args.g = p.gradient_factor();
  return args;
}

}  // namespace tilewalk
