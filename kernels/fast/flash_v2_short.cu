// flash_v2 in tiles of 64 rows: the build above d = 128, and without a mask the one where rows are few.
//
// Idea       16 rows a warp need half the registers of 32, so that O of d = 256 fits, and a head of 129 to 192 rows has
//            three such tiles where two of 128 rows compute 256.
// Changed    Since flash_v2.cu: each K or V fragment read from shared memory feeds one product, not two, so that whole
//            tiles of 128 rows are faster where rows are many and d is at most 128.
// Launch     One block of 4 warps per (Q tile of 64 rows, head); two share a multiprocessor, three up to d = 64.
// Tiles      64 x 64; 64 x 128 up to d = 128, where registers have room for 128 scores a row.
// Shared     2 d (64 + 2 Bc) bytes, one stage of K and of V: d = 256: 96 KiB, 192: 72, 160: 60; 128: 80, 96: 60, 64:
// 40,
//            32: 20.
// Registers  d = 256: 255, 64 bytes spilled (Q re-read); 128: 243; 96: 227; 64: 168, up to 84 spilled; 32: 162.
// Measured   kernels/NOTES.md.
#include "core/problem/build_choice.h"
#include "core/problem/fast_kernels.h"
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/flash_v2_short.h"

namespace tilewalk::fast {
namespace {

template <int D>
constexpr bool kKnownAbove128 = fast_tile(Contender::FlashV2, D, false) == FastTile{kV2ShortRows, kV2ShortKeys<D>} &&
                                fast_shared(Contender::FlashV2, D, false) == kV2ShortShared<D>;
static_assert(kKnownAbove128<160> && kKnownAbove128<192> && kKnownAbove128<256>);
template <int D>
constexpr bool kKnownFewRows = v2_short_pace(D).rows == kV2ShortRows&& v2_short_pace(D).keys
                               == kV2ShortKeys<D>&& v2_short_pace(D).blocks == kV2ShortBlocks<D>;
static_assert(kKnownFewRows<32> && kKnownFewRows<64> && kKnownFewRows<96> && kKnownFewRows<128>);

template <class T, bool kCausal, bool kInParts>
cudaError_t launch_masked(const ForwardArgs& a, cudaStream_t stream) {
  const auto d = built_d(Contender::FlashV2, a.d);
  if constexpr (!kCausal) {
    switch (d) {
      case 32: return launch_v2_short<T, 32, false, kInParts>(a, stream);
      case 64: return launch_v2_short<T, 64, false, kInParts>(a, stream);
      case 96: return launch_v2_short<T, 96, false, kInParts>(a, stream);
      case 128: return launch_v2_short<T, 128, false, kInParts>(a, stream);
      default: break;
    }
  }
  switch (d) {
    case 160: return launch_v2_short<T, 160, kCausal, kInParts>(a, stream);
    case 192: return launch_v2_short<T, 192, kCausal, kInParts>(a, stream);
    default: return launch_v2_short<T, 256, kCausal, kInParts>(a, stream);
  }
}

template <class T>
cudaError_t launch_typed(const ForwardArgs& a, bool causal, bool in_parts, cudaStream_t stream) {
  if (causal) return in_parts ? launch_masked<T, true, true>(a, stream) : launch_masked<T, true, false>(a, stream);
  return in_parts ? launch_masked<T, false, true>(a, stream) : launch_masked<T, false, false>(a, stream);
}

}  // namespace

cudaError_t flash_v2_short_launch(const ForwardArgs& a, bool bf16, bool causal, bool in_parts, cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(a, causal, in_parts, stream)
              : launch_typed<__half>(a, causal, in_parts, stream);
}

}  // namespace tilewalk::fast
