// flash_v2 where heads are few: some tiles are divided along the keys, and a second launch joins their parts (Parts,
// forward_args.h). parts_plan.h says when.
#include "core/problem/build_choice.h"
#include "core/problem/fast_kernels.h"
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/flash_v2_kernel.h"

namespace tilewalk::fast {
namespace {

template <class T, bool kCausal>
cudaError_t launch_typed(const ForwardArgs& a, cudaStream_t stream) {
  switch (built_d(Contender::FlashV2, a.d)) {
    case 32: return launch_v2<T, 32, 64, kCausal, true, true, 3, Silent, true>(a, stream);
    case 64:
      if constexpr (kCausal)
        return launch_v2<T, 64, 128, true, true, false, 2, Silent, true>(a, stream);
      else
        return launch_v2<T, 64, 64, false, true, true, 2, Silent, true>(a, stream);
    case 96: return launch_v2<T, 96, 64, kCausal, true, false, 2, Silent, true>(a, stream);
    default: return launch_v2<T, 128, 64, kCausal, true, false, 2, Silent, true>(a, stream);
  }
}

}  // namespace

cudaError_t flash_v2_parts_launch(int variant, const ForwardArgs& a, bool bf16, bool causal, cudaStream_t stream) {
  if (a.d > 128 || (variant == v2_short_variant(a.d) && !causal))
    return flash_v2_short_launch(a, bf16, causal, true, stream);
  if (bf16)
    return causal ? launch_typed<__nv_bfloat16, true>(a, stream) : launch_typed<__nv_bfloat16, false>(a, stream);
  return causal ? launch_typed<__half, true>(a, stream) : launch_typed<__half, false>(a, stream);
}

}  // namespace tilewalk::fast
