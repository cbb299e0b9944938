// The build of flash_v2 and flash_v3 for few rows (few_rows.h), by head size.
#include "kernels/fast/few_rows.h"
#include "kernels/fast/few_rows_launch.h"
#include "kernels/fast/flash_v2.h"

namespace tilewalk::fast {
namespace {

template <class T>
cudaError_t launch_typed(const ForwardArgs& a, cudaStream_t stream) {
  return launch_by_chunks<false>(a.d, [&](auto chunks) {
    return launch_few_rows<T, FewRowsShape<chunks.value>>(&few_rows_forward<T, chunks.value>, a, stream);
  });
}

}  // namespace

cudaError_t few_rows_launch(const ForwardArgs& a, bool bf16, cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(a, stream) : launch_typed<__half>(a, stream);
}

}  // namespace tilewalk::fast
