// Fast FlashAttention-2, backward, for mma.sync.
//
// Idea       P is not stored by the forward pass: it is recomputed tile by tile from Q, K and L. A block keeps one K
// and V
//            tile and walks down the queries: S^T = K Q^T, P^T = 2^(c S^T - L), dV += P^T dO, dP^T = V dO^T,
//            dS^T = P^T (dP^T - D), dK += dS^T Q, dQ += dS K, with D = rowsum(dO O) from a small kernel before.
// Changed    Since flash_v2.cu: the transposed scores. Warps split the keys, so P^T and dS^T leave the accumulators as
// the
//            operands of dV and dK without crossing shared memory; dS alone does, for dQ, whose sum runs over all
//            warps.
// Launch     One block per (KV tile of 128 keys, K and V head), which walks all query heads of its group. dQ is summed
// in
//            fp32 by atomics, so its last bits may differ between runs; dK and dV do not.
// Tiles      d = 64: 4 warps of 32 keys, 32 queries, two blocks a multiprocessor; d = 128: 8 warps of 16 keys, 64
// queries. Shared     K, V, two stages of Q, dO, L and D, and dS: d = 64: 57 KiB; d = 128: 145 KiB. Measured
// kernels/NOTES.md.
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {
namespace {

constexpr int kBc = 128;

template <int D>
struct Shape {
  static constexpr int kBlocks16 = D > 64 ? 1 : 2;  // 16-key blocks a warp
  static constexpr int kWarps = kBc / (16 * kBlocks16), kThreads = 32 * kWarps;
  static constexpr int kBr = D > 64 ? 64 : 32;
  static constexpr int kKv = kBc * D * 2, kQ = kBr * D * 2;
  static constexpr int kAtV = kKv, kAtQ = 2 * kKv, kAtDo = kAtQ + 2 * kQ, kAtDs = kAtDo + 2 * kQ;
  static constexpr int kAtRows = kAtDs + kBc * kBr * 2;  // (2, 2, Br) floats: stages of L and D
  static constexpr int kBytes = kAtRows + 16 * kBr;
};

// Rows of kElements elements in 16-byte chunks, placed so that 8 neighbouring rows meet 8 bank groups.
template <int kElements>
__device__ inline uint32_t place(int row, int chunk) {
  return row * kElements * 2 + ((chunk ^ (kElements >= 64 ? row & 7 : (row >> 1) & 3)) << 4);
}

template <class T, int D, int kRows, int kThreads>
__device__ inline void load_rows(uint32_t to, const T* from, int first, int n, int d) {
  constexpr int kChunks = D / 8;
#pragma unroll
  for (int i = 0; i < kRows * kChunks / kThreads; ++i) {
    const int e = i * kThreads + threadIdx.x, row = e / kChunks, chunk = e % kChunks;
    const bool inside = first + row < n && chunk * 8 < d;
    cp_async_16(to + place<D>(row, chunk), inside ? from + (long long)(first + row) * d + chunk * 8 : from, inside);
  }
}

// acc (16 x 16 kCount) += a b^T or a b for one step of 16 along the sum; at: the fragment loader's address of column n.
template <class T, int kBlocks16, int kCount, bool kTransposed, class At>
__device__ inline void multiply(float (&acc)[kBlocks16][kCount * 8], const uint32_t (&a)[kBlocks16][4], At at) {
#pragma unroll
  for (int n = 0; n < kCount; ++n) {
    uint32_t b[4];
    if constexpr (kTransposed) {
      ldmatrix_x4_transposed(b, at(n));
    } else {
      ldmatrix_x4(b, at(n));
    }
#pragma unroll
    for (int i = 0; i < kBlocks16; ++i) {
      mma_16816<T>(&acc[i][8 * n], a[i], b[0], b[1]);
      mma_16816<T>(&acc[i][8 * n + 4], a[i], b[2], b[3]);
    }
  }
}

template <class T, int D, bool kCausal>
__global__ void __launch_bounds__(Shape<D>::kThreads, D > 64 ? 1 : 2) flash_v2_backward(const BackwardArgs b) {
  using S = Shape<D>;
  constexpr int kM = S::kBlocks16, kBr = S::kBr;
  const ForwardArgs& a = b.forward;
  extern __shared__ __align__(128) unsigned char shared[];
  const uint32_t sK = shared_address(shared), sV = sK + S::kAtV, sDs = sK + S::kAtDs;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int kv_tiles = (a.n_kv + kBc - 1) / kBc;
  const int kv_head = blockIdx.x / kv_tiles,
            first_col = blockIdx.x % kv_tiles * kBc;  // first keys first: most rows see them
  const T* gK = (const T*)a.k + (long long)kv_head * a.n_kv * a.d;
  const T* gV = (const T*)a.v + (long long)kv_head * a.n_kv * a.d;

  const int q_tiles = (a.n_q + kBr - 1) / kBr;
  const int first_tile = kCausal ? min(q_tiles, max(0, first_col - a.causal_shift) / kBr) : 0;
  const int tiles = q_tiles - first_tile, steps = tiles * a.heads_per_kv;

  const auto prefetch = [&](int step) {
    const int head = kv_head * a.heads_per_kv + step / tiles, first_row = (first_tile + step % tiles) * kBr,
              stage = step & 1;
    const long long base = (long long)head * a.n_q;
    load_rows<T, D, kBr, S::kThreads>(sK + S::kAtQ + stage * S::kQ, (const T*)a.q + base * a.d, first_row, a.n_q, a.d);
    load_rows<T, D, kBr, S::kThreads>(sK + S::kAtDo + stage * S::kQ, (const T*)b.d_o + base * a.d, first_row, a.n_q,
                                      a.d);
    float* const rows = (float*)(shared + S::kAtRows) + stage * 2 * kBr;
    for (int row = threadIdx.x; row < kBr; row += S::kThreads) {  // read after the next step's barrier
      const bool inside = first_row + row < a.n_q;
      rows[row] = inside ? a.lse[base + first_row + row] : plus_infinity();
      rows[kBr + row] = inside ? b.row_dot[base + first_row + row] : 0.0f;
    }
    cp_async_commit();
  };

  float dk[kM][D / 2], dv[kM][D / 2];
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) dk[i][e] = dv[i][e] = 0.0f;
  }
  load_rows<T, D, kBc, S::kThreads>(sK, gK, first_col, a.n_kv, a.d);
  load_rows<T, D, kBc, S::kThreads>(sV, gV, first_col, a.n_kv, a.d);
  if (steps > 0) prefetch(0);

  const int key_row = warp * 16 * kM, low = lane & 15, high = lane >> 4;
  const int n_row = (lane & 7) + ((lane >> 4) << 3), n_high = (lane >> 3) & 1;
  for (int step = 0; step < steps; ++step) {
    cp_async_wait_all();
    __syncthreads();  // this stage is filled for all; all are done with the other stage and with dS
    if (step + 1 < steps) prefetch(step + 1);
    const int stage = step & 1, head = kv_head * a.heads_per_kv + step / tiles,
              first_row = (first_tile + step % tiles) * kBr;
    const uint32_t sQ = sK + S::kAtQ + stage * S::kQ, sDo = sK + S::kAtDo + stage * S::kQ;
    const float* const rows = (const float*)(shared + S::kAtRows) + stage * 2 * kBr;

    // S^T = K Q^T, then P^T.
    float s[kM][kBr / 2], dp[kM][kBr / 2];
#pragma unroll
    for (int i = 0; i < kM; ++i) {
#pragma unroll
      for (int e = 0; e < kBr / 2; ++e) s[i][e] = dp[i][e] = 0.0f;
    }
#pragma unroll
    for (int x = 0; x < D / 16; ++x) {
      uint32_t k[kM][4];
#pragma unroll
      for (int i = 0; i < kM; ++i) ldmatrix_x4(k[i], sK + place<D>(key_row + i * 16 + low, 2 * x + high));
      multiply<T, kM, kBr / 16, false>(s, k, [&](int n) { return sQ + place<D>(n * 16 + n_row, 2 * x + n_high); });
    }
    const bool crosses = kCausal && first_col + kBc - 1 > first_row + a.causal_shift;
    const bool masked = first_col + kBc > a.n_kv || crosses;
#pragma unroll
    for (int j = 0; j < kBr / 8; ++j) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int row = 8 * j + 2 * (lane & 3) + e;
        const float lse = rows[row];
#pragma unroll
        for (int i = 0; i < kM; ++i) {
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            float& p = s[i][4 * j + 2 * h + e];
            p = exp2_approx(fmaf(p, a.c, -lse));
            if (masked) {
              const int col = first_col + key_row + i * 16 + h * 8 + lane / 4;
              if (col >= a.n_kv || (kCausal && col > first_row + row + a.causal_shift)) p = 0.0f;
            }
          }
        }
      }
    }

    // dP^T = V dO^T, and dV += P^T dO.
#pragma unroll
    for (int x = 0; x < D / 16; ++x) {
      uint32_t v[kM][4];
#pragma unroll
      for (int i = 0; i < kM; ++i) ldmatrix_x4(v[i], sV + place<D>(key_row + i * 16 + low, 2 * x + high));
      multiply<T, kM, kBr / 16, false>(dp, v, [&](int n) { return sDo + place<D>(n * 16 + n_row, 2 * x + n_high); });
    }
#pragma unroll
    for (int y = 0; y < kBr / 16; ++y) {
      uint32_t p[kM][4];
#pragma unroll
      for (int i = 0; i < kM; ++i) {
#pragma unroll
        for (int e = 0; e < 4; ++e) p[i][e] = pack2<T>(s[i][8 * y + 2 * e], s[i][8 * y + 2 * e + 1]);
      }
      multiply<T, kM, D / 16, true>(dv, p, [&](int n) { return sDo + place<D>(y * 16 + low, 2 * n + high); });
    }

    // dS^T = P^T (dP^T - D): to shared memory for dQ, and as an operand into dK += dS^T Q.
#pragma unroll
    for (int y = 0; y < kBr / 16; ++y) {
      uint32_t ds[kM][4];
#pragma unroll
      for (int i = 0; i < kM; ++i) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int j = 2 * y + e / 2, at = 8 * y + 2 * e;
          const float2 dot = *(const float2*)(rows + kBr + 8 * j + 2 * (lane & 3));
          ds[i][e] = pack2<T>(s[i][at] * (dp[i][at] - dot.x), s[i][at + 1] * (dp[i][at + 1] - dot.y));
          const int row = key_row + i * 16 + (e & 1) * 8 + lane / 4;
          *(uint32_t*)(shared + S::kAtDs + place<kBr>(row, j) + (lane & 3) * 4) = ds[i][e];
        }
      }
      multiply<T, kM, D / 16, true>(dk, ds, [&](int n) { return sQ + place<D>(y * 16 + low, 2 * n + high); });
    }
    __syncthreads();  // dS is complete

    // dQ += dS K: each warp takes 16 columns of dQ.
    float dq[kBr / 16][8];
#pragma unroll
    for (int i = 0; i < kBr / 16; ++i) {
#pragma unroll
      for (int e = 0; e < 8; ++e) dq[i][e] = 0.0f;
    }
#pragma unroll
    for (int y = 0; y < kBc / 16; ++y) {
      uint32_t ds[kBr / 16][4];
#pragma unroll
      for (int i = 0; i < kBr / 16; ++i) {  // stored by keys, wanted by queries: matrices across, then down
        ldmatrix_x4_transposed(ds[i], sDs + place<kBr>(y * 16 + n_row, 2 * i + n_high));
      }
      multiply<T, kBr / 16, 1, true>(dq, ds, [&](int) { return sK + place<D>(y * 16 + low, 2 * warp + high); });
    }
    if (warp * 16 >= D) continue;
#pragma unroll
    for (int i = 0; i < kBr / 16; ++i) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = first_row + i * 16 + h * 8 + lane / 4;
        if (row >= a.n_q) continue;
        float* const to = b.dq_sum + ((long long)head * a.n_q + row) * a.d;
#pragma unroll
        for (int n = 0; n < 2; ++n) {
          const int x = warp * 16 + n * 8 + 2 * (lane & 3);
          if (x < a.d) add_pair(to + x, dq[i][4 * n + 2 * h], dq[i][4 * n + 2 * h + 1]);
        }
      }
    }
  }

  T* const gDk = (T*)b.d_k + (long long)kv_head * a.n_kv * a.d;
  T* const gDv = (T*)b.d_v + (long long)kv_head * a.n_kv * a.d;
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int col = first_col + key_row + i * 16 + h * 8 + lane / 4;
      if (col >= a.n_kv) continue;
#pragma unroll
      for (int j = 0; j < D / 8; ++j) {
        const int x = 8 * j + 2 * (lane & 3), e = 4 * j + 2 * h;
        if (x >= a.d) continue;
        *(uint32_t*)(gDk + (long long)col * a.d + x) = pack2<T>(dk[i][e] * b.scale, dk[i][e + 1] * b.scale);
        *(uint32_t*)(gDv + (long long)col * a.d + x) = pack2<T>(dv[i][e], dv[i][e + 1]);
      }
    }
  }
}

// D = rowsum(dO O), and zeros for the sums of dQ. One warp a row.
template <class T>
__global__ void row_dots(const BackwardArgs b, long long rows) {
  const long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const int d = b.forward.d;
  float sum = 0.0f;
  for (int x = threadIdx.x % 32; x < d; x += 32) {
    sum = fmaf(float(((const T*)b.d_o)[row * d + x]), float(((const T*)b.forward.o)[row * d + x]), sum);
    b.dq_sum[row * d + x] = 0.0f;
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) b.row_dot[row] = sum;
}

template <class T>
__global__ void round_dq(const BackwardArgs b, long long pairs) {
  const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= pairs) return;
  const float2 sum = ((const float2*)b.dq_sum)[at];
  ((uint32_t*)b.d_q)[at] = pack2<T>(sum.x * b.scale, sum.y * b.scale);
}

template <class T, int D, bool kCausal>
cudaError_t launch(const BackwardArgs& b, long long kv_heads, cudaStream_t stream) {
  auto* const kernel = &flash_v2_backward<T, D, kCausal>;
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape<D>::kBytes);
  if (raised != cudaSuccess) return raised;
  const long long rows = (long long)b.forward.all_heads * b.forward.n_q, pairs = rows * b.forward.d / 2;
  row_dots<T><<<(int)((rows + 7) / 8), 256, 0, stream>>>(b, rows);
  const long long blocks = kv_heads * ((b.forward.n_kv + kBc - 1) / kBc);
  kernel<<<(int)blocks, Shape<D>::kThreads, Shape<D>::kBytes, stream>>>(b);
  round_dq<T><<<(int)((pairs + 255) / 256), 256, 0, stream>>>(b, pairs);
  return cudaGetLastError();
}

template <class T>
cudaError_t launch_typed(const BackwardArgs& b, long long kv_heads, bool causal, cudaStream_t stream) {
  if (b.forward.d > 64)
    return causal ? launch<T, 128, true>(b, kv_heads, stream) : launch<T, 128, false>(b, kv_heads, stream);
  return causal ? launch<T, 64, true>(b, kv_heads, stream) : launch<T, 64, false>(b, kv_heads, stream);
}

}  // namespace

cudaError_t flash_v2_backward_launch(const BackwardArgs& b, long long kv_heads, bool bf16, bool causal,
                                     cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(b, kv_heads, causal, stream)
              : launch_typed<__half>(b, kv_heads, causal, stream);
}

}  // namespace tilewalk::fast
