// A schedule's row: all that other code needs to know about it, as plain data or one function each. Other code asks for
// a trait here instead of branching on the kind of schedule. Each schedule's own file defines its row and
// core/schedules/registry lists it; view has the sentences about schedules. Invariant (tests): one row a kind, every
// function set, names unique.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/lanes/lane_writer.h"
#include "core/problem/contender.h"
#include "core/schedules/ledger.h"
#include "core/values/group_replay.h"
#include "core/walk/schedule.h"
#include "core/witness/formulas.h"

namespace tilewalk {

struct ScheduleIdentity {
  ScheduleKind kind{};
  const char* id = "";     // in the command line and in files: "flash_v2"
  const char* title = "";  // in sentences: "FA-2 backward"
  const char* tab = "";    // in the group of its direction: "FA-2"
};

struct ScheduleFamily {
  bool backward = false;
  ScheduleKind before{};   // the default baseline of a comparison
  ScheduleKind naive{};    // naive attention of its direction; itself if it is naive
  ScheduleKind tiled{};    // for naive attention: the tiled schedule whose traffic is compared with it; else itself
  ScheduleKind forward{};  // the schedule whose results it reads; for a forward pass: itself
};

enum class BlockKind { QTile, Head, Split };  // what one thread block of the main launch does

struct SectionRow {
  SectionName name{};
  std::int64_t code_bytes = 0;  // instructions and constants that the teaching kernel's launch reads, on an H200
};

struct ScheduleWalk {
  SchedulePlan (*plan)(const Problem&) = nullptr;
  std::unique_ptr<GroupReplay> (*replay)(const Schedule&, const Inputs&, const std::shared_ptr<WorkerPool>&) = nullptr;
  SoftmaxKind softmax{};
  const PhaseLedger& (*own_phases)() = nullptr;  // before those of its kind of softmax; null: none
  BlockKind block{};
  std::span<const SectionRow> sections{};  // in order; the last may be missing where the problem does not need it
};

// Settings and faults that apply to it; the others keep their defaults.
struct ScheduleSettings {
  bool splits = false;
  bool rescale_threshold = false;
  bool stages = false;
  bool warp_roles = false;  // warp specialisation, ping-pong, overlap
  bool exp2_share = false;
  bool narrow_scores = false;  // S may have the problem's dtype in HBM
  std::span<const Fault> faults{};
};

// Independent of the plan: the tests compare the two.
struct ScheduleFormulas {
  Textbook (*textbook)(const Problem&) = nullptr;
  Cost (*whole_run)(const Problem&) = nullptr;
};

// The width of a tensor's row.
enum class Width {
  Stored,    // d values of the dtype
  Summed,    // d sums in fp32
  Scores,    // n_kv values in fp32
  Weights,   // n_kv values of the dtype
  Number,    // one in fp32
  Pair,      // two in fp32
  Partials,  // of each split: d sums and a number, in fp32
};

// The lifetime of a tensor in HBM.
enum class Life {
  Given,    // present from the start
  Once,     // written once, when complete
  Passes,   // written by one launch, and read by later launches if at all
  Travels,  // read and written again at every visit
  Merged,   // written by the merge
  Never,    // never written to HBM
};

struct HbmTensor {
  TensorId id{};
  Width width{};
  Life life{};
  const char* letters = nullptr;  // null: its name
};

struct RowState {
  TensorId id{};
  Width width{};
};

struct ScheduleMemory {
  bool scores_in_hbm = false;            // S and P (or dP and dS) are written whole to HBM
  std::span<const HbmTensor> tensors{};  // beside Q, K and V
  std::span<const RowState>
      reread{};  // read again for every row at every KV tile, by a thread block that walks whole heads
};

struct ScheduleLanes {
  LaneProgram (*write)(LaneWriter, std::int64_t visits, const std::vector<bool>& rescaled) = nullptr;  // null: none
  const char* (*why_deadlock)(const Problem&) = nullptr;  // why so few stages would deadlock; null where they would not
  const char* way_out = "";                               // how to avoid such a deadlock
  bool recorded_on_chip = false;                          // lanes of its kernel were recorded by time stamps on a GPU
};

// The instruction of its products on the cards that it was written for.
enum class ProductBy { MmaSync, Warpgroup };

struct ScheduleChip {
  int threads = 0;                          // of a thread block; 0: four warps, eight for large heads
  Contender built_as = Contender::FlashV1;  // its fast kernel, or one built for the same head sizes (fast_kernels.h)
  bool whole_register_file = false;         // one thread block fills an SM
  bool warps_share_rows = false;            // split-K: a warp has all rows and some keys
  ProductBy products_by = ProductBy::MmaSync;
  int products = 2;                      // of a tile visit, each rows x keys x d
  bool softmax_beside_products = false;  // warps of one SM do both at the same time
  int softmax_warpgroups = 0;            // that divide a tile's rows, where another warp multiplies; 0: they multiply
  // Shared memory of a thread block of a fast kernel with the problem's tiles: operands, without what is elsewhere on
  // chip. Null: the schedule's largest working set.
  std::int64_t (*shared_bytes)(const Problem&, const DeviceModel&) = nullptr;
  const char* beside_shared = "S and O in registers";  // what is elsewhere, in words
  bool longest_first = false;  // under a causal mask, by sections of heads whose K and V fit in L2 together
  double odd_rows = 1;         // factor of its time where rows of Q, K and V end inside a 32-byte piece
  // Cycles of a visit beyond products and softmax, in which warps wait for memory and for each other: for a thread
  // block alone on its SM, and per visit where it shares the SM. Measured alone, on an H200.
  double exchange_cycles_alone = 0, exchange_cycles = 0;
  double exchange_per_column = 0;  // of the head, beyond 64, for a thread block alone on its SM
  double skipped_per_column = 0;   // of those, saved for each column of the build that the head lacks
  double mask_cycles = 0;          // more under a causal mask, where a visit has 256 keys
};

struct RealTile {
  std::int64_t br = 0, bc = 0;
  int warps = 0;     // flash_v3: number of consumer warps
  std::string note;  // the reason for this tile, one phrase; may be empty
  std::string source;
};

// The released kernel of this schedule, where its tile sizes are known.
struct ScheduleReleased {
  const char* name = nullptr;      // "fa2"; null: none is listed
  const char* title = "";          // "FA-2's kernel"
  bool own_schedule_only = false;  // offered only under its own schedule
  RealTile (*tile)(const Problem&) = nullptr;
  const char* (*why_not)(const Problem&) = nullptr;                 // null where it would run
  std::optional<RealTile> (*paper_tile)(const Problem&) = nullptr;  // by the rule in the FlashAttention paper
};

struct ScheduleRow {
  ScheduleIdentity identity{};
  ScheduleFamily family{};
  ScheduleWalk walk{};
  ScheduleSettings settings{};
  ScheduleFormulas formulas{};
  ScheduleMemory memory{};
  ScheduleLanes lanes{};
  ScheduleChip chip{};
  ScheduleReleased released{};
};

}  // namespace tilewalk
