// Bytes that a walk's kernels move from and to DRAM, by the model: one figure for every page.
#pragma once

#include <cstdint>

#include "core/walk/schedule.h"

namespace tilewalk {

// Of naive attention with S in 16 bits the bytes of the kernels that race (core/predict/operations), as the roofline
// has them without a mask: a walk reads masked scores too. Of any other walk those that L2 lets through
// (core/chip/l2_model).
std::int64_t modelled_dram_bytes(const Schedule&);

}  // namespace tilewalk
