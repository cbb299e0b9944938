// How the forward kernels of FlashAttention-2 are launched for a call: with which tile, and whether a row's keys are
// divided among thread blocks. They are divided where there are few thread blocks for the GPU's multiprocessors, never
// with dropout. Read from csrc/flash_attn at the tags v2.0 to v2.8.3 (flash_api.cpp: num_splits_heuristic,
// set_params_splitkv, mha_fwd; flash_fwd_launch_template.h) and from PyTorch's copy of it; compared with the launches
// recorded on an H200 (assets/measurements/launched_kernels_*).
// Not modelled: rows of different lengths, a cache with pages, local windows.
#pragma once

#include <cstdint>
#include <optional>

#include "dispatch/call.h"

namespace tilewalk {

// Differences between releases.
struct FlashRelease {
  bool splits = true;    // also without a cache: since 2.2
  int blocks_an_sm = 2;  // assumed by the heuristic: 1 before 2.5.7
  // Head sizes with a kernel of their own: 160 before 2.8, 224 before 2.6.3. Otherwise they use the next larger kernel.
  bool has_160 = false, has_224 = false;
};
inline constexpr FlashRelease kNewestFlash2{};        // 2.8, and the copy in PyTorch
std::optional<FlashRelease> flash2_release(Version);  // none: 2.2.0 to 2.2.3 divided keys in another way
std::optional<int> multiprocessors_of(const Call&);   // none: a card of which only the SM version is known

struct FlashLaunch {
  std::optional<std::int64_t> br, bc;  // none: not known
  std::optional<bool> split_kv;        // none: it depends on the number of multiprocessors, which is not known
  std::optional<std::int64_t> splits;  // 1 where the keys are not divided
};
FlashLaunch flash2_launch(const Call&, const FlashRelease&);

}  // namespace tilewalk
