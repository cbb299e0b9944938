// For each element of shared and global memory: who wrote it last and who read it, to find races and unfilled reads.
//
// Time is counted in epochs, one for each interval between two barriers of a block; no two blocks share an epoch. Two
// accesses by different threads race if they are in one epoch and no __syncwarp orders them, or in different blocks of
// one launch. Remembers two of the readers since the last write, of different warps if possible.
#pragma once

#include <cstdint>

namespace tilewalk::lab {

struct MemoryAccess {
  std::uint32_t epoch = 0;  // 0: none
  std::int32_t at = 0;      // instruction
  std::uint16_t thread = 0;
  std::uint16_t warp_epoch = 0;  // __syncwarp calls of its warp before it, in its block
  bool operator==(const MemoryAccess&) const = default;
};

struct ElementShadow {
  MemoryAccess write, read, other_read;
  bool atomic = false;  // the last write was an atomicAdd
  bool operator==(const ElementShadow&) const = default;
};

// The thread that runs now.
struct ThreadNow {
  std::uint32_t epoch = 0, block_epoch = 0, launch_epoch = 0;  // now, and at the start of the block and the launch
  std::uint16_t thread = 0, warp_epoch = 0;

  MemoryAccess access(std::int32_t at) const { return {epoch, at, thread, warp_epoch}; }
  bool races_with(const MemoryAccess& other) const {
    if (other.epoch == epoch)
      return other.thread != thread && !(other.thread / 32 == thread / 32 && other.warp_epoch < warp_epoch);
    return other.epoch >= launch_epoch && other.epoch < block_epoch;
  }
};

inline void note_read(ElementShadow& shadow, const ThreadNow& now, std::int32_t at) {
  if (shadow.read.epoch != now.epoch) {
    if (shadow.read.epoch >= now.launch_epoch && shadow.read.epoch < now.block_epoch) shadow.other_read = shadow.read;
    shadow.read = now.access(at);
  } else if (shadow.read.thread == now.thread) {
    shadow.read.at = at;
    shadow.read.warp_epoch = now.warp_epoch;
  } else if (shadow.other_read.epoch != now.epoch || shadow.other_read.thread / 32 == shadow.read.thread / 32) {
    shadow.other_read = shadow.read;
    shadow.read = now.access(at);
  }
}

}  // namespace tilewalk::lab
