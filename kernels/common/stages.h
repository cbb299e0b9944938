// What 04_flash_v3.cu is told beyond the rungs before it. Plain values, so that host code needs no CUDA to fill them in.
#pragma once

#include "kernels/common/family.h"

namespace tilewalk {

struct StagedAttention : FamilyAttention {
  int stages;  // tiles in the circular buffer, K and V in turn
};

}  // namespace tilewalk
