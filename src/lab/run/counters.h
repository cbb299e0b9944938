// What a run reads, writes and computes: counted while it runs, never derived.
#pragma once

#include <array>
#include <cstdint>

namespace tilewalk::lab {

inline constexpr std::size_t kMostTensors = 32;

struct RunCounters {
  std::array<std::int64_t, kMostTensors> read_bytes{}, write_bytes{};  // of each tensor in global memory
  std::int64_t shared_read_bytes = 0, shared_write_bytes = 0;
  std::int64_t additions = 0, products = 0, fused = 0, divisions = 0, exponentials = 0, logarithms = 0, roots = 0,
               comparisons = 0;  // of floats; a fused one is two FLOPs
  std::int64_t barriers = 0;     // __syncthreads, once for all threads of a block
  std::int64_t warp_barriers = 0, shuffles = 0;
  std::int64_t steps = 0;  // instructions

  bool operator==(const RunCounters&) const = default;
  std::int64_t flops() const {
    return additions + products + 2 * fused + divisions + exponentials + logarithms + roots + comparisons;
  }
  void add(const RunCounters& more) {
    for (std::size_t at = 0; at < kMostTensors; ++at) {
      read_bytes[at] += more.read_bytes[at];
      write_bytes[at] += more.write_bytes[at];
    }
    shared_read_bytes += more.shared_read_bytes, shared_write_bytes += more.shared_write_bytes;
    additions += more.additions, products += more.products, fused += more.fused, divisions += more.divisions;
    exponentials += more.exponentials, logarithms += more.logarithms, roots += more.roots;
    comparisons += more.comparisons, barriers += more.barriers, warp_barriers += more.warp_barriers;
    shuffles += more.shuffles, steps += more.steps;
  }
};

}  // namespace tilewalk::lab
