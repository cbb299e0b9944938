// The builds of flash_v3 by number, one list for the builds that race and the traced builds:
//   X(D, consumers, keys of a tile, options, name).
// The first is the best; then other tiles; then builds with one optimisation left out, or for a larger head size.
#pragma once

#include "kernels/fast/flash_v3_build.h"

#define TILEWALK_V3_WIDEST(X) X(256, 2, 64, kAll, "128x64")

#define TILEWALK_V3_192(X)        \
  X(192, 2, 112, kAll, "128x112") \
  X(256, 2, 64, kAll, "128x64, padded to 256")

#define TILEWALK_V3_160(X)        \
  X(160, 2, 112, kAll, "128x112") \
  X(256, 2, 64, kAll, "128x64, padded to 256")

#define TILEWALK_V3_WIDE(X)                                               \
  X(128, 2, 128, kAll, "128x128")                                         \
  X(128, 2, 128, kAll & ~kPingPong, "128x128, no ping-pong")              \
  X(128, 2, 128, kAll & ~kOverlap, "128x128, no overlap")                 \
  X(128, 2, 128, kAll & ~kPersistent, "128x128, not persistent")          \
  X(128, 2, 128, kAll & ~kLazy, "128x128, m raised at once")              \
  X(128, 2, 128, kAll & ~kSpecialised, "128x128, no warp specialisation") \
  X(128, 2, 128, kAll & ~kPingPong & ~kOverlap, "128x128, no ping-pong, no overlap")

#define TILEWALK_V3_112(X)        \
  X(112, 2, 128, kAll, "128x128") \
  X(128, 2, 128, kAll, "128x128, padded to 128")

#define TILEWALK_V3_96(X)        \
  X(96, 2, 128, kAll, "128x128") \
  X(128, 2, 128, kAll, "128x128, padded to 128")

#define TILEWALK_V3_NARROW(X)                                                       \
  X(64, 3, 128, kAll, "192x128")                                                    \
  X(64, 2, 128, kAll, "128x128")                                                    \
  X(64, 3, 128, kAll & ~kPingPong, "192x128, no ping-pong")                         \
  X(64, 3, 128, kAll & ~kOverlap, "192x128, no overlap")                            \
  X(64, 3, 128, kAll & ~kPersistent, "192x128, not persistent")                     \
  X(64, 3, 128, kAll & ~kLazy, "192x128, m raised at once")                         \
  X(64, 3, 128, kAll & ~kSpecialised, "192x128, no warp specialisation")            \
  X(64, 3, 128, kAll & ~kPingPong & ~kOverlap, "192x128, no ping-pong, no overlap") \
  X(64, 1, 64, kAll & ~kPingPong, "64x64, three blocks")                            \
  X(64, 1, 128, (kAll & ~kPingPong) | kTwoBlocks, "64x128, two blocks")

// The tiles of the list above that race, in the same order.
#define TILEWALK_V3_TILES(X, D)                                        \
  X(D, 3, 128, kAll, "192x128")                                        \
  X(D, 2, 128, kAll, "128x128")                                        \
  X(D, 1, 64, kAll & ~kPingPong, "64x64, three blocks")                \
  X(D, 1, 128, (kAll & ~kPingPong) | kTwoBlocks, "64x128, two blocks") \
  X(64, 3, 128, kAll, "192x128, padded to 64")
#define TILEWALK_V3_48(X) TILEWALK_V3_TILES(X, 48)
#define TILEWALK_V3_32(X) TILEWALK_V3_TILES(X, 32)
