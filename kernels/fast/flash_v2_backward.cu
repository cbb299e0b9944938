// Fast FlashAttention-2, backward, for mma.sync.
//
// Idea       The forward pass does not store P: it is recomputed tile by tile from Q, K and L. A block keeps one K
//            and V tile and walks down the queries: S^T = K Q^T, P^T = 2^(c S^T - L), dV += P^T dO, dP^T = V dO^T,
//            dS^T = P^T (dP^T - D), dK += dS^T Q, dQ += dS K, with D = rowsum(dO O) from a small kernel before.
// Changed    Since flash_v2.cu: two groups of four warps share the keys. The first computes S, P and dV, the second dP,
//            dS and dK: one accumulator a warp, so that a warp can own 32 keys at d = 128 and each fragment of Q or dO
//            read from shared memory feeds four products. Scores are transposed: P^T and dS^T in the accumulators are
//            operands of dV and dK. P goes to the second group in the order of the lanes, with a barrier for the two
//            warps of the same keys, through the bytes that dS uses next; dS goes to all warps, for dQ one step later.
// Launch     One block per (KV tile of 64 or 128 keys, K and V head), which walks all query heads of its group; first
// keys
//            first, since under a causal mask most rows see them. dQ is summed in fp32 by atomics, so its last bits
//            may differ between runs; dK and dV do not.
// Order      The first group runs dQ of the step before at the end of a step, the second at its start: one group
//            multiplies while the other exponentiates or waits. One barrier of the whole block a step.
// Tiles      128 keys by 64 queries up to d = 160; d = 64: 128 queries in two halves; d = 32: two blocks a
//            multiprocessor. d = 192 and 256: 64 keys by 64 queries, 16 keys a warp. K or V fragments stay in registers
//            at d = 32, 64, 96 and 192. At d = 32 and 160 the scores of 32 queries are in registers at once, else
//            of 64.
// Shared     K, V, two stages of Q, dO, L and D, and two of dS: d = 32: 65 KiB; 64: 162; 96: 129; 128: 161; 192: 161,
//            which fit sm_80 and sm_90, not sm_86 and sm_89; d = 160: 193 and d = 256: 209 KiB, sm_90.
// Registers  252 to 255, d = 32: 128; at d = 96 20 bytes spilled, at d = 160 up to 92.
// Measured   kernels/NOTES-backward.md.
#include "core/problem/fast_kernels.h"
#include "kernels/fast/backward_rows.h"
#include "kernels/fast/flash_v2_backward_kernel.h"

namespace tilewalk::fast {
namespace {

template <class S>
constexpr bool kKnown = fast_tile(Contender::FlashV2Backward, S::D, false) == FastTile{S::kBr, S::kBc} &&
                        fast_shared(Contender::FlashV2Backward, S::D, false) == S::kBytes;

template <class T, class S, bool kCausal>
cudaError_t launch(const BackwardArgs& b, long long kv_heads, cudaStream_t stream) {
  auto* const kernel = &flash_v2_backward<T, S, kCausal>;
  static_assert(kKnown<S>);
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kBytes);
  if (raised != cudaSuccess) return raised;
  const long long rows = (long long)b.forward.all_heads * b.forward.n_q, chunks = rows * b.forward.d / 8;
  row_dots<T><<<(int)((rows + 15) / 16), 256, 0, stream>>>(b, rows);
  const long long blocks = kv_heads * b.shares * ((b.forward.n_kv + S::kBc - 1) / S::kBc);
  kernel<<<(int)blocks, S::kThreads, S::kBytes, stream>>>(b);
  if (b.shares > 1) launch_add_shares<T>(b, kv_heads, stream);
  round_dq<T><<<(int)((chunks + 255) / 256), 256, 0, stream>>>(b, chunks);
  return cudaGetLastError();
}

template <class T, class S>
cudaError_t launch_masked(const BackwardArgs& b, long long kv_heads, bool causal, cudaStream_t stream) {
  return causal ? launch<T, S, true>(b, kv_heads, stream) : launch<T, S, false>(b, kv_heads, stream);
}

template <class T>
cudaError_t launch_typed(const BackwardArgs& b, long long kv_heads, bool causal, cudaStream_t stream) {
  switch (built_d(Contender::FlashV2Backward, b.forward.d)) {
    case 32: return launch_masked<T, BackwardV2Shape<32, 2, 64, true, 32, 2>>(b, kv_heads, causal, stream);
    case 64: return launch_masked<T, BackwardV2Shape<64, 2, 128, true>>(b, kv_heads, causal, stream);
    case 96: return launch_masked<T, BackwardV2Shape<96, 2, 64, true>>(b, kv_heads, causal, stream);
    case 128: return launch_masked<T, BackwardV2Shape<128, 2, 64, false>>(b, kv_heads, causal, stream);
    case 160: return launch_masked<T, BackwardV2Shape<160, 2, 64, false, 32>>(b, kv_heads, causal, stream);
    case 192: return launch_masked<T, BackwardV2Shape<192, 1, 64, true>>(b, kv_heads, causal, stream);
    default: return launch_masked<T, BackwardV2Shape<256, 1, 64, false>>(b, kv_heads, causal, stream);
  }
}

}  // namespace

cudaError_t flash_v2_backward_launch(BackwardArgs b, long long kv_heads, bool bf16, bool causal, cudaStream_t stream) {
  b.forward.heads_per_kv /= b.shares;  // of a share, which its kernel walks as a K and V head of its own
  return bf16 ? launch_typed<__nv_bfloat16>(b, kv_heads, causal, stream)
              : launch_typed<__half>(b, kv_heads, causal, stream);
}

}  // namespace tilewalk::fast
