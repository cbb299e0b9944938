// Launches one build of flash_v3: tensor maps, shared memory, blocks. Included by the files that choose builds.
#pragma once

#include <algorithm>

#include "kernels/fast/flash_v3.h"
#include "kernels/fast/flash_v3_kernel.h"
#include "kernels/fast/join_parts.h"
#include "kernels/fast/multiprocessors.h"
#include "kernels/fast/tensor_map.h"

namespace tilewalk::fast {

// Null for success, else what went wrong.
template <class T, int D, bool kCausal, class B, class R = Silent>
const char* launch(ForwardArgs a, KvRows kv, cudaStream_t stream, const R& record = {}) {
  using L = Layout<D, B>;
  if (encode_tiled() == nullptr)
    return "The driver does not know tensor maps; flash_v3 needs a driver for CUDA 12 or later";
  constexpr bool kBf16 = std::is_same_v<T, __nv_bfloat16>;
  // Copies have zeros up to a whole piece of 32 bytes; half a piece past the end of a tensor is slow.
  const long long kv_d = kv.stride == 0 ? a.d : (a.d + 15) / 16 * 16;
  TensorMaps maps;
  const bool made = make_map(&maps.q, a.q, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&maps.k, a.k, kBf16, kv.heads, a.n_kv, kv_d, B::bc, kv.stride) &&
                    make_map(&maps.v, a.v, kBf16, kv.heads, a.n_kv, kv_d, B::bc, kv.stride) &&
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
