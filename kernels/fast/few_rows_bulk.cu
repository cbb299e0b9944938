// flash_v3's build for few rows (few_rows_bulk.h), by head size.
#include "kernels/fast/few_rows_bulk.h"
#include "kernels/fast/flash_v3.h"

namespace tilewalk::fast {
namespace {

template <class T, int kChunks>
cudaError_t launch(ForwardArgs a, cudaStream_t stream) {
  using S = BulkShape<kChunks>;
  auto* const kernel = &few_rows_bulk<T, kChunks>;
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kBytes);
  if (raised != cudaSuccess) return raised;
  a.q_tiles = 1;
  const bool divided = a.parts.tiles > 0;
  if (!divided) a.parts.whole = a.all_heads;
  kernel<<<work_items(a.parts), S::kThreads, S::kBytes, stream>>>(a);
  const cudaError_t launched = cudaGetLastError();
  return launched == cudaSuccess && divided ? launch_join<T, S::D, S::kRows, false>(a, stream) : launched;
}

template <class T>
cudaError_t launch_typed(const ForwardArgs& a, cudaStream_t stream) {
  switch (a.d / 8) {
    case 1: return launch<T, 1>(a, stream);
    case 2: return launch<T, 2>(a, stream);
    case 3: return launch<T, 3>(a, stream);
    case 4: return launch<T, 4>(a, stream);
    case 5: return launch<T, 5>(a, stream);
    case 6: return launch<T, 6>(a, stream);
    case 7: return launch<T, 7>(a, stream);
    default: return launch<T, 8>(a, stream);
  }
}

}  // namespace

cudaError_t few_rows_bulk_launch(const ForwardArgs& a, bool bf16, cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(a, stream) : launch_typed<__half>(a, stream);
}

}  // namespace tilewalk::fast
