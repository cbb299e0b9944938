// Launches one build of flash_v3: tensor maps, shared memory, blocks. Included by the files that choose builds.
#pragma once

#include <algorithm>

#include "kernels/fast/flash_v3_kernel.h"
#include "kernels/fast/join_parts.h"

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

// (heads, n, d), in boxes of `rows` rows by 64 elements. Where rows begin inside 32-byte pieces (d = 72, 88 ...), 256
// bytes at a time from DRAM to L2 cost a sixth (kernels/NOTES.md).
inline bool make_map(CUtensorMap* map, const void* base, bool bf16, long long heads, long long n, long long d,
                     int rows) {
  const cuuint64_t sizes[3] = {(cuuint64_t)d, (cuuint64_t)n, (cuuint64_t)heads};
  const cuuint64_t strides[2] = {(cuuint64_t)(d * 2), (cuuint64_t)(n * d * 2)};
  const cuuint32_t box[3] = {64, (cuuint32_t)rows, 1}, steps[3] = {1, 1, 1};
  return encode_tiled()(map, bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3,
                        const_cast<void*>(base), sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                        CU_TENSOR_MAP_SWIZZLE_128B,
                        d % 16 == 0 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

inline int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

// Null for success, else what went wrong.
template <class T, int D, bool kCausal, class B, class R = Silent>
const char* launch(ForwardArgs a, long long kv_heads, cudaStream_t stream, const R& record = {}) {
  using L = Layout<D, B>;
  if (encode_tiled() == nullptr)
    return "The driver does not know tensor maps; flash_v3 needs a driver for CUDA 12 or later";
  constexpr bool kBf16 = std::is_same_v<T, __nv_bfloat16>;
  TensorMaps maps;
  const bool made = make_map(&maps.q, a.q, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&maps.k, a.k, kBf16, kv_heads, a.n_kv, a.d, B::bc) &&
                    make_map(&maps.v, a.v, kBf16, kv_heads, a.n_kv, a.d, B::bc) &&
                    make_map(&maps.o, a.o, kBf16, a.all_heads, a.n_q, a.d, 64);
  if (!made) return "The driver refused a tensor map; tensors must start at multiples of 16 bytes";
  auto* const kernel = &flash_v3_forward<T, D, kCausal, B, R>;
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, L::kBytes);
  if (raised != cudaSuccess) return cudaGetErrorString(raised);
  a.q_tiles = (a.n_q + L::kRows - 1) / L::kRows;
  const int tiles = B::in_parts ? work_items(a.parts) : a.q_tiles * a.all_heads;
  const int blocks = B::persistent ? std::min(tiles, B::blocks * multiprocessors()) : tiles;
  kernel<<<blocks, B::threads, L::kBytes, stream>>>(a, maps, record);
  cudaError_t launched = cudaGetLastError();
  if constexpr (B::in_parts) {
    if (launched == cudaSuccess) launched = launch_join<T, D, L::kRows, kCausal>(a, stream);
  }
  return launched == cudaSuccess ? nullptr : cudaGetErrorString(launched);
}

}  // namespace tilewalk::fast
