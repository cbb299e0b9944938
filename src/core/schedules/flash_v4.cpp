// FlashAttention-4: steps and global traffic of FlashAttention-3, with S, P and O in tensor memory. It does not follow
// a max that grew by no more than a threshold, so it rescales O rarely, and computes a share of the exponentials by a
// polynomial.
#include "core/schedules/rows.h"

namespace tilewalk {
namespace {

const char* why_flash_v4_deadlocks(const Problem& p) {
  if (p.tiling.stages != 1) return nullptr;
  return "deadlocks: the next K is multiplied with one Q tile before the other has released this V, and one stage "
         "cannot hold both";
}

}  // namespace

namespace {

// The row max follows only a max that grew by more than the threshold.
const PhaseLedger& flash_v4_phases() {
  static const PhaseLedger rows = [] {
    const Made follow{.quantity = Quantity::Follow,
                      .from = {before(Quantity::M), Quantity::TileMax},
                      .note = "m follows only where the tile's max beats it by more than the threshold.",
                      .printed = false};
    Made max = running_max();
    max.from.push_back(Quantity::Follow);
    max.start = "m is −∞ before the first visit{threshold}";
    max.note = "It stays where the tile max is above it by no more than the threshold.";
    return PhaseLedger{{Phase::RowMax, {tile_max(false), follow, max}}};
  }();
  return rows;
}

// Its kernel (flash_attn/cute/flash_fwd_sm100.py) keeps S, P and O in tensor memory, which sm_100 to sm_110 have. The
// same package's kernel for Hopper has a schedule of FA-3's kind.
const char* why_no_flash_v4_kernel(const Problem& p) {
  const int capability = capability_of(p);
  const bool has_tensor_memory = capability >= 100 && capability < 120;
  return capability == 0 || has_tensor_memory ? nullptr
                                              : "FlashAttention-4's schedule needs a Blackwell GPU with tensor memory.";
}

}  // namespace

const ScheduleRow kFlashV4{
    .identity = {.kind = ScheduleKind::FlashV4, .id = "flash_v4", .title = "FA-4", .tab = "FA-4"},
    .family = {.before = ScheduleKind::FlashV3,
               .naive = ScheduleKind::Standard,
               .tiled = ScheduleKind::FlashV4,
               .forward = ScheduleKind::FlashV4},
    .walk = {.plan = flash_v3_plan,
             .replay = by_rows<make_flash_v2_replay>,
             .softmax = SoftmaxKind::Online,
             .own_phases = flash_v4_phases,
             .block = BlockKind::QTile,
             .sections = kOneWalk},
    .settings = {.rescale_threshold = true, .stages = true, .exp2_share = true, .faults = kEveryFault},
    .formulas = {.textbook = flash_v2_textbook, .whole_run = flash_v2_whole_run},
    .memory = {.tensors = kOutputOnce},
    .lanes = {.write = flash_v4_lanes, .why_deadlock = why_flash_v4_deadlocks, .way_out = "Try --stages 2 or more"},
    .chip = {.threads = 512,  // sixteen warps
             .whole_register_file = true,
             .products_by = ProductBy::Warpgroup,
             .softmax_beside_products = true,
             .softmax_warpgroups = 2,
             .shared_bytes = flash_v3_shared_bytes,
             .beside_shared = "S and O in tensor memory",
             .longest_first = true},
    .released = {.why_not = why_no_flash_v4_kernel}};

}  // namespace tilewalk
