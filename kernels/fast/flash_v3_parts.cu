// flash_v3 where heads are few: some tiles are divided along the keys, and a second launch joins their parts (Parts,
// forward_args.h). parts_plan.h says when. A file of its own, for these builds take as long to compile as
// flash_v3.cu's.
#include "core/problem/build_choice.h"
#include "kernels/fast/flash_v3.h"
#include "kernels/fast/flash_v3_launch.h"

namespace tilewalk::fast {
namespace {

template <class T, int D, bool kCausal>
const char* launch_narrow(int variant, const ForwardArgs& a, KvRows kv, cudaStream_t stream) {
  constexpr unsigned kOptions = kAll | kInParts, kOne = kOptions & ~kPingPong;
  if constexpr (kCausal) {
    if (variant == two_blocks_variant(D))
      return launch<T, D, true, Build<1, two_blocks(D).keys, kOne | kTwoBlocks>>(a, kv, stream);
  } else {
    if (variant == short_rows_variant(D))
      return launch<T, D, false, Build<1, short_rows(D).keys, kOne | kReadOnce>>(a, kv, stream);
  }
  return launch<T, D, kCausal, Build<3, 128, kOptions>>(a, kv, stream);
}

template <class T, bool kCausal>
const char* launch_typed(int variant, const ForwardArgs& a, KvRows kv, cudaStream_t stream) {
  constexpr unsigned kOptions = kAll | kInParts;
  if constexpr (!kCausal) {
    constexpr unsigned kWide = ((kOptions | kReadOnce) & ~kPingPong) | kAlone;
    if (variant == kOneTileVariant) {
      switch (built_d(Contender::FlashV3, a.d)) {
        case 96: return launch<T, 96, false, Build<1, 128, kWide>>(a, kv, stream);
        case 112: return launch<T, 112, false, Build<1, 128, kWide>>(a, kv, stream);
        case 128: return launch<T, 128, false, Build<1, 128, kWide>>(a, kv, stream);
        case 160: return launch<T, 160, false, Build<1, 112, kWide>>(a, kv, stream);
        case 192: return launch<T, 192, false, Build<1, 112, kWide>>(a, kv, stream);
        default: return launch<T, 256, false, Build<1, 64, kWide>>(a, kv, stream);
      }
    }
  }
  switch (built_d(Contender::FlashV3, a.d)) {
    case 32: return launch_narrow<T, 32, kCausal>(variant, a, kv, stream);
    case 48: return launch_narrow<T, 48, kCausal>(variant, a, kv, stream);
    case 64: return launch_narrow<T, 64, kCausal>(variant, a, kv, stream);
    case 96: return launch<T, 96, kCausal, Build<2, 128, kOptions>>(a, kv, stream);
    case 112: return launch<T, 112, kCausal, Build<2, 128, kOptions>>(a, kv, stream);
    case 128: return launch<T, 128, kCausal, Build<2, 128, kOptions>>(a, kv, stream);
    case 160: return launch<T, 160, kCausal, Build<2, 112, kOptions>>(a, kv, stream);
    case 192: return launch<T, 192, kCausal, Build<2, 112, kOptions>>(a, kv, stream);
    default: return launch<T, 256, kCausal, Build<2, 64, kOptions>>(a, kv, stream);
  }
}

}  // namespace

const char* flash_v3_parts_launch(int variant, const ForwardArgs& a, KvRows kv, bool bf16, bool causal,
                                  cudaStream_t stream) {
  if (bf16)
    return causal ? launch_typed<__nv_bfloat16, true>(variant, a, kv, stream)
                  : launch_typed<__nv_bfloat16, false>(variant, a, kv, stream);
  return causal ? launch_typed<__half, true>(variant, a, kv, stream)
                : launch_typed<__half, false>(variant, a, kv, stream);
}

}  // namespace tilewalk::fast
