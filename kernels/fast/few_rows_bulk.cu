// flash_v3's build for few rows (few_rows_bulk.h), by head size.
#include "kernels/fast/few_rows_bulk.h"
#include "kernels/fast/few_rows_launch.h"
#include "kernels/fast/flash_v3.h"

namespace tilewalk::fast {
namespace {

template <class T>
cudaError_t launch_typed(const ForwardArgs& a, cudaStream_t stream) {
  return launch_by_chunks(a.d, [&](auto chunks) {
    return launch_few_rows<T, BulkShape<chunks.value>>(&few_rows_bulk<T, chunks.value>, a, stream);
  });
}

}  // namespace

cudaError_t few_rows_bulk_launch(const ForwardArgs& a, bool bf16, cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(a, stream) : launch_typed<__half>(a, stream);
}

}  // namespace tilewalk::fast
