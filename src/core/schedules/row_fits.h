// Whether a whole row stays in the SRAM of a thread block. Where it does not, a pass reads it from HBM twice.
#pragma once

#include "core/problem/problem.h"

namespace tilewalk {

// standard: one row of S, with its max and sum, in n_kv * 4 + 8 bytes. Where it does not fit, pass 2 reads S twice,
// stores e undivided in fp32 with the sums l beside it, and pass 3 divides on load.
inline bool standard_row_fits(const Problem& p) { return p.shape.n_kv * 4 + 8 <= p.machine.sram_bytes; }

// backward_standard: one row of P and one of dP, with its D. Where they do not fit, pass 3 reads both twice: once for
// D, once for dS.
inline bool backward_row_fits(const Problem& p) {
  return p.shape.n_kv * (p.numerics.element_bytes() + 4) + 4 <= p.machine.sram_bytes;
}

}  // namespace tilewalk
