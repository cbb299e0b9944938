// Launches flash_v3's backward pass above d = 128.
#pragma once

#include <algorithm>

#include "core/problem/shares_plan.h"
#include "kernels/fast/flash_v3_backward_keys.h"
#include "kernels/fast/flash_v3_backward_queries.h"
#include "kernels/fast/flash_v3_backward_rows.h"
#include "kernels/fast/tensor_map.h"

namespace tilewalk::fast {

template <class T, class Keys, class Queries, bool kCausal>
const char* launch_wide_backward(BackwardArgs b, long long kv_heads, cudaStream_t stream) {
  static_assert(fast_tile(Contender::FlashV3Backward, Keys::D, false) == FastTile{Keys::kRows, Keys::kKeys});
  static_assert(fast_shared(Contender::FlashV3Backward, Keys::D, false) == std::max(Keys::kBytes, Queries::kBytes));
  ForwardArgs& a = b.forward;
  if (encode_tiled() == nullptr)
    return "The driver does not know tensor maps; flash_v3 needs a driver for CUDA 12 or later";
  constexpr bool kBf16 = std::is_same_v<T, __nv_bfloat16>;
  BackwardMaps maps;
  QueriesMaps of_queries;
  const bool made = make_map(&maps.q, a.q, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&maps.d_o, b.d_o, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&of_queries.d_q, b.d_q, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&maps.k, a.k, kBf16, kv_heads, a.n_kv, a.d, 64) &&
                    make_map(&maps.v, a.v, kBf16, kv_heads, a.n_kv, a.d, 64) &&
                    make_map(&maps.d_k, b.d_k, kBf16, kv_heads, a.n_kv, a.d, 64) &&
                    make_map(&maps.d_v, b.d_v, kBf16, kv_heads, a.n_kv, a.d, 64);
  if (!made) return "The driver refused a tensor map; tensors must start at multiples of 16 bytes";
  of_queries.q = maps.q, of_queries.k = maps.k, of_queries.v = maps.v, of_queries.d_o = maps.d_o;
  auto* const keys = &flash_v3_backward_keys<T, Keys, kCausal>;
  auto* const queries = &flash_v3_backward_queries<T, Queries, kCausal>;
  cudaError_t raised = cudaFuncSetAttribute(keys, cudaFuncAttributeMaxDynamicSharedMemorySize, Keys::kBytes);
  if (raised == cudaSuccess)
    raised = cudaFuncSetAttribute(queries, cudaFuncAttributeMaxDynamicSharedMemorySize, Queries::kBytes);
  if (raised != cudaSuccess) return cudaGetErrorString(raised);
  a.q_tiles = (a.n_q + Keys::kRows - 1) / Keys::kRows;
  backward_stats<T, Keys><<<a.all_heads * a.q_tiles, 256, 0, stream>>>(b);
  const long long key_blocks = kv_heads * b.shares * ((a.n_kv + Keys::kKeys - 1) / Keys::kKeys);
  keys<<<(int)key_blocks, kWideBackwardThreads, Keys::kBytes, stream>>>(b, maps);
  if (b.shares > 1) launch_add_shares<T>(b, kv_heads, stream);
  // The sections of `a` are of K and V heads and shares; those of this kernel must have every query head.
  const BackwardSections query_sections = even_sections(a.all_heads, a.section_heads);
  a.section_heads = (int)query_sections.heads, a.larger_sections = (int)query_sections.larger;
  const long long query_blocks = (long long)a.all_heads * ((a.n_q + Queries::kRows - 1) / Queries::kRows);
  queries<<<(int)query_blocks, kWideBackwardThreads, Queries::kBytes, stream>>>(b, of_queries);
  const cudaError_t launched = cudaGetLastError();
  return launched == cudaSuccess ? nullptr : cudaGetErrorString(launched);
}

template <class T>
const char* flash_v3_backward_wide_launch(const BackwardArgs& b, long long kv_heads, bool causal, cudaStream_t stream) {
  if (b.forward.d > 192)
    return causal ? launch_wide_backward<T, KeysShape<256>, QueriesShape<256>, true>(b, kv_heads, stream)
                  : launch_wide_backward<T, KeysShape<256>, QueriesShape<256>, false>(b, kv_heads, stream);
  return causal ? launch_wide_backward<T, KeysShape<192>, QueriesShape<192>, true>(b, kv_heads, stream)
                : launch_wide_backward<T, KeysShape<192>, QueriesShape<192>, false>(b, kv_heads, stream);
}

}  // namespace tilewalk::fast
