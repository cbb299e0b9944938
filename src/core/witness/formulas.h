// Closed formulas from the papers, independent of the schedules: they check every counter. Elements, not bytes; FLOPs
// by the papers' convention: 4 d per visible pair; backward 10 d, of which standard saves 2 d.
#pragma once

#include <cstdint>

#include "core/problem/problem.h"
#include "core/walk/step.h"

namespace tilewalk {

struct Textbook {
  std::int64_t hbm_elements = 0;  // by the paper's formula for this schedule, no mask, tiles as in the problem
  std::int64_t flops = 0;         // 4 d (10 d, 8 d) x visible pairs x heads x batch
};

// standard: 2 N_q d + 2 N_kv d + 4 N_q N_kv (FA-1 Alg. 0).
// flash_v1: 2 N_kv d + Tc (3 N_q d + 4 N_q) + N_q d + 2 N_q (FA-1 Alg. 1, initial values written). split_kv: flash_v2's
// with Q and the partial outputs once per split, there and back. flash_v2, flash_v4: 2 N_q d + N_q + Tr 2 N_kv d (FA-2
// Alg. 1). backward_v1: 4 N_kv d + Tc (5 N_q d + 2 N_q) + N_q d (FA-1 Alg. 4, dQ = 0 written). backward: 4 N_kv d + Tc
// (4 N_q d + 2 N_q)
// + 3 N_q d + N_q (FA-2 Alg. 2: D made first from O and dO, dQ = 0 written). Neither counts the last launch, which the
// papers do not print. backward_standard: 4 N_q d + 4 N_kv d + 7 N_q N_kv (FA-1 Alg. 3). K, V, dK and dV of the flash
// passes and dK and dV of the standard one are counted once for each KV head.
// "The" formula of a problem is its schedule's: textbook() and whole_run_cost() in core/schedules/registry.
Textbook standard_textbook(const Problem&);
Textbook flash_v1_textbook(const Problem&);
Textbook flash_v2_textbook(const Problem&);
Textbook split_kv_textbook(const Problem&);
Textbook backward_textbook(const Problem&);
Textbook backward_v1_textbook(const Problem&);
Textbook backward_standard_textbook(const Problem&);

// Whole-run HBM traffic and FLOPs by direct summation over Q tiles, from the mask's geometry alone: O(Q tiles). It
// shares no code with core/walk/schedule, and the tests compare the two.
Cost standard_whole_run(const Problem&);
Cost flash_v1_whole_run(const Problem&);
Cost flash_v2_whole_run(const Problem&);
Cost split_kv_whole_run(const Problem&);
Cost backward_whole_run(const Problem&);
Cost backward_v1_whole_run(const Problem&);
Cost backward_standard_whole_run(const Problem&);

}  // namespace tilewalk
