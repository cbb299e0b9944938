// All possible arguments of a launch: the problem in the kernels' form, the numbers of single schedules, and device
// memory by slot. kernel_table.h passes each kernel the part that its signature names.
#pragma once

#include <array>

#include "kernels/common/attention.h"
#include "kernels/host/slot.h"

namespace tilewalk {

struct LaunchArgs {
  Attention problem{};
  float threshold = 0;        // flash_v4: a max that grew by no more than this is not followed, log2 units
  int stages = 0;             // flash_v3: tiles in the circular buffer, K and V in turn
  long long splits = 0;       // split_kv: splits of the KV range
  long long split_tiles = 0;  // split_kv: KV tiles of one split
  float g = 0;                // backward: the factor of dQ and dK at the end
  long long visits_per_head = 0;

  void*& at(Slot slot) { return memory_[std::size_t(slot)]; }  // null: missing
  void* at(Slot slot) const { return memory_[std::size_t(slot)]; }

 private:
  std::array<void*, kSlotCount> memory_{};
};

}  // namespace tilewalk
