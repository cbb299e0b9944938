// Softmax of whole rows in memory, vectorised.
#pragma once

#include <cstdint>

namespace tilewalk::cpu {

// scores[0 … keys) become weights that sum to 1, [keys … row) become 0. Returns the row's log-sum-exp, natural; -inf
// and a row of zeros where keys is 0. Exponentials as in fast_exp2-inl.h.
float softmax_row(float* scores, std::int64_t keys, std::int64_t row);

}  // namespace tilewalk::cpu
