// A launch's thread blocks over the SMs of a device: which SM runs how many blocks, from when to when, in modelled
// cycles.
//
// Modelled: as many thread blocks an SM as shared memory, threads and registers allow (scores and sums in registers, as
// in the fast kernels). Each free place takes the next thread block in order. A thread block's tile visits take the
// time of core/chip/visit_pace with its current neighbours on the SM (core/chip/sm_places). FA-1 launches batch x heads
// thread blocks, FA-2 one for each Q tile, split_kv one for each split of it, standard one for each Q tile in each
// pass. Where a fast kernel divides tiles along the keys, its whole tiles come first, then the parts.
// Not modelled: launch time, clusters, the real order in which hardware assigns thread blocks. Beyond `most_blocks`,
// several consecutive blocks run as one bundle, so the end of very large launches is coarse.
#pragma once

#include <string>
#include <vector>

#include "core/chip/fast_run.h"
#include "core/chip/timeline.h"

namespace tilewalk {

enum class BlockOrder { FirstToLast, LongestFirst };

struct SmLoad {
  std::int64_t blocks = 0;
  double busy = 0;  // cycles with at least one thread block
  double end = 0;   // when its last one ends
  bool in_first_wave = false;
};

struct BlockSpan {  // one thread block, for pictures
  int sm = 0, place = 0;
  double start = 0, end = 0;
  std::int64_t batch = 0, head = 0, q_tile = 0, split = 0, visits = 0;  // split: also a part of a divided tile
};

struct Occupancy {
  int blocks_per_sm = 0;  // 0: it does not fit on this device at all
  std::int64_t shared_bytes = 0;
  int threads = 0;
  std::string limit;  // "shared memory", "threads", "registers"
};
// One rule for every page. Shared memory: operands alone, of the fast kernel with these tiles (the schedule's
// chip.shared_bytes; where its buffers are too large for the device, the schedule's largest working set). Scores and
// sums are in registers. For teaching kernels, which keep everything in shared memory, use their_occupancy.
Occupancy occupancy(const Problem&, const DeviceModel&);
Occupancy their_occupancy(const Problem&, const DeviceModel&);

struct Waves {
  Occupancy occupancy;
  int sms = 0;
  std::int64_t blocks = 0, bundle = 1;  // thread blocks, and how many run as one
  std::int64_t waves = 0;               // each of as many blocks as fit at once
  double last_wave_fill = 0;            // 0 to 1
  int sms_in_first_wave = 0;
  double cycles = 0;
  double busy_fraction = 0;      // of all SMs' cycles until the end
  double tail = 0;               // cycles from the first SM that runs out of work to the end
  std::vector<SmLoad> loads;     // one an SM
  std::vector<BlockSpan> spans;  // the first `most_spans`
};

struct WavesOptions {
  BlockOrder order = BlockOrder::FirstToLast;
  std::int64_t sections = 1;  // the order is longest block first within each section; 1 to heads x batch, equal parts
                              // unless there is one head
  std::int64_t most_blocks = std::int64_t(1) << 20;
  std::int64_t most_spans = 0;
  const DeviceModel* device = nullptr;  // null: the problem's own
  // The build of a fast kernel that runs the problem: its thread blocks an SM, its divided tiles, its measured pace.
  // Null: all are derived.
  const fast::BuildChoice* build = nullptr;
};

// Precondition: the problem is valid and its device known.
Waves build_waves(const Schedule&, const WavesOptions& = {});

// The whole run in modelled cycles: the main launch as above, and the other launches (initialising, merging, rounding;
// all passes of standard) at the rate of their limit: DRAM, L2, tensor cores, exponential unit or fp32 lanes of the SMs
// that have work, after one DRAM latency each.
struct RunCycles {
  double main = 0, others = 0;
  std::string limit;  // standard: what limits its slowest pass
  double total() const { return main + others; }
};
RunCycles run_cycles(const Schedule&, const DeviceModel&, const Waves&);

}  // namespace tilewalk
