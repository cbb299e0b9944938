// How much of what a schedule asks of global memory would reach DRAM, given the L2 size. An estimate, by rule:
//
// First readings come from DRAM, unless an earlier launch left the bytes in L2. A launch also reads its own
// instructions. K and V are read again by later Q tiles: thread blocks that run together walk in step and share one
// reading, and a later wave finds the tiles in L2 if the working set of those that run together fits. Between one and
// two times L2 the hits fade. Q of split_kv is read by every split, and hits. A stream of S or P past that working set
// evicts about 1 % of its own size of it, times the share of L2 that the working set takes. What flash_v1, backward and
// backward_v1 take in again for every row at every KV tile comes round in a cycle: it all hits while the rows still to
// come fit, and all misses while they do not; its dirty part is written back from a little earlier on. What one launch
// writes and a later one reads (S, P, partial outputs) stays in L2 as far as all of it fits. What is written counts as
// DRAM's until the last dirty byte has left L2, so a value written once is written once, whenever it leaves. A launch
// ends before that. What is then still dirty, dirty_bytes, is at most about half the L2 (a launch that only writes
// leaves 29 MB of the H200's 63, and writes back all the rest while it runs), and less as reads come between and evict
// it: what was written within the last 54 MB or so that came in. Bytes that thread blocks all over the GPU read count
// twice there, since each half of the L2 keeps a copy. Rules and shares were measured with launches that only read and
// write (assets/measurements/l2_writes_h200.csv, tests/gpu/l2_probe.cu).
// Held against an H200's own counters by tests/unit/measured/hardware_traffic_test: DRAM reads within 10 %; DRAM writes
// within 10 %, beside what the GPU writes of its own while a launch runs (256 KiB every 7 to 14 ms, kernel or no
// kernel); what is dirty at the end more roughly. One launch is known to be further off: standard's scores at one head
// of 16,384 rows read K 0.2 to 1.6 times more often, where the model has 0.8, since the thread blocks of one wave drift
// apart. Not modelled: that drift, replacement policy, set conflicts, compression, sectors half used.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/problem/device_model.h"
#include "core/walk/schedule.h"

namespace tilewalk {

struct L2Options {
  double usable = 0.75;             // share of the L2 that holds K and V for a later wave, or S for a later launch
  bool count_instructions = false;  // what a launch reads of its own code, as profilers see it
  std::int64_t l2_bytes = 0;        // 0: the device's
  int thread_blocks_at_once = 0;    // 0: SMs x thread blocks an SM (core/chip/waves)
  bool teaching_kernels = false;    // which hold scores and sums in shared memory too, and so fewer at once
  bool cold_launches = false;       // L2 emptied before each launch, as profilers do by default
  bool count_last_writes = true;    // what is dirty in L2 at the end counts as written
  // Shares of the L2, as measured on an H200 (60 MiB) by tests/gpu/l2_probe.cu and the kernels themselves:
  double cycle_read = 0.70;   // a larger cycle of rows misses when it comes round
  double cycle_write = 0.64;  // a larger cycle writes its dirty rows to DRAM each time round
  double dirty = 0.46;        // more than this is never dirty: the rest is written back at once
  double recent = 0.86;       // what so many bytes ago was written is gone
};

struct L2Launch {
  std::array<Traffic, kTensorCount> asked{}, dram{};
  double hit_share = 0;  // of the bytes read again
  std::int64_t working_set_bytes = 0;
  std::int64_t instruction_bytes = 0;  // counted in dram_total alone
  std::int64_t dirty_bytes = 0;        // of what the launch wrote, still in L2 alone when it ends
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

// Share of re-reads that hit when a working set meets so much L2: 1 up to it, 0 from twice it on.
double l2_hit_share(std::int64_t working_set_bytes, std::int64_t usable_bytes);

}  // namespace tilewalk
