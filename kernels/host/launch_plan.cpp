#include "kernels/host/launch_plan.h"

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "kernels/kernel_api.h"

namespace tilewalk {

std::int64_t PassPlan::shared_bytes() const {
  std::int64_t sum = 0;
  for (const SharedPart& part : shared) sum += part.bytes;
  return sum;
}

namespace {

// Sizes for the launches of a problem: the number of thread blocks, and the bytes of one tile of each kind.
struct Sizes {
  explicit Sizes(const Problem& p)
      : e(p.numerics.element_bytes()),
        heads(p.shape.batch * p.shape.heads),
        q_tiles(heads * p.q_tiles()),
        kv_heads(p.shape.batch * p.shape.kv_heads),
        kv_tiles(kv_heads * p.kv_tiles()),
        br(trace_rows(p)),
        bc(trace_cols(p)),
        q(br * p.shape.d),
        k(bc * p.shape.d),
        s(br * bc) {}

  std::int64_t e, heads, q_tiles, kv_heads, kv_tiles;
  std::int64_t br, bc, q, k, s;  // elements of a Q tile, a KV tile, a score tile
};

std::vector<PassPlan> standard_passes(const Problem& p) {
  const Sizes n(p);
  const bool fits = standard_row_fits(p);
  std::vector<SharedPart> output = {{"O", n.q * 4}, {"P", n.s * (fits ? n.e : 4)}, {"V", n.k * n.e}};
  if (!fits) output.push_back({"l", n.br * 4});
  return {
      {Pass::StandardScores, n.q_tiles, {{"Q", n.q * n.e}, {"K", n.k * n.e}, {"S", n.s * 4}}},
      {Pass::StandardSoftmax, n.heads * p.shape.n_q, {{"row of S", (fits ? p.shape.n_kv : n.bc) * 4}, {"m and l", 8}}},
      {Pass::StandardOutput, n.q_tiles, output}};
}

std::vector<PassPlan> flash_v1_passes(const Problem& p) {
  const Sizes n(p);
  std::vector<PassPlan> passes = {{Pass::FlashV1Initialise, n.q_tiles, {}},
                                  {Pass::FlashV1Walk,
                                   n.heads,
                                   {{"Q", n.q * n.e},
                                    {"K", n.k * n.e},
                                    {"V", n.k * n.e},
                                    {"S and P", n.s * 4},
                                    {"O", n.q * 4},
                                    {"m, l and weights", n.br * 20}}}};
  if (p.numerics.dtype != DType::Fp32) passes.push_back({Pass::FlashV1Round, n.q_tiles, {{"O", n.q * 4}}});
  return passes;
}

// A walk over KV tiles with a running max and sum.
PassPlan online_walk(const Problem& p, Pass pass, std::int64_t blocks) {
  const Sizes n(p);
  return {pass,
          blocks,
          {{"Q", n.q * n.e},
           {"K", n.k * n.e},
           {"V", n.k * n.e},
           {"S and P", n.s * 4},
           {"O", n.q * 4},
           {"m, l and alpha", n.br * 12}}};
}

std::vector<PassPlan> flash_v3_passes(const Problem& p) {
  const Sizes n(p);
  return {{Pass::FlashV3,
           n.q_tiles,
           {{"Q", n.q * n.e},
            {"K and V in " + std::to_string(p.tiling.stages) + " stages", p.tiling.stages * n.k * n.e},
            {"S and P", n.s * 4},
            {"O", n.q * 4},
            {"m, l and alpha", n.br * 12}}}};
}

std::vector<PassPlan> split_kv_passes(const Problem& p) {
  const Sizes n(p);
  return {online_walk(p, Pass::SplitKvWalk, n.q_tiles * p.tiling.splits),
          {Pass::SplitKvMerge,
           n.q_tiles,
           {{"L of the shares", p.tiling.splits * n.br * 4}, {"O", n.q * 4}, {"m and l", n.br * 8}}}};
}

// The forward passes that a backward pass needs. The backward pass reads P of a standard forward pass divided and in
// the storage type, however little SRAM the problem has, so the forward pass keeps whole rows on chip.
std::vector<PassPlan> forward_passes(Problem p, ScheduleKind forward) {
  p.schedule = forward;
  if (forward == ScheduleKind::Standard) p.machine.sram_bytes = p.shape.n_kv * 4 + 8;
  std::vector<PassPlan> passes = passes_of(p);
  for (PassPlan& each : passes) each.forward = true;
  return passes;
}

std::vector<PassPlan> backward_passes(const Problem& p) {
  const Sizes n(p);
  std::vector<PassPlan> passes = forward_passes(p, ScheduleKind::FlashV2);
  passes.push_back({Pass::BackwardDots, n.q_tiles, {{"O", n.q * n.e}, {"dO", n.q * n.e}}});
  passes.push_back({Pass::BackwardWalk,
                    n.kv_heads,
                    {{"Q", n.q * n.e},
                     {"dO", n.q * n.e},
                     {"K", n.k * n.e},
                     {"V", n.k * n.e},
                     {"S and P", n.s * 4},
                     {"dP and dS", n.s * 4},
                     {"dQ", n.q * 4},
                     {"dK", n.k * 4},
                     {"dV", n.k * 4},
                     {"L and D", n.br * 8}}});
  passes.push_back({Pass::BackwardScale, n.q_tiles, {}});
  return passes;
}

std::vector<PassPlan> backward_v1_passes(const Problem& p) {
  const Sizes n(p);
  std::vector<PassPlan> passes = forward_passes(p, ScheduleKind::FlashV1);
  passes.push_back({Pass::BackwardV1Initialise, n.q_tiles, {}});
  passes.push_back({Pass::BackwardV1Walk,
                    n.kv_heads,
                    {{"Q", n.q * n.e},
                     {"O", n.q * n.e},
                     {"dO", n.q * n.e},
                     {"K", n.k * n.e},
                     {"V", n.k * n.e},
                     {"S and P", n.s * 4},
                     {"dP and dS", n.s * 4},
                     {"dQ", n.q * 4},
                     {"dK", n.k * 4},
                     {"dV", n.k * 4},
                     {"m, l and D", n.br * 12}}});
  passes.push_back({Pass::BackwardV1Scale, n.q_tiles, {}});
  return passes;
}

std::vector<PassPlan> backward_standard_passes(const Problem& p) {
  const Sizes n(p);
  const std::int64_t row = backward_row_fits(p) ? p.shape.n_kv : n.bc;
  std::vector<PassPlan> passes = forward_passes(p, ScheduleKind::Standard);
  passes.push_back({Pass::BackwardStandardGradV, n.kv_tiles, {{"P", n.s * n.e}, {"dO", n.q * n.e}, {"dV", n.k * 4}}});
  passes.push_back({Pass::BackwardStandardGradP, n.q_tiles, {{"dO", n.q * n.e}, {"V", n.k * n.e}, {"dP", n.s * 4}}});
  passes.push_back({Pass::BackwardStandardGradS,
                    n.heads * p.shape.n_q,
                    {{"row of P", row * n.e}, {"row of dP and dS", row * 4}, {"D", 4}}});
  passes.push_back({Pass::BackwardStandardGradQ, n.q_tiles, {{"dS", n.s * n.e}, {"K", n.k * n.e}, {"dQ", n.q * 4}}});
  passes.push_back({Pass::BackwardStandardGradK, n.kv_tiles, {{"dS", n.s * n.e}, {"Q", n.q * n.e}, {"dK", n.k * 4}}});
  return passes;
}

}  // namespace

std::vector<PassPlan> passes_of(const Problem& p) {
  switch (p.schedule) {
    case ScheduleKind::Standard: return standard_passes(p);
    case ScheduleKind::FlashV1: return flash_v1_passes(p);
    case ScheduleKind::FlashV2: return {online_walk(p, Pass::FlashV2, Sizes(p).q_tiles)};
    case ScheduleKind::FlashV3: return flash_v3_passes(p);
    case ScheduleKind::FlashV4: return {online_walk(p, Pass::FlashV4, Sizes(p).q_tiles)};
    case ScheduleKind::SplitKv: return split_kv_passes(p);
    case ScheduleKind::Backward: return backward_passes(p);
    case ScheduleKind::BackwardV1: return backward_v1_passes(p);
    case ScheduleKind::BackwardStandard: return backward_standard_passes(p);
  }
  return {};
}

VisitPlan visits_of(const Problem& p) {
  VisitPlan plan;
  const Band band = p.shape.band();
  const bool naive_backward = p.schedule == ScheduleKind::BackwardStandard;
  if (p.schedule == ScheduleKind::FlashV1 || is_backward(p.schedule)) {
    const Band turned = naive_backward ? Band{} : Band{-band.high, -band.low};
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
        p.schedule == ScheduleKind::Standard
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

std::string sum_text(const std::vector<SharedPart>& parts) {
  std::string text;
  std::int64_t sum = 0;
  for (const SharedPart& part : parts) {
    add_to_list(text, part.name + " " + format_bytes(part.bytes), " + ");
    sum += part.bytes;
  }
  return text + " = " + format_bytes(sum);
}

namespace {

// Of the backward pass itself, not of the forward pass before it.
PassPlan largest_pass(const Problem& p) {
  std::vector<PassPlan> passes = passes_of(p);
  std::erase_if(passes, [](const PassPlan& each) { return each.forward; });
  if (passes.empty()) return {};
  return *std::max_element(passes.begin(), passes.end(),
                           [](const PassPlan& a, const PassPlan& b) { return a.shared_bytes() < b.shared_bytes(); });
}

}  // namespace

std::int64_t kernel_shared_bytes(const Problem& p) { return largest_pass(p).shared_bytes(); }
std::string kernel_shared_sum(const Problem& p) { return sum_text(largest_pass(p).shared); }

}  // namespace tilewalk
