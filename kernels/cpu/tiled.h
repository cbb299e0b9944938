// cpu_tiled with explicit choices, for tests and measurements.
#pragma once

#include "kernels/cpu/cpu_attention.h"

namespace tilewalk::cpu {

enum class Bf16Way { Best, Widen, Dot };

struct TiledChoices {
  std::int64_t tile_keys = 0;  // Bc, rounded up to whole strips; 0: the best for d
  std::int64_t panels = 0;     // panels of queries that share a visit of a KV tile; 0: up to 4
  Bf16Way bf16 = Bf16Way::Best;
};

std::string tiled_with(const CpuAttention&, const TiledChoices&);
double fma_peak_after(const CpuAttention&, const TiledChoices&);  // cpu_fma_peak_after_tiled_gflops
std::int64_t tiled_with_extra_bytes(const CpuAttention&, const TiledChoices&);

}  // namespace tilewalk::cpu
