// Closed formulas from the papers, independent of the schedules: the second witness of every counter.
// Elements, not bytes; FLOPs by the papers' convention (4 d per visible pair).
#pragma once

#include <cstdint>

#include "core/problem.h"
#include "core/step.h"

namespace tilewalk {

struct Textbook {
  std::int64_t hbm_elements = 0;  // the paper's ledger for this schedule, no mask, tiles as in the problem
  std::int64_t flops = 0;         // 4 d x visible pairs x heads x batch
};

// standard: 2 N_q d + 2 N_kv d + 4 N_q N_kv (FA-1 Alg. 0).
// flash_v1: 2 N_kv d + Tc (3 N_q d + 4 N_q) + N_q d + 2 N_q (FA-1 Alg. 1, initial values written). split_kv: flash_v2's with Q and
// the partial outputs once per split, there and back. flash_v2, flash_v4: 2 N_q d + N_q + Tr 2 N_kv d (FA-2 Alg. 1).
Textbook textbook(const Problem&);

// Whole-run HBM traffic and FLOPs by direct summation over Q tiles, from the mask's geometry alone: O(Q tiles).
// It shares no code with core/schedule: the tests hold one against the other.
Cost whole_run_cost(const Problem&);

}  // namespace tilewalk
