#include "kernels/host/launch_plan.h"

#include <algorithm>

#include "base/units.h"
#include "core/walk/schedule.h"
#include "kernels/kernel_api.h"

namespace tilewalk {

std::int64_t PassPlan::shared_bytes() const {
  std::int64_t sum = 0;
  for (const SharedPart& part : shared) sum += part.bytes;
  return sum;
}

namespace {

// What a backward pass needs made first. P of a standard forward pass is wanted divided and in the storage type, however
// little SRAM the problem has, so its rows are held whole.
std::vector<PassPlan> forward_passes(Problem p, ScheduleKind forward) {
  p.schedule = forward;
  if (forward == ScheduleKind::Standard) p.machine.sram_bytes = p.shape.n_kv * 4 + 8;
  std::vector<PassPlan> passes = passes_of(p);
  for (PassPlan& each : passes) each.forward = true;
  return passes;
}

}  // namespace

std::vector<PassPlan> passes_of(const Problem& p) {
  const std::int64_t e = p.numerics.element_bytes(), heads = p.shape.batch * p.shape.heads, q_tiles = heads * p.q_tiles();
  const std::int64_t br = trace_rows(p), bc = trace_cols(p), q = br * p.shape.d, k = bc * p.shape.d, s = br * bc;
  const std::vector<SharedPart> walk = {{"Q", q * e},       {"K", k * e}, {"V", k * e},
                                        {"S and P", s * 4}, {"O", q * 4}, {"m, l and alpha", br * 12}};
  switch (p.schedule) {
    case ScheduleKind::Standard: break;
    case ScheduleKind::FlashV1: {
      std::vector<PassPlan> passes = {{Pass::FlashV1Initialise, q_tiles, {}},
                                      {Pass::FlashV1Walk,
                                       heads,
                                       {{"Q", q * e},
                                        {"K", k * e},
                                        {"V", k * e},
                                        {"S and P", s * 4},
                                        {"O", q * 4},
                                        {"m, l and weights", br * 20}}}};
      if (p.numerics.dtype != DType::Fp32) passes.push_back({Pass::FlashV1Round, q_tiles, {{"O", q * 4}}});
      return passes;
    }
    case ScheduleKind::FlashV2: return {{Pass::FlashV2, q_tiles, walk}};
    case ScheduleKind::FlashV3:
      return {{Pass::FlashV3,
               q_tiles,
               {{"Q", q * e},
                {"K and V in " + std::to_string(p.tiling.stages) + " stages", p.tiling.stages * k * e},
                {"S and P", s * 4},
                {"O", q * 4},
                {"m, l and alpha", br * 12}}}};
    case ScheduleKind::FlashV4: return {{Pass::FlashV4, q_tiles, walk}};
    case ScheduleKind::SplitKv:
      return {
          {Pass::SplitKvWalk, q_tiles * p.tiling.splits, walk},
          {Pass::SplitKvMerge, q_tiles, {{"L of the shares", p.tiling.splits * br * 4}, {"O", q * 4}, {"m and l", br * 8}}}};
    case ScheduleKind::Backward:
      return {forward_passes(p, ScheduleKind::FlashV2).front(),
              {Pass::BackwardDots, q_tiles, {{"O", q * e}, {"dO", q * e}}},
              {Pass::BackwardWalk,
               p.shape.batch * p.shape.kv_heads,
               {{"Q", q * e},
                {"dO", q * e},
                {"K", k * e},
                {"V", k * e},
                {"S and P", s * 4},
                {"dP and dS", s * 4},
                {"dQ", q * 4},
                {"dK", k * 4},
                {"dV", k * 4},
                {"L and D", br * 8}}},
              {Pass::BackwardScale, q_tiles, {}}};
    case ScheduleKind::BackwardV1: {
      std::vector<PassPlan> passes = forward_passes(p, ScheduleKind::FlashV1);
      passes.push_back({Pass::BackwardV1Initialise, q_tiles, {}});
      passes.push_back({Pass::BackwardV1Walk,
                        p.shape.batch * p.shape.kv_heads,
                        {{"Q", q * e},
                         {"O", q * e},
                         {"dO", q * e},
                         {"K", k * e},
                         {"V", k * e},
                         {"S and P", s * 4},
                         {"dP and dS", s * 4},
                         {"dQ", q * 4},
                         {"dK", k * 4},
                         {"dV", k * 4},
                         {"m, l and D", br * 12}}});
      passes.push_back({Pass::BackwardV1Scale, q_tiles, {}});
      return passes;
    }
    case ScheduleKind::BackwardStandard: {
      const std::int64_t kv_tiles = p.shape.batch * p.shape.kv_heads * p.kv_tiles(), row = backward_row_fits(p) ? p.shape.n_kv : bc;
      std::vector<PassPlan> passes = forward_passes(p, ScheduleKind::Standard);
      passes.push_back({Pass::BackwardStandardGradV, kv_tiles, {{"P", s * e}, {"dO", q * e}, {"dV", k * 4}}});
      passes.push_back({Pass::BackwardStandardGradP, q_tiles, {{"dO", q * e}, {"V", k * e}, {"dP", s * 4}}});
      passes.push_back({Pass::BackwardStandardGradS,
                        heads * p.shape.n_q,
                        {{"row of P", row * e}, {"row of dP and dS", row * 4}, {"D", 4}}});
      passes.push_back({Pass::BackwardStandardGradQ, q_tiles, {{"dS", s * e}, {"K", k * e}, {"dQ", q * 4}}});
      passes.push_back({Pass::BackwardStandardGradK, kv_tiles, {{"dS", s * e}, {"Q", q * e}, {"dK", k * 4}}});
      return passes;
    }
  }
  const bool fits = standard_row_fits(p);
  const std::int64_t row = fits ? p.shape.n_kv : bc;
  std::vector<SharedPart> output = {{"O", q * 4}, {"P", s * (fits ? e : 4)}, {"V", k * e}};
  if (!fits) output.push_back({"l", br * 4});
  return {{Pass::StandardScores, q_tiles, {{"Q", q * e}, {"K", k * e}, {"S", s * 4}}},
          {Pass::StandardSoftmax, heads * p.shape.n_q, {{"row of S", row * 4}, {"m and l", 8}}},
          {Pass::StandardOutput, q_tiles, output}};
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
      plan.per_head += visited_kv_tiles(turned, begin, begin + p.kv_tile_cols(kv_tile), p.shape.n_q, p.tiling.br).count();
    }
    return plan;
  }
  for (std::int64_t q_tile = 0; q_tile < p.q_tiles(); ++q_tile) {
    plan.before.push_back(plan.per_head);
    const std::int64_t begin = q_tile * p.tiling.br;
    plan.per_head += p.schedule == ScheduleKind::Standard
                         ? p.kv_tiles()
                         : visited_kv_tiles(band, begin, begin + p.q_tile_rows(q_tile), p.shape.n_kv, p.tiling.bc).count();
  }
  return plan;
}

StandardBackwardAttention attention_of(const Problem& p) {
  StandardBackwardAttention a{};
  a.batch = p.shape.batch;
  a.heads = p.shape.heads;
  a.kv_heads = p.shape.kv_heads;
  a.n_q = p.shape.n_q;
  a.n_kv = p.shape.n_kv;
  a.d = int(p.shape.d);
  a.br = int(trace_rows(p));
  a.bc = int(trace_cols(p));
  a.q_tiles = p.q_tiles();
  a.kv_tiles = p.kv_tiles();
  a.band_low = p.shape.band().low;
  a.band_high = p.shape.band().high;
  a.reverse = p.tiling.order == KvOrder::Reverse;
  a.c = p.score_factor();
  a.row_chunk = a.bc;
  a.threshold = float(p.tiling.rescale_threshold);
  a.splits = p.tiling.splits;
  a.split_tiles = p.split_tiles();
  a.stages = p.tiling.stages;
  a.g = p.gradient_factor();
  return a;
}

std::string sum_text(const std::vector<SharedPart>& parts) {
  std::string text;
  std::int64_t sum = 0;
  for (const SharedPart& part : parts) {
    text += (text.empty() ? "" : " + ") + part.name + " " + format_bytes(part.bytes);
    sum += part.bytes;
  }
  return text + " = " + format_bytes(sum);
}

namespace {

// The backward passes' own, not that of the forward pass before them.
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
