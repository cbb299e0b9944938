// The cost of a phase, composed from its operations; the plans in core/schedules use these functions. r rows, c
// columns, d head size, e bytes of an element of the problem's dtype; all costs are bilinear in (r, c). Counting rules
// are Cost's (core/walk/step.h). Internal to core.
#pragma once

#include <initializer_list>

#include "core/walk/step.h"

namespace tilewalk::costs {

struct Moved {
  TensorId tensor;
  std::int64_t bytes;
};

// HBM to SRAM; also writes `more` bytes on chip: state that begins there, or what values widened to fp32 take more.
Cost load(std::initializer_list<Moved>, std::int64_t more = 0);
// SRAM to HBM: reads `on_chip` bytes there (they may be wider than what is stored).
Cost store(std::initializer_list<Moved>, std::int64_t on_chip);
// Work on chip: exponentials, other operations, and the traffic of its operands and results.
Cost work(std::int64_t exp, std::int64_t other, Traffic sram);
// A product of r x c x d multiply-adds.
Cost product(std::int64_t r, std::int64_t c, std::int64_t d, Traffic sram);

Cost scores(std::int64_t r, std::int64_t c, std::int64_t d, std::int64_t e);  // S = Q K^T, scaled
Cost exponentiate(std::int64_t r, std::int64_t c);                            // exp(S - a value a row)
Cost divide(std::int64_t r, std::int64_t c);                                  // by a value a row
Cost row_scan(std::int64_t r, std::int64_t c);                                // one value a row, recomputed
Cost normalise(std::int64_t r, std::int64_t d);                               // O / l, and L = m + log l
Cost store_output(std::int64_t r, std::int64_t d, std::int64_t e);            // O and L

}  // namespace tilewalk::costs
