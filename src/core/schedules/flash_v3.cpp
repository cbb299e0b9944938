// FlashAttention-3 (arXiv 2407.08608, Algorithms 1 and 2): steps, values and global traffic of FlashAttention-2,
// divided among specialised warps. Two consumer warpgroups share the rows of a Q tile, half each; a producer fills a
// circular buffer of `stages` tiles, K and V in turn. S, P, O, m and l are in the consumers' registers, so shared
// memory holds Q and the buffer. FlashAttention-4 is the same on chip, with S, P and O in tensor memory. When each warp
// works: core/chip/timeline.
#include <algorithm>

#include "core/problem/device_model.h"
#include "core/problem/fast_kernels.h"
#include "core/schedules/rows.h"

namespace tilewalk {

SchedulePlan flash_v3_plan(const Problem& p) {
  SchedulePlan plan = flash_v2_plan(p);
  const std::int64_t stages = p.tiling.stages;
  const std::int64_t full = std::min(p.tiling.bc, p.shape.n_kv) * p.shape.d * p.numerics.element_bytes();
  // The buffer exists from the first load to the last use, whatever the current tile.
  plan.residents = [inner = plan.residents, full, stages](SectionName section, Phase phase, std::int64_t r,
                                                          std::int64_t c) {
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

namespace {

const char* why_flash_v3_deadlocks(const Problem& p) {
  if (p.tiling.stages != 1) return nullptr;
  if (p.lanes.overlap)
    return "deadlocks: with overlap the next K is needed before this V is released, and one stage cannot hold both";
  if (p.lanes.ping_pong)
    return "deadlocks: a consumer's turn needs this V and the next K, and the other releases this V only in its own "
           "turn";
  return nullptr;
}

// hopper/tile_size.h, 16 bits; fp8 is not listed.
RealTile flash_v3_tile(const Problem& p) {
  constexpr const char* kSource = "hopper/tile_size.h";
  const bool causal = is_causal(p.shape.mask.kind);
  if (p.shape.d <= 64) return {192, causal ? 128 : 192, 12, "three consumer warpgroups", kSource};
  if (p.shape.d <= 96) return {192, 144, 12, "three consumer warpgroups", kSource};
  if (p.shape.d <= 128) return {128, causal ? 128 : 176, 8, "two consumer warpgroups", kSource};
  if (p.shape.d <= 192) return {128, 112, 8, "two consumer warpgroups", kSource};
  return {128, 80, 8, "two consumer warpgroups", kSource};
}

const char* why_no_flash_v3_kernel(const Problem& p) {
  return capability_of(p) == kHopper ? nullptr : "FlashAttention-3 runs on Hopper GPUs alone.";
}

// Slowdown of the copy engine (TMA) by pieces, d 72 to 120 beside d 80 to 128: 1.04 to 1.34,
// head_sizes_h200_2026-11-23.csv. cp.async copies 16 bytes at a time in any case.
constexpr double kCopyOfOddRows = 1.16;

}  // namespace

std::int64_t flash_v3_shared_bytes(const Problem& p, const DeviceModel&) {
  return flash_v3_shared(p.shape.d, p.tiling.br, p.tiling.bc, p.numerics.element_bytes(), p.tiling.stages);
}

const ScheduleRow kFlashV3{
    .identity = {.kind = ScheduleKind::FlashV3, .id = "flash_v3", .title = "FA-3", .tab = "FA-3"},
    .family = {.before = ScheduleKind::FlashV2,
               .naive = ScheduleKind::Standard,
               .tiled = ScheduleKind::FlashV3,
               .forward = ScheduleKind::FlashV3},
    .walk = {.plan = flash_v3_plan,
             .replay = by_rows<make_flash_v2_replay>,
             .softmax = SoftmaxKind::Online,
             .block = BlockKind::QTile,
             .sections = kOneWalk},
    .settings = {.stages = true, .warp_roles = true, .faults = kEveryFault},
    .formulas = {.textbook = flash_v2_textbook, .whole_run = flash_v2_whole_run},
    .memory = {.tensors = kOutputOnce},
    .lanes = {.write = flash_v3_lanes,
              .why_deadlock = why_flash_v3_deadlocks,
              .way_out = "Try --stages 2 or more, or switch ping-pong and overlap off",
              .recorded_on_chip = true},
    .chip = {.threads = 384,  // a producer and two consumer warpgroups
             .built_as = Contender::FlashV3,
             .whole_register_file = true,
             .products_by = ProductBy::Warpgroup,
             .softmax_beside_products = true,
             .shared_bytes = flash_v3_shared_bytes,
             .longest_first = true,
             .odd_rows = kCopyOfOddRows},
    .released = {.name = "fa3", .title = "FA-3's kernel", .tile = flash_v3_tile, .why_not = why_no_flash_v3_kernel}};

}  // namespace tilewalk
