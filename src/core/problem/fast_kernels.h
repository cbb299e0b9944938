// Facts about this project's fast kernels (kernels/fast) for other code: head sizes they are built for, tiles, shared
// memory of a thread block, supported GPUs. The kernels' host refuses calls by them, the kernels' sources assert them,
// and the model of time uses them. CUDA includes this: arithmetic and text, nothing else. Sizes are rows and keys,
// memory is in bytes. Scores and sums of O are in registers and use no shared memory, except FA-1's four partial O. Not
// here: workspaces in HBM, registers, variants that leave an optimisation out.
#pragma once

#include <cstdint>
#include <string>

#include "core/problem/contender.h"

namespace tilewalk {

inline constexpr std::int64_t kLargestFastHead = 256;

// The head size at which a kernel computes one of d. Precondition: at most kLargestFastHead.
constexpr std::int64_t built_d(Contender kernel, std::int64_t d) {
  if ((kernel == Contender::FlashV2 || kernel == Contender::FlashV2Backward) && d <= 32) return 32;
  if (kernel == Contender::FlashV3) {
    if (d <= 48) return d <= 32 ? 32 : 48;
    if (d > 96 && d <= 112) return 112;
  }
  if (kernel == Contender::FlashV2 || kernel == Contender::FlashV3) {
    if (d > 64 && d <= 96) return 96;
    if (d > 128 && d <= 160) return 160;
    if (d > 160 && d <= 192) return 192;
  }
  if (kernel == Contender::FlashV2Backward) {
    if (d > 64 && d <= 96) return 96;
    if (d > 128 && d <= 160) return 160;
  }
  if (kernel == Contender::FlashV2Backward || kernel == Contender::FlashV3Backward) {
    if (d > 128 && d <= 192) return 192;
  }
  return d <= 64 ? 64 : d <= 128 ? 128 : 256;
}

// Shared memory of a thread block, for any tile. bytes: of an element; stages: of K and of V; buffered: tiles of K and
// V together.
constexpr std::int64_t flash_v1_shared(std::int64_t d, std::int64_t rows, std::int64_t keys, int bytes = 2) {
  constexpr std::int64_t kWarps = 4, kFloat = 4, kApart = 8, kAtOnce = 16;
  const std::int64_t partial = rows < kAtOnce ? rows : kAtOnce;  // rows of each warp's O, d + 8 apart; max and sum
  return bytes * d * 2 * (keys + rows) + kWarps * partial * (d + kApart + 2) * kFloat;
}
constexpr std::int64_t flash_v2_shared(std::int64_t d, std::int64_t rows, std::int64_t keys, int bytes = 2,
                                       int stages = 2) {
  return bytes * d * (rows + 2 * stages * keys);
}
// Two Q and the O being stored or, where that is too large for Hopper, one Q that O reuses; barriers, and a beginning
// at a multiple of 1,024.
constexpr std::int64_t flash_v3_shared(std::int64_t d, std::int64_t rows, std::int64_t keys, int bytes = 2,
                                       std::int64_t buffered = 4) {
  constexpr std::int64_t kMost = 227 * 1024, kBeside = 256 + 1024;
  const std::int64_t all = bytes * d * (3 * rows + buffered * keys) + kBeside;
  return all <= kMost ? all : bytes * d * (rows + buffered * keys) + kBeside;
}
// K, V, two stages of Q, dO, L and D, and two of dS.
constexpr std::int64_t flash_v2_backward_shared(std::int64_t d, std::int64_t queries, std::int64_t keys) {
  return 2 * d * (2 * keys + 4 * queries) + 4 * keys * queries + 16 * queries;
}

// K, V, two stages of Q, dO, L and D, and two of dS; one dQ in fp32; barriers, and a beginning at a multiple of 1,024.
// Above d = 128 the larger of two kernels: K, V and stages of Q, dO, P, L and D; or 128 rows of Q and dO and stages of
// K and V.
constexpr std::int64_t flash_v3_backward_shared(std::int64_t d, std::int64_t queries, std::int64_t keys) {
  constexpr std::int64_t kBeside = 256 + 1024, kRows = 128;
  if (d > 128) {
    const std::int64_t stages = d > 192 ? 2 : 3, buffered = d > 192 ? 3 : 4;
    const std::int64_t of_keys = 4 * d * (keys + stages * queries) + stages * queries * (2 * keys + 8) + kBeside;
    const std::int64_t of_queries = 2 * d * (2 * kRows + buffered * keys) + kBeside;
    return of_keys > of_queries ? of_keys : of_queries;
  }
  return flash_v2_backward_shared(d, queries, keys) + 4 * d * queries + kBeside;
}

// Made of Hopper's own instructions.
constexpr bool hopper_only(Contender kernel) {
  return kernel == Contender::FlashV3 || kernel == Contender::FlashV3Backward;
}
// Compute capabilities, 90 is sm_90; highest 0: none.
constexpr int lowest_sm(Contender kernel) { return hopper_only(kernel) ? 90 : 80; }
constexpr int highest_sm(Contender kernel) { return hopper_only(kernel) ? 90 : 0; }

struct FastTile {
  std::int64_t rows = 0, keys = 0;
  constexpr bool operator==(const FastTile&) const = default;
};

// The tile that a kernel uses where tiles are whole and heads are many (build_choice.h), and the shared
// memory of its thread block. naive has no tile.
constexpr FastTile fast_tile(Contender kernel, std::int64_t d, bool causal) {
  d = built_d(kernel, d);
  switch (kernel) {
    case Contender::FlashV1: return {16, d == 64 ? 256 : d == 128 ? 128 : 64};
    case Contender::FlashV2:
      if (d == 64) return {128, causal ? 128 : 64};
      return {d <= 128 ? 128 : 64, 64};
    case Contender::FlashV3: return {d <= 64 ? 192 : 128, d == 256 ? 64 : d > 128 ? 112 : 128};
    case Contender::FlashV2Backward: return {d == 64 ? 128 : 64, d > 160 ? 64 : 128};
    case Contender::FlashV3Backward: return {d == 64 ? 128 : 64, d > 128 ? 64 : 128};
    default: break;  // no tiles
  }
  return {};
}
constexpr std::int64_t fast_shared(Contender kernel, std::int64_t d, bool causal) {
  d = built_d(kernel, d);
  const FastTile tile = fast_tile(kernel, d, causal);
  switch (kernel) {
    case Contender::FlashV1: return flash_v1_shared(d, tile.rows, tile.keys);
    case Contender::FlashV2: return flash_v2_shared(d, tile.rows, tile.keys, 2, tile.rows == 64 ? 1 : 2);
    case Contender::FlashV3: return flash_v3_shared((d + 63) / 64 * 64, tile.rows, tile.keys);  // columns of 64
    case Contender::FlashV2Backward: return flash_v2_backward_shared(d, tile.rows, tile.keys);
    case Contender::FlashV3Backward: return flash_v3_backward_shared(d, tile.rows, tile.keys);
    default: break;
  }
  return 0;
}

// Why a GPU cannot run a kernel at a head size, one sentence without its full stop; empty where it can. shared: the
// most bytes one thread block may have; gpu: the GPU's name in the sentence.
inline std::string why_no_fast_kernel(Contender kernel, std::int64_t d, bool causal, int capability,
                                      std::int64_t shared, const std::string& gpu) {
  const std::string title = title_of(kernel), sm = gpu + " is sm_" + std::to_string(capability);
  if (d > kLargestFastHead)
    return "The fast kernels take head sizes up to " + std::to_string(kLargestFastHead) + ", and this is " +
           std::to_string(d);
  if (capability < lowest_sm(kernel) || (highest_sm(kernel) > 0 && capability > highest_sm(kernel)))
    return hopper_only(kernel) ? title + " is made of Hopper's own instructions (wgmma, sm_90), and " + sm
                               : "The fast kernels are made of Ampere's instructions (sm_80), and " + sm;
  const std::int64_t needed = fast_shared(kernel, d, causal);
  if (needed <= shared) return {};
  return "At this head size a thread block of " + title + " needs " + std::to_string(needed) +
         " bytes of shared memory, and " + gpu + " gives one " + std::to_string(shared);
}

}  // namespace tilewalk
