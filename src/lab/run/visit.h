// One mark that a run has passed: the state that the kernel has shown, and what the visit cost.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/language/source_error.h"
#include "lab/run/counters.h"

namespace tilewalk::lab {

struct RunVisit {
  std::int64_t thread_block = 0;  // counted over all launches
  std::int64_t batch = 0, head = 0, q_tile = 0, kv_tile = 0;
  std::int64_t first_row = 0, rows = 0;       // in the head
  bool of_row = false;                        // row_done
  std::int64_t thread = -1;                   // of row_done: who called it; -1: not known
  std::vector<float> m = {}, l = {}, o = {};  // rows, rows, rows x d; empty: the kernel does not keep it
  SourcePlace place = {};                     // of the mark
  RunCounters counters = {};                  // since the mark before it, of all threads that passed it
  std::int64_t step = 0;                      // of the run, when the state was read
};

}  // namespace tilewalk::lab
