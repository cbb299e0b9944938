// The options of a flash_v3 build, and its layout of shared memory.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace tilewalk::fast {

// What a build can leave out.
constexpr unsigned kPingPong = 1;      // one warpgroup's products run during another's exponentials
constexpr unsigned kOverlap = 2;       // within a warpgroup, S of the next tile is multiplied before P V of this one
constexpr unsigned kPersistent = 4;    // blocks stay and draw tiles from a counter
constexpr unsigned kLazy = 8;          // m is raised only when a score exceeds it by 2^8
constexpr unsigned kSpecialised = 16;  // a producer warp loads; else a thread of the first consumer does
constexpr unsigned kAll = kPingPong | kOverlap | kPersistent | kLazy | kSpecialised;
constexpr unsigned kInParts = 32;  // draws parts of tiles as well (forward_args.h); where heads are few
// For calls whose K and V heads have one Q tile each, as in decoding: no other thread block reads their K and V.
constexpr unsigned kReadOnce = 64;
constexpr unsigned kAlone = 128;      // one thread block a multiprocessor, whatever the number of consumers
constexpr unsigned kTwoBlocks = 256;  // two on a multiprocessor, of one consumer each, not three

template <int kConsumers, int kBc, unsigned kOptions = kAll>
struct Build {
  static constexpr int consumers = kConsumers;  // warpgroups that compute, 64 rows each
  static constexpr int bc = kBc;                // keys a tile
  static constexpr bool ping_pong = kOptions & kPingPong, overlap = kOptions & kOverlap;
  static constexpr bool persistent = kOptions & kPersistent, lazy = kOptions & kLazy;
  static constexpr bool specialised = kOptions & kSpecialised, in_parts = kOptions & kInParts;
  static constexpr bool read_once = kOptions & kReadOnce, two_blocks = kOptions & kTwoBlocks;
  // With one consumer, three blocks share a multiprocessor, or two, each on a Q tile of its own: one computes while
  // another begins or stores. For short rows and few tiles.
  static constexpr int blocks = kConsumers > 1 || (kOptions & kAlone) ? 1 : two_blocks ? 2 : 3;
  static_assert(!read_once || (kConsumers == 1 && in_parts));
  static_assert(kConsumers > 1 || (!ping_pong && specialised));
  // Of a thread, once the producer has given some to the consumers; not moved where one block has enough.
  static constexpr bool moves_registers = specialised && (kConsumers > 1 || blocks > 1);
  static constexpr int producer_registers = kConsumers == 2 || (kConsumers == 1 && !read_once) ? 24 : 32;
  static constexpr int consumer_registers = kConsumers == 3   ? 160
                                            : kConsumers == 2 ? 240
                                            : blocks == 2     ? 216
                                            : read_once       ? 128
                                                              : 136;
  static constexpr int threads = (kConsumers + (specialised ? 1 : 0)) * 128;
};

struct TensorMaps {
  CUtensorMap q, k, v, o;
};

constexpr int kStages = 2;
constexpr int kSharedLimit = 232448;  // 227 KiB

// Shared memory, in bytes from a multiple of 1024: two stages of Q, of K and of V, and the O being stored. Operands are
// in columns of 64 elements: 128-byte lines, swizzled; the last column may be half empty (D = 160). Where that is too
// large (D above 128) there is one Q, and O is stored through its place, so the next Q waits until O is stored.
template <int D, class B>
struct Layout {
  static constexpr int kColumns = (D + 63) / 64, kWidth = kColumns * 64;
  static constexpr int kRows = 64 * B::consumers;
  static constexpr int kQ = kRows * kWidth * 2, kKv = B::bc * kWidth * 2;
  static constexpr bool kOneQ = D > 128;
  static constexpr int kAtK = (kOneQ ? 1 : kStages) * kQ, kAtV = kAtK + kStages * kKv, kEnd = kAtV + kStages * kKv;
  static constexpr int kAtO = kOneQ ? 0 : kEnd;
  static constexpr int kAtBarriers = kOneQ ? kEnd : kAtO + kQ;
  static constexpr int kBytes = kAtBarriers + 256 + 1024;
  static_assert(kBytes <= kSharedLimit);
  static_assert((!kOneQ && !B::in_parts) || B::specialised);
};

constexpr int kLoadsAt = 192;  // bytes after the first barrier: the state of a consumer's loading thread

enum Barrier {  // 8 bytes each, one for each stage
  QFull,
  QEmpty = QFull + kStages,
  KFull = QEmpty + kStages,
  KEmpty = KFull + kStages,
  VFull = KEmpty + kStages,
  VEmpty = VFull + kStages,
  WorkFull = VEmpty + kStages,
  WorkEmpty = WorkFull + kStages,
  WorkSlots = WorkEmpty + kStages,
};

struct Ring {  // the next stage and the parity of its current round
  int stage = 0;
  uint32_t parity = 0;
  __device__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

}  // namespace tilewalk::fast
