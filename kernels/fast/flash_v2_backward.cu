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
// Launch     One block per (KV tile of 128 keys, K and V head), which walks all query heads of its group; first keys
//            first, since under a causal mask most rows see them. dQ is summed in fp32 by atomics, so its last bits
//            may differ between runs; dK and dV do not.
// Order      The first group runs dQ of the step before at the end of a step, the second at its start: one group
//            multiplies while the other exponentiates or waits. One barrier of the whole block a step.
// Tiles      128 keys by 64 queries (d = 128) or 128 queries in two halves (d = 64, K or V fragments in registers);
//            d up to 256: 64 keys by 64 queries, 16 keys a warp.
// Shared     K, V, two stages of Q, dO, L and D, and two of dS: d = 64: 162 KiB; d = 128: 161 KiB. Fits sm_80 and
//            sm_90, not sm_86 and sm_89; d = 256: 209 KiB, sm_90.
// Registers  252 to 255, none spilled.
// Measured   kernels/NOTES.md.
#include "core/problem/fast_kernels.h"
#include "kernels/fast/backward_rows.h"
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {
namespace {

constexpr int kThreads = 256, kGroup = 128;
constexpr int kStep = 64;  // queries whose scores are in registers at once

// kKeys: blocks of 16 keys, a warp's. kRows: queries between two barriers. kHeld: K or V fragments stay in registers.
template <int kWidth, int kKeys, int kRows, bool kHeld>
struct Shape {
  static constexpr int D = kWidth, kM = kKeys, kBc = 64 * kM, kBr = kRows;
  static constexpr bool kInRegisters = kHeld;
  static constexpr int kKv = kBc * D * 2, kQ = kBr * D * 2, kDs = kBc * kBr * 2;
  static constexpr int kAtV = kKv, kAtQ = 2 * kKv, kAtDo = kAtQ + 2 * kQ, kAtDs = kAtDo + 2 * kQ;
  static constexpr int kAtRows = kAtDs + 2 * kDs;  // (2, 2, Br) floats: stages of L and D
  static constexpr int kBytes = kAtRows + 16 * kBr;
  static_assert(fast_tile(Contender::FlashV2Backward, D, false) == FastTile{kBr, kBc});
  static_assert(fast_shared(Contender::FlashV2Backward, D, false) == kBytes);
};

template <class T, int D, int kRows>
__device__ inline void load_rows(uint32_t to, const T* from, int first, int n, int d) {
  constexpr int kChunks = D / 8, kPass = kThreads / kChunks;  // rows a pass; a multiple of 8, so one swizzle a thread
  const int chunk = threadIdx.x % kChunks, row = threadIdx.x / kChunks;
  const T* const source = from + (long long)(first + row) * d + chunk * 8;
  to += row * D * 2 + ((chunk ^ (row & 7)) << 4);
#pragma unroll
  for (int i = 0; i < kRows / kPass; ++i) {
    const bool inside = first + row + i * kPass < n && chunk * 8 < d;
    cp_async_16(to + i * kPass * D * 2, inside ? source + (long long)i * kPass * d : from, inside);
  }
}

template <class T>
__device__ inline void multiply(float* acc, const uint32_t (&a)[4], const uint32_t (&b)[4]) {
  mma_16816<T>(acc, a, b[0], b[1]);
  mma_16816<T>(acc + 4, a, b[2], b[3]);
}

template <class T, class S, bool kCausal>
__global__ void __launch_bounds__(kThreads, 1) flash_v2_backward(const BackwardArgs b) {
  constexpr int D = S::D, kM = S::kM, kBc = S::kBc, kBr = S::kBr;
  const ForwardArgs& a = b.forward;
  extern __shared__ __align__(128) unsigned char shared[];
  const uint32_t base = shared_address(shared);
  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const bool second = threadIdx.x >= kGroup;  // the group that computes dP, dS and dK
  const int kv_tiles = (a.n_kv + kBc - 1) / kBc;
  const int kv_head = blockIdx.x / kv_tiles, first_col = blockIdx.x % kv_tiles * kBc;

  const int q_tiles = (a.n_q + kBr - 1) / kBr;
  const int first_tile = kCausal ? min(q_tiles, max(0, first_col - a.causal_shift) / kBr) : 0;
  const int steps = (q_tiles - first_tile) * a.heads_per_kv;

  const auto prefetch = [&](int head, int first_row, int stage) {
    const long long rows = (long long)head * a.n_q;
    load_rows<T, D, kBr>(base + S::kAtQ + stage * S::kQ, (const T*)a.q + rows * a.d, first_row, a.n_q, a.d);
    load_rows<T, D, kBr>(base + S::kAtDo + stage * S::kQ, (const T*)b.d_o + rows * a.d, first_row, a.n_q, a.d);
    if (threadIdx.x < 2 * kBr) {  // past the last row: L = D = 0, Q = dO = 0, all products 0
      const int row = first_row + threadIdx.x % kBr;
      const float* const from = (threadIdx.x < kBr ? a.lse : b.row_dot) + rows;
      cp_async_4(base + S::kAtRows + (stage * 2 * kBr + threadIdx.x) * 4, row < a.n_q ? from + row : from, row < a.n_q);
    }
    cp_async_commit();
  };

  // ldmatrix: the row and chunk of each lane. Chunk c of row r is at position c ^ (r % 8).
  const int swizzle = (lane & 7) << 4;
  const int down_row = lane & 15, down_x = ((lane >> 4) << 4) ^ swizzle;  // matrices down, then across
  const int across_row = (lane & 7) + ((lane >> 4) << 3), across_x = (((lane >> 3) & 1) << 4) ^ swizzle;
  const int key_row = warp * 16 * kM;
  const uint32_t a_at = base + (second ? S::kAtV : 0) + (key_row + down_row) * D * 2;

  // dQ += dS K: each warp computes 32 queries and a share of the columns.
  constexpr int kRowWarps = kBr / 32, kBlocks = D / 16 / (8 / kRowWarps);
  const auto add_dq = [&](int head, int first_row, int stage) {
    const int wide_warp = threadIdx.x / 32, row_warp = wide_warp % kRowWarps, column = wide_warp / kRowWarps * kBlocks;
    float dq[2][kBlocks * 8];
#pragma unroll
    for (int e = 0; e < kBlocks * 8; ++e) dq[0][e] = dq[1][e] = 0.0f;
    const uint32_t ds_at = base + S::kAtDs + stage * S::kDs + across_row * kBr * 2;
    const uint32_t k_at = base + down_row * D * 2;
#pragma unroll
    for (int y = 0; y < kBc / 16; ++y) {
      uint32_t ds[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i)  // stored by keys, read by queries
        ldmatrix_x4_transposed(ds[i], ds_at + y * 16 * kBr * 2 + ((row_warp * 64 + i * 32) ^ across_x));
#pragma unroll
      for (int n = 0; n < kBlocks; ++n) {
        uint32_t k[4];
        ldmatrix_x4_transposed(k, k_at + y * 16 * D * 2 + (((column + n) * 32) ^ down_x));
#pragma unroll
        for (int i = 0; i < 2; ++i) multiply<T>(&dq[i][8 * n], ds[i], k);
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = first_row + row_warp * 32 + i * 16 + h * 8 + lane / 4;
        if (row >= a.n_q) continue;
        float* const to = b.dq_sum + ((long long)head * a.n_q + row) * a.d;
#pragma unroll
        for (int n = 0; n < kBlocks; ++n) {
          const int x = (column + n) * 16;
          const float* const f = &dq[i][8 * n + 2 * h];
          if (x + 16 <= a.d) {
            add_four(to + x + 4 * (lane & 3), f[0], f[1], f[4], f[5]);
          } else if (x < a.d) {
            add_pair(to + x + 2 * (lane & 3), f[0], f[1]);
          }
        }
      }
    }
  };

  float acc[kM][D / 2];  // dV in the first group, dK in the second
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) acc[i][e] = 0.0f;
  }
  int head = kv_head * a.heads_per_kv, tile = first_tile, head_before = 0, row_before = 0;
  if (steps > 0) {
    const long long keys = (long long)kv_head * a.n_kv * a.d;
    load_rows<T, D, kBc>(base, (const T*)a.k + keys, first_col, a.n_kv, a.d);
    load_rows<T, D, kBc>(base + S::kAtV, (const T*)a.v + keys, first_col, a.n_kv, a.d);
    prefetch(head, tile * kBr, 0);
  }
  uint32_t held[S::kInRegisters ? D / 16 : 1][kM][4];

#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const int stage = step & 1, first_row = tile * kBr, this_head = head;
    cp_async_wait_all();
    __syncthreads();  // this stage and dS of the step before are filled; all are done with the other stage
    if (++tile == q_tiles) tile = first_tile, ++head;
    if (step + 1 < steps) prefetch(head, tile * kBr, stage ^ 1);
    if (S::kInRegisters && step == 0) {
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
#pragma unroll
        for (int i = 0; i < kM; ++i)
          ldmatrix_x4(held[S::kInRegisters ? x : 0][i], a_at + i * 16 * D * 2 + ((x * 32) ^ down_x));
      }
    }
    if (second && step > 0) add_dq(head_before, row_before, stage ^ 1);

    const uint32_t to_scores = base + (second ? S::kAtDo : S::kAtQ) + stage * S::kQ;
    const uint32_t to_acc = base + (second ? S::kAtQ : S::kAtDo) + stage * S::kQ;
    const float* const rows = (const float*)(shared + S::kAtRows) + (stage * 2 + second) * kBr;
    unsigned char* const ds = shared + S::kAtDs + stage * S::kDs + key_row * kBr * 2;
    // P for the second group, 16 bytes a lane: in the bytes that dS of the same keys and queries uses later.
    const auto pair_at = [&](int part, int u) {
      const int row = u * 4 + lane / 8, chunk = (part * 8 + lane % 8) ^ (row & 7);
      return (uint4*)(ds + row * kBr * 2 + chunk * 16);
    };
#pragma unroll
    for (int part = 0; part < kBr / kStep; ++part) {
      // S^T = K Q^T or dP^T = V dO^T
      float s[kM][kStep / 2];
#pragma unroll
      for (int i = 0; i < kM; ++i) {
#pragma unroll
        for (int e = 0; e < kStep / 2; ++e) s[i][e] = 0.0f;
      }
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
        uint32_t(&keys)[kM][4] = held[S::kInRegisters ? x : 0];
        if constexpr (!S::kInRegisters) {
#pragma unroll
          for (int i = 0; i < kM; ++i) ldmatrix_x4(keys[i], a_at + i * 16 * D * 2 + ((x * 32) ^ down_x));
        }
        const uint32_t at = to_scores + (part * kStep + across_row) * D * 2 + ((x * 32) ^ across_x);
#pragma unroll
        for (int n = 0; n < kStep / 16; ++n) {
          uint32_t q[4];
          ldmatrix_x4(q, at + n * 16 * D * 2);
#pragma unroll
          for (int i = 0; i < kM; ++i) multiply<T>(&s[i][8 * n], keys[i], q);
        }
      }

      alignas(16) uint32_t p[kM][kStep / 4];  // P^T or dS^T, two queries a word
      if (!second) {
        const int top_row = first_row + part * kStep, top_col = first_col + key_row;
        if (first_col + kBc > a.n_kv || (kCausal && top_col + 16 * kM - 1 > top_row + a.causal_shift)) {
#pragma unroll
          for (int i = 0; i < kM; ++i) {
#pragma unroll
            for (int e = 0; e < kStep / 2; ++e) {
              const int col = top_col + i * 16 + (e >> 1 & 1) * 8 + lane / 4;
              const int row = top_row + 8 * (e / 4) + 2 * (lane & 3) + (e & 1);
              if (col >= a.n_kv || (kCausal && col > row + a.causal_shift)) s[i][e] = minus_infinity();
            }
          }
        }
#pragma unroll
        for (int j = 0; j < kStep / 8; ++j) {
          const float2 lse = *(const float2*)(rows + part * kStep + 8 * j + 2 * (lane & 3));
#pragma unroll
          for (int i = 0; i < kM; ++i) {
#pragma unroll
            for (int h = 0; h < 2; ++h)
              p[i][2 * j + h] = pack2<T>(exp2_approx(fmaf(s[i][4 * j + 2 * h], a.c, -lse.x)),
                                         exp2_approx(fmaf(s[i][4 * j + 2 * h + 1], a.c, -lse.y)));
          }
        }
#pragma unroll
        for (int u = 0; u < kM * kStep / 16; ++u)
          *pair_at(part, u) = *(uint4*)&p[u / (kStep / 16)][u % (kStep / 16) * 4];
        meet_at(1 + part * 4 + warp, 64);
      } else {
        meet_at(1 + part * 4 + warp, 64);
#pragma unroll
        for (int u = 0; u < kM * kStep / 16; ++u)
          *(uint4*)&p[u / (kStep / 16)][u % (kStep / 16) * 4] = *pair_at(part, u);
        __syncwarp();  // dS overwrites P
#pragma unroll
        for (int j = 0; j < kStep / 8; ++j) {
          const float2 dot = *(const float2*)(rows + part * kStep + 8 * j + 2 * (lane & 3));
          const int place = ((part * kStep / 8 + j) ^ (lane / 4)) << 4;
#pragma unroll
          for (int i = 0; i < kM; ++i) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
              uint32_t& word = p[i][2 * j + h];
              const float2 weight = unpack2<T>(word);
              word = pack2<T>(weight.x * (s[i][4 * j + 2 * h] - dot.x), weight.y * (s[i][4 * j + 2 * h + 1] - dot.y));
              *(uint32_t*)(ds + (i * 16 + h * 8 + lane / 4) * kBr * 2 + place + (lane & 3) * 4) = word;
            }
          }
        }
      }

      // dV += P^T dO or dK += dS^T Q
#pragma unroll
      for (int y = 0; y < kStep / 16; ++y) {
        const uint32_t at = to_acc + (part * kStep + y * 16 + down_row) * D * 2;
        uint32_t operand[kM][4];
#pragma unroll
        for (int i = 0; i < kM; ++i) {
#pragma unroll
          for (int e = 0; e < 4; ++e) operand[i][e] = p[i][4 * y + e];
        }
#pragma unroll
        for (int n = 0; n < D / 16; ++n) {
          uint32_t q[4];
          ldmatrix_x4_transposed(q, at + ((n * 32) ^ down_x));
#pragma unroll
          for (int i = 0; i < kM; ++i) multiply<T>(&acc[i][8 * n], operand[i], q);
        }
      }
    }
    if (!second && step > 0) add_dq(head_before, row_before, stage ^ 1);
    head_before = this_head, row_before = first_row;
  }
  __syncthreads();
  if (steps > 0) add_dq(head_before, row_before, (steps - 1) & 1);

  // dV through the place of dO, dK through that of Q, into 16-byte stores; each warp its own rows.
  unsigned char* const rows_at = shared + (second ? S::kAtQ : S::kAtDo) + key_row * D * 2;
  const float factor = second ? b.scale : 1.0f;
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = i * 16 + h * 8 + lane / 4;
#pragma unroll
      for (int j = 0; j < D / 8; ++j) {
        const int e = 4 * j + 2 * h;
        *(uint32_t*)(rows_at + row * D * 2 + ((j ^ (row & 7)) << 4) + (lane & 3) * 4) =
            pack2<T>(acc[i][e] * factor, acc[i][e + 1] * factor);
      }
    }
  }
  __syncwarp();
  T* const out = (T*)(second ? b.d_k : b.d_v) + (long long)kv_head * a.n_kv * a.d;
#pragma unroll
  for (int i = 0; i < kM * D / 16; ++i) {
    const int row = (i * 32 + lane) / (D / 8), chunk = lane % (D / 8), col = first_col + key_row + row;
    const uint4 value = *(const uint4*)(rows_at + row * D * 2 + ((chunk ^ (row & 7)) << 4));
    if (col < a.n_kv && chunk * 8 < a.d) *(uint4*)(out + (long long)col * a.d + chunk * 8) = value;
  }
}

template <class T, class S, bool kCausal>
cudaError_t launch(const BackwardArgs& b, long long kv_heads, cudaStream_t stream) {
  auto* const kernel = &flash_v2_backward<T, S, kCausal>;
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kBytes);
  if (raised != cudaSuccess) return raised;
  const long long rows = (long long)b.forward.all_heads * b.forward.n_q, chunks = rows * b.forward.d / 8;
  row_dots<T><<<(int)((rows + 15) / 16), 256, 0, stream>>>(b, rows);
  const long long blocks = kv_heads * ((b.forward.n_kv + S::kBc - 1) / S::kBc);
  kernel<<<(int)blocks, kThreads, S::kBytes, stream>>>(b);
  round_dq<T><<<(int)((chunks + 255) / 256), 256, 0, stream>>>(b, chunks);
  return cudaGetLastError();
}

using Narrow = Shape<64, 2, 128, true>;
using Wide = Shape<128, 2, 64, false>;
using Widest = Shape<256, 1, 64, false>;

template <class T>
cudaError_t launch_typed(const BackwardArgs& b, long long kv_heads, bool causal, cudaStream_t stream) {
  if (b.forward.d > 128)
    return causal ? launch<T, Widest, true>(b, kv_heads, stream) : launch<T, Widest, false>(b, kv_heads, stream);
  if (b.forward.d > 64)
    return causal ? launch<T, Wide, true>(b, kv_heads, stream) : launch<T, Wide, false>(b, kv_heads, stream);
  return causal ? launch<T, Narrow, true>(b, kv_heads, stream) : launch<T, Narrow, false>(b, kv_heads, stream);
}

}  // namespace

cudaError_t flash_v2_backward_launch(const BackwardArgs& b, long long kv_heads, bool bf16, bool causal,
                                     cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(b, kv_heads, causal, stream)
              : launch_typed<__half>(b, kv_heads, causal, stream);
}

}  // namespace tilewalk::fast
