// Tensor maps of (heads, n, d) tensors, for the copy engine; host only. The driver's function is found at run time, so
// a program with these kernels links without the driver's library.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

namespace tilewalk::fast {

using EncodeTiled = decltype(&cuTensorMapEncodeTiled);

inline EncodeTiled encode_tiled() {
  static const EncodeTiled function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
    return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? (EncodeTiled)found : nullptr;
  }();
  return function;
}

// (heads, n, d), in boxes of `rows` rows by 64 elements. stride: elements from a row to the next; 0: d. Where rows
// begin inside 32-byte pieces (d = 72, 88 ...), 256 bytes at a time from DRAM to L2 cost a sixth (kernels/NOTES.md).
inline bool make_map(CUtensorMap* map, const void* base, bool bf16, long long heads, long long n, long long d, int rows,
                     long long stride = 0) {
  if (stride == 0) stride = d;
  const cuuint64_t sizes[3] = {(cuuint64_t)d, (cuuint64_t)n, (cuuint64_t)heads};
  const cuuint64_t strides[2] = {(cuuint64_t)(stride * 2), (cuuint64_t)(n * stride * 2)};
  const cuuint32_t box[3] = {64, (cuuint32_t)rows, 1}, steps[3] = {1, 1, 1};
  return encode_tiled()(map, bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3,
                        const_cast<void*>(base), sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                        CU_TENSOR_MAP_SWIZZLE_128B,
                        stride % 16 == 0 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace tilewalk::fast
