// FlashAttention-3, backward, for Hopper (sm_90a).
//
// Idea       flash_v2_backward's walk with flash_v3's units: a block keeps one K and V tile and walks down the queries:
//            S^T = K Q^T, P^T = 2^(c S^T - L), dP^T = V dO^T, dS^T = P^T (dP^T - D), dV += P^T dO, dK += dS^T Q,
//            dQ += dS K. The copy engine loads Q and dO and adds dQ to its sums in HBM.
// Changed    Since flash_v2_backward.cu: wgmma and TMA; scores are transposed again, so P^T and dS^T in the
// accumulators
//            are operands of dV and dK. dS goes through shared memory, two stages of it, to a warpgroup of its own that
//            multiplies dQ. So three warpgroups drift apart, and one exponentiates while others multiply; within a
//            warpgroup nothing overlaps, which keeps it at 208 registers.
// Launch     One block per (KV tile of 128 keys, K and V head), which walks all query heads of its group; first keys
//            first. Warpgroups: loads; dQ; two that compute 64 keys each. Before: a kernel that computes D and zeros
//            the sums of dQ; after: one that rounds them. Sums are in the order of wgmma's registers, 4 KiB a warp, so
//            that one bulk copy adds them.
// Order      A compute warpgroup's step: S, exponentials, dP, dS, then dV and dK; dQ follows when both have stored dS.
//            dQ is summed by atomics, so its last bits may differ between runs; dK and dV do not.
// Tiles      128 keys by 64 queries (d = 128) or 128 queries (d = 64).
// Shared     K, V, two stages of Q, dO and dS, one dQ in fp32: 195 KiB.
// Registers  Loads 32, dQ 64, compute 208; up to 8 bytes spilled.
// Above 128  dK and dV of 128 keys do not fit the registers, and with 64 keys the adds to dQ would take longer than the
//            products. So two kernels (flash_v3_backward_keys.h, flash_v3_backward_queries.h): one for dK and dV, 64
//            keys a block, a warpgroup for S, P and dV, another for dP, dS and dK; and one for dQ, which computes S and
//            dP again: seven products in place of five, no sums in HBM, and dQ gives equal bytes each time.
// Few keys   Up to 192 keys and d = 64, or 128 keys and d = 128, one block has all keys of a head
//            (flash_v3_backward_all_keys.h): no sums of dQ.
// Measured   kernels/NOTES-backward.md.
#include "core/problem/backward_build.h"
#include "core/problem/shares_plan.h"
#include "kernels/fast/flash_v3.h"
#include "kernels/fast/flash_v3_backward_all_keys.h"
#include "kernels/fast/flash_v3_backward_rows.h"
#include "kernels/fast/flash_v3_backward_wide_launch.h"
#include "kernels/fast/multiprocessors.h"
#include "kernels/fast/tensor_map.h"

namespace tilewalk::fast {
namespace {

using Narrow = BackwardShape<64, 128>;
using Wide = BackwardShape<128, 64>;

// early: its blocks may be placed when all blocks of the kernel before have called let_next_begin().
template <class... Parameters, class... Arguments>
void launch_kernel(bool early, void (*kernel)(Parameters...), int blocks, int threads, int shared, cudaStream_t stream,
                   const Arguments&... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks), config.blockDim = dim3(threads), config.dynamicSmemBytes = shared;
  config.stream = stream, config.attrs = &attribute, config.numAttrs = early;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

template <class T, class S, bool kCausal>
constexpr auto kernel_of() {
  if constexpr (S::kAllKeys) {
    return &flash_v3_backward_all_keys<T, S, kCausal>;
  } else {
    return &flash_v3_backward<T, S, kCausal>;
  }
}

template <class T, class S, bool kCausal>
const char* launch(BackwardArgs b, long long kv_heads, cudaStream_t stream) {
  ForwardArgs& a = b.forward;
  if (encode_tiled() == nullptr)
    return "The driver does not know tensor maps; flash_v3 needs a driver for CUDA 12 or later";
  constexpr bool kBf16 = std::is_same_v<T, __nv_bfloat16>;
  BackwardMaps maps;
  const bool made = make_map(&maps.q, a.q, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&maps.d_o, b.d_o, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&maps.k, a.k, kBf16, kv_heads, a.n_kv, a.d, 64) &&
                    make_map(&maps.v, a.v, kBf16, kv_heads, a.n_kv, a.d, 64) &&
                    make_map(&maps.d_k, b.d_k, kBf16, kv_heads, a.n_kv, a.d, 64) &&
                    make_map(&maps.d_v, b.d_v, kBf16, kv_heads, a.n_kv, a.d, 64) &&
                    make_map(&maps.d_q, b.d_q, kBf16, a.all_heads, a.n_q, a.d, 64);
  if (!made) return "The driver refused a tensor map; tensors must start at multiples of 16 bytes";
  auto* const kernel = kernel_of<T, S, kCausal>();
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kBytes);
  if (raised != cudaSuccess) return cudaGetErrorString(raised);
  a.q_tiles = (a.n_q + S::kRows - 1) / S::kRows;
  backward_stats<T, S><<<a.all_heads * a.q_tiles, 256, 0, stream>>>(b);
  const long long blocks = kv_heads * b.shares * ((a.n_kv + S::kKeys - 1) / S::kKeys);
  constexpr int threads = 128 * (S::kAllKeys ? 1 + S::kGroups : 2 + S::kGroups);
  launch_kernel(S::kShort, kernel, (int)blocks, threads, S::kBytes, stream, b, maps);
  if (b.shares > 1) launch_add_shares<T>(b, kv_heads, stream);
  if constexpr (!S::kAllKeys) {
    const long long chunks = (long long)a.all_heads * a.n_q * ((a.d + 15) / 16);
    launch_kernel(S::kShort, &round_sums<T, S>, (int)((chunks + 255) / 256), 256, 0, stream, b, chunks);
  }
  const cudaError_t launched = cudaGetLastError();
  return launched == cudaSuccess ? nullptr : cudaGetErrorString(launched);
}

template <class T, class S>
const char* launch_masked(const BackwardArgs& b, long long kv_heads, bool causal, cudaStream_t stream) {
  return causal ? launch<T, S, true>(b, kv_heads, stream) : launch<T, S, false>(b, kv_heads, stream);
}

template <class T>
const char* launch_typed(const BackwardArgs& b, long long kv_heads, bool causal, cudaStream_t stream) {
  if (b.forward.d > 128) return flash_v3_backward_wide_launch<T>(b, kv_heads, causal, stream);
  const ForwardArgs& a = b.forward;
  const BackwardBuild build = backward_build(Contender::FlashV3Backward,
                                             {kv_heads, a.heads_per_kv, a.n_q, a.n_kv, a.d, causal}, multiprocessors());
  if (build.all_keys) {
    if (a.d > 64)
      return b.shares > 1 ? launch_masked<T, AllKeysShape<128, 64, 128>>(b, kv_heads, causal, stream)
                          : launch_masked<T, AllKeysShape<128, 64, 128, false>>(b, kv_heads, causal, stream);
    return build.tile.keys > 128 ? launch_masked<T, AllKeysShape<64, 64, 192>>(b, kv_heads, causal, stream)
                                 : launch_masked<T, AllKeysShape<64, 128, 128>>(b, kv_heads, causal, stream);
  }
  const bool long_rows = a.n_q > kShortBackwardRows && b.shares == 1;
  if (a.d > 64) {
    if (long_rows) return launch_masked<T, Wide>(b, kv_heads, causal, stream);
    return b.shares > 1 ? launch_masked<T, BackwardShape<128, 64, true>>(b, kv_heads, causal, stream)
                        : launch_masked<T, BackwardShape<128, 64, true, false>>(b, kv_heads, causal, stream);
  }
  return long_rows ? launch_masked<T, Narrow>(b, kv_heads, causal, stream)
                   : launch_masked<T, BackwardShape<64, 128, true>>(b, kv_heads, causal, stream);
}

// Of a head size's build: the sums of dQ; L and D.
struct Workspace {
  size_t sums, stats;
};
template <class S>
Workspace workspace_of(long long all_heads, long long n_q) {
  const size_t tiles = (size_t)all_heads * ((n_q + S::kRows - 1) / S::kRows);
  return {tiles * S::kRows * S::D * sizeof(float), tiles * 2 * S::kRows * sizeof(float)};
}
// Without sums where dQ is complete in a thread block.
Workspace workspace_of(const SharesShape& s) {
  const long long heads = s.kv_heads * s.heads_per_kv;
  if (s.d > 128) return {0, workspace_of<KeysShape<256>>(heads, s.n_q).stats};
  const Workspace both = s.d > 64 ? workspace_of<Wide>(heads, s.n_q) : workspace_of<Narrow>(heads, s.n_q);
  const BackwardBuild build = backward_build(Contender::FlashV3Backward, s, multiprocessors());
  return {build.all_keys ? 0 : both.sums, both.stats};
}
SharesShape shape_of(const ForwardArgs& a, long long kv_heads, bool causal) {
  return {kv_heads, a.heads_per_kv, a.n_q, a.n_kv, a.d, causal};
}

}  // namespace

size_t flash_v3_backward_workspace_bytes(const SharesShape& shape) {
  const Workspace bytes = workspace_of(shape);
  return bytes.sums + bytes.stats;
}

const char* flash_v3_backward_launch(BackwardArgs b, void* workspace, long long kv_heads, bool bf16, bool causal,
                                     cudaStream_t stream) {
  const ForwardArgs& a = b.forward;
  b.dq_sum = (float*)workspace;
  b.row_dot = b.dq_sum + workspace_of(shape_of(a, kv_heads, causal)).sums / sizeof(float);
  return bf16 ? launch_typed<__nv_bfloat16>(b, kv_heads, causal, stream)
              : launch_typed<__half>(b, kv_heads, causal, stream);
}

}  // namespace tilewalk::fast
