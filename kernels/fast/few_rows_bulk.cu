// flash_v3's build for few rows (few_rows_bulk.h), by head size.
#include "kernels/fast/few_rows_bulk.h"
#include "kernels/fast/few_rows_launch.h"
#include "kernels/fast/flash_v3.h"

namespace tilewalk::fast {
namespace {

// blocks: of the whole card, if they are fewer than the items, else 0.
template <class T>
cudaError_t launch_typed(const ForwardArgs& a, int blocks, cudaStream_t stream) {
  return launch_by_chunks<true>(a.d, [&](auto chunks) {
    constexpr int kChunks = chunks.value;
    if constexpr (kChunks == 8 || kChunks >= 14) {
      if (blocks > 0)
        return launch_few_rows<T, BulkShape<kChunks, true>>(&few_rows_bulk_shared<T, kChunks>, a, blocks, stream);
    }
    return launch_few_rows<T, BulkShape<kChunks, false>>(&few_rows_bulk<T, kChunks>, a, stream);
  });
}

}  // namespace

cudaError_t few_rows_bulk_launch(const ForwardArgs& a, int blocks, bool bf16, cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(a, blocks, stream) : launch_typed<__half>(a, blocks, stream);
}

}  // namespace tilewalk::fast
