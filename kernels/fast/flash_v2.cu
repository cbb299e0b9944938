// Fast FlashAttention-2, forward, for mma.sync.
//
// Idea       03_flash_v2.cu's walk with every value in the fastest memory: scores, P, m, l and O stay in registers, Q,
//            K and V go through shared memory as 16-byte chunks, the products run on the tensor cores.
// Changed    Since 03_flash_v2.cu: rows are split among warps (each warp owns 32 rows, so no warp waits for another's
//            max or sum), cp.async fetches the next K and V tiles while this one is used, chunks are stored at
//            c ^ (row % 8) so that ldmatrix has no bank conflicts, m is raised only when scores exceed it by 2^8
//            (softmax.h), and of the causal tiles the longest start first.
// Launch     One block of 4 warps per (Q tile of 128 rows, head), two blocks a multiprocessor, three
//            for d = 64 not causal and for d = 32.
// Tiles      128 x 64; d = 64 causal 128 x 128. 32 rows a warp: each K or V fragment read from shared memory feeds
//            two products; 16 rows would make shared memory's 128 bytes a cycle the limit.
// Shared     2 d (128 + 4 Bc) bytes: Q, two stages of K, two of V. d = 32: 24 KiB; 64: 48 (causal 80); 96: 72; 128: 96.
//            Above 128, and in one variant below: flash_v2_short.cu.
// Registers  d = 128 and d = 64 causal: 255, with at most 12 bytes spilled; d = 64: 168, up to 56 bytes spilled;
//            d = 32: 168, up to 8.
// Measured   kernels/NOTES.md.
#include "core/problem/build_choice.h"
#include "core/problem/fast_kernels.h"
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/flash_v2_kernel.h"

namespace tilewalk::fast {
namespace {

// The first variants below are the tiles of core/problem/fast_kernels.h.
template <int D, int Bc>
constexpr bool is_known(bool causal) {
  return fast_tile(Contender::FlashV2, D, causal) == FastTile{kV2Rows, Bc} &&
         fast_shared(Contender::FlashV2, D, causal) == kV2Shared<D, Bc>;
}
static_assert(is_known<32, 64>(false) && is_known<32, 64>(true));
static_assert(is_known<64, 64>(false) && is_known<64, 128>(true));
static_assert(is_known<96, 64>(false) && is_known<96, 64>(true));
static_assert(is_known<128, 64>(false) && is_known<128, 64>(true));
template <class T>
cudaError_t launch_typed(int variant, const ForwardArgs& a, bool causal, cudaStream_t stream) {
  if (a.d <= 32 && variant == 0)
    return causal ? launch_v2<T, 32, 64, true, true, true, 3>(a, stream)
                  : launch_v2<T, 32, 64, false, true, true, 3>(a, stream);
  if (a.d > 64) {
    if (variant == 0 && built_d(Contender::FlashV2, a.d) == 96)
      return causal ? launch_v2<T, 96, 64, true, true, false, 2>(a, stream)
                    : launch_v2<T, 96, 64, false, true, false, 2>(a, stream);
    if (variant == 1)
      return causal ? launch_v2<T, 128, 64, true, false, false, 2>(a, stream)
                    : launch_v2<T, 128, 64, false, false, false, 2>(a, stream);
    return causal ? launch_v2<T, 128, 64, true, true, false, 2>(a, stream)
                  : launch_v2<T, 128, 64, false, true, false, 2>(a, stream);
  }
  if (variant == 1)
    return causal ? launch_v2<T, 64, 128, true, false, false, 2>(a, stream)
                  : launch_v2<T, 64, 64, false, false, false, 3>(a, stream);
  if (variant == 2)
    return causal ? launch_v2<T, 64, 64, true, true, true, 2>(a, stream)
                  : launch_v2<T, 64, 64, false, true, true, 2>(a, stream);
  return causal ? launch_v2<T, 64, 128, true, true, false, 2>(a, stream)
                : launch_v2<T, 64, 64, false, true, false, 3>(a, stream);
}

}  // namespace

const char* flash_v2_variant(int variant, int d) {
  static const char* const kWide[] = {"128x64", "128x64, m raised at once", "64x128 or causal 128x64"};
  static const char* const kNarrowest[] = {"128x64", "128x64 or causal 128x128, m raised at once, padded to 64",
                                           "64x128 or causal 128x64"};
  static const char* const kNarrow[] = {"128x64 or causal 128x128", "128x64 or causal 128x128, m raised at once",
                                        "128x64, Q in registers", "64x128 or causal 128x128"};
  if (variant < 0) return nullptr;
  if (d > 128) return variant == 0 ? "64x64" : nullptr;
  if (d > 64) return variant < 3 ? kWide[variant] : nullptr;
  if (d <= 32) return variant < 3 ? kNarrowest[variant] : nullptr;
  return variant < 4 ? kNarrow[variant] : nullptr;
}

cudaError_t flash_v2_launch(int variant, const ForwardArgs& a, bool bf16, bool causal, cudaStream_t stream) {
  const bool is_short = variant == v2_short_variant(a.d);
  if (a.d > 128 || (is_short && !causal)) return flash_v2_short_launch(a, bf16, causal, false, stream);
  if (is_short) variant = 0;
  return bf16 ? launch_typed<__nv_bfloat16>(variant, a, causal, stream)
              : launch_typed<__half>(variant, a, causal, stream);
}

}  // namespace tilewalk::fast
