// Estimates how many of the bytes that a schedule asks of global memory reach DRAM, given the L2 size. The rules:
//
// The first read of a byte comes from DRAM, unless an earlier launch left it in L2. A launch also reads its own
// instructions.
// Later Q tiles read K and V again. Thread blocks that run together walk in step and share one read. A later wave finds
// the tiles in L2 if the working set of the blocks that run together fits; between one and two times L2 the hits fade.
// Every split of split_kv reads the same Q, and hits. A stream of S or P past that working set evicts about 1 % of its
// own size of it, times the share of L2 that the working set takes.
// flash_v1, backward and backward_v1 read some rows again at every KV tile. These rows form a cycle: every access hits
// while the rows still to come fit, and every access misses when they do not fit. The dirty part of the cycle is
// written back from a slightly smaller size on.
// What one launch writes and a later one reads (S, P, partial outputs) stays in L2 as far as all of it fits.
// A written byte counts as a DRAM write once, whenever it leaves L2, even after the launch has ended. The bytes still
// dirty when the launch ends, dirty_bytes, are at most about half the L2. (A launch that only writes leaves 29 MB of
// the H200's 63, and writes back the rest while it runs.) Reads in between evict dirty bytes: only bytes written within
// the last 54 MB or so of incoming data are still dirty.
// Bytes that thread blocks all over the GPU read count twice in L2, since each half of the L2 keeps a copy.
// Rules and shares were measured with launches that only read and write (assets/measurements/l2_writes_h200.csv,
// tests/gpu/l2_probe.cu).
// tests/unit/measured/hardware_traffic_test compares the model with an H200's own counters: DRAM reads agree within 10
// %; DRAM writes within 10 %, beside what the GPU writes by itself while a launch runs (256 KiB every 7 to 14 ms, with
// or without a kernel); the dirty bytes at the end agree less closely. One launch is known to differ more: standard's
// scores at one head of 16,384 rows read K 0.2 to 1.6 times more often, where the model has 0.8, since the thread
// blocks of one wave drift apart.
// Not modelled: that drift, replacement policy, set conflicts, compression, half-used sectors.
#pragma once

#include <array>
#include <vector>

#include "core/problem/device_model.h"
#include "core/walk/schedule.h"

namespace tilewalk {

struct L2Options {
  double usable = 0.75;             // share of the L2 that holds K and V for a later wave, or S for a later launch
  bool count_instructions = false;  // includes what a launch reads of its own code, as profilers see it
  std::int64_t l2_bytes = 0;        // 0: the device's
  int thread_blocks_at_once = 0;    // 0: SMs x thread blocks an SM (core/chip/waves)
  bool teaching_kernels = false;    // they hold scores and sums in shared memory too, so fewer blocks run at once
  bool cold_launches = false;       // L2 emptied before each launch, as profilers do by default
  bool count_last_writes = true;    // what is dirty in L2 at the end counts as written
  // Shares of the L2, measured on an H200 (60 MiB) by tests/gpu/l2_probe.cu and by the kernels themselves:
  double cycle_read = 0.70;   // a larger cycle of rows misses at each repetition
  double cycle_write = 0.64;  // a larger cycle writes its dirty rows to DRAM at each repetition
  double dirty = 0.46;        // the largest share that can be dirty: the rest is written back at once
  double recent = 0.86;       // written bytes leave L2 after this much more data has come in
};

struct L2Launch {
  std::array<Traffic, kTensorCount> asked{}, dram{};
  double hit_share = 0;  // of the bytes that are read again
  std::int64_t working_set_bytes = 0;
  std::int64_t instruction_bytes = 0;  // counted only in dram_total
  std::int64_t dirty_bytes = 0;        // bytes that the launch wrote and that only L2 holds when it ends
  Traffic asked_total() const;
  Traffic dram_total() const;
};

struct L2Estimate {
  std::vector<L2Launch> launches;  // one a section
  std::int64_t usable_bytes = 0;
  Traffic asked_total() const;
  Traffic dram_total() const;
};

// O(Q tiles) at most. Precondition: the problem is valid and its device known.
L2Estimate estimate_l2(const Schedule&, const L2Options& = {});

// Share of repeated reads that hit, for a working set and an L2 of this size: 1 while the set fits, 0 from twice the L2
// size.
double l2_hit_share(std::int64_t working_set_bytes, std::int64_t usable_bytes);

}  // namespace tilewalk
