// How the forward kernels of FlashAttention-2 are launched for a call: with which tile, and whether a row's keys are
// shared out among thread blocks. That is done where there are few thread blocks for the GPU's multiprocessors, never
// with dropout. Read from csrc/flash_attn at the tags v2.0 to v2.8.3 (flash_api.cpp: num_splits_heuristic,
// set_params_splitkv, mha_fwd; flash_fwd_launch_template.h) and from PyTorch's copy of it; held against the launches
// recorded on an H200 (assets/measurements/launched_kernels_*). Not modelled: rows of different lengths, a cache with
// pages, local windows.
#pragma once

#include <cstdint>
#include <optional>

#include "dispatch/call.h"

namespace tilewalk {

// What changed from release to release.
struct FlashRelease {
  bool splits = true;    // outside of a cache too: from 2.2 on
  int blocks_an_sm = 2;  // that the heuristic counts on: 1 before 2.5.7
  // Head sizes with a kernel of their own: 160 before 2.8, 224 before 2.6.3. Elsewhere they run in the next larger one.
  bool has_160 = false, has_224 = false;
};
inline constexpr FlashRelease kNewestFlash2{};        // 2.8, and the copy in PyTorch
std::optional<FlashRelease> flash2_release(Version);  // none: 2.2.0 to 2.2.3 cut keys in another way
std::optional<int> multiprocessors_of(const Call&);   // none: a card that is known by its SM version alone

struct FlashLaunch {
  std::optional<std::int64_t> br, bc;  // none: not known
  std::optional<bool> split_kv;        // none: the number of multiprocessors decides, and is not known
  std::optional<std::int64_t> splits;  // 1 where the keys are not shared out
};
FlashLaunch flash2_launch(const Call&, const FlashRelease&);

}  // namespace tilewalk
