// How much of what a schedule asks of global memory would reach DRAM, given the L2 size. An estimate, by rule:
//
// First readings come from DRAM, unless an earlier launch left the bytes in L2. A launch also reads its own instructions.
// K and V are read again by later Q tiles: thread blocks that run together walk in step and share one reading, and a later
// wave finds the tiles in L2 if the working set of those that run together fits. Between one and two times L2 the hits fade.
// Q of split_kv is read by every split, and hits. A stream of S or P past that working set evicts about 1 % of its own size
// of it, times the share of L2 that the working set takes.
// Q, O, m, l of flash_v1 come round in a cycle: they all hit while the rows still to come fit, and all miss while they do not.
// What one launch writes and a later one reads (S, P, partial outputs) stays in L2 as far as all of it fits.
// What is written reaches DRAM once it is evicted: all of it, or, where only the launches themselves are watched, what does
// not fit.
// Held against an H200's own counters by tests/unit/trace/hardware_traffic_test: DRAM reads within 10 %.
// Not modelled: replacement policy, set conflicts, the two halves of the L2 of A100 and H100, compression, sectors half
// used. Writes are a rougher estimate than reads: how much stays dirty in L2 differs from launch to launch.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/device_model.h"
#include "core/schedule.h"

namespace tilewalk {

struct L2Options {
  double usable = 0.75;           // share of the L2 that holds the working set: where flash_v1 begins to miss on an H200
  bool count_instructions = false;  // what a launch reads of its own code, as profilers see it
  std::int64_t l2_bytes = 0;      // 0: the device's
  int thread_blocks_at_once = 0;  // 0: SMs x thread blocks an SM (core/waves)
  bool cold_launches = false;     // L2 emptied before each launch, as profilers do by default
  bool count_last_writes = true;  // what is dirty in L2 at the end counts as written
};

struct L2Launch {
  std::array<Traffic, kTensorCount> asked{}, dram{};
  double hit_share = 0;  // of the bytes read again
  std::int64_t working_set_bytes = 0;
  std::int64_t instruction_bytes = 0;  // counted in dram_total alone
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

std::string sentence_of(const L2Estimate&);

}  // namespace tilewalk
