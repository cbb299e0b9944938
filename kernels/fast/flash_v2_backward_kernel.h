// FlashAttention-2, backward, for mma.sync. Included by flash_v2_backward.cu, whose head describes it.
#pragma once

#include "kernels/fast/backward_order.h"
#include "kernels/fast/backward_shares.h"
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/flash_v2_kernel.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {

// kKeys: blocks of 16 keys, a warp's. kRows: queries between two barriers. kHeld: K or V fragments stay in registers.
// kAtOnce: queries whose scores are in registers at once. kOnOne: thread blocks that share a multiprocessor. kInGroup:
// warps of each of the two groups.
template <int kWidth, int kKeys, int kRows, bool kHeld, int kAtOnce = 64, int kOnOne = 1, int kInGroup = 4>
struct BackwardV2Shape {
  static constexpr int D = kWidth, kM = kKeys, kBr = kRows, kStep = kAtOnce, kBlocks = kOnOne;
  static constexpr int kWarps = kInGroup, kThreads = 64 * kWarps, kBc = 16 * kM * kWarps;
  static constexpr bool kInRegisters = kHeld;
  static constexpr int kKv = kBc * D * 2, kQ = kBr * D * 2, kDs = kBc * kBr * 2;
  static constexpr int kAtV = kKv, kAtQ = 2 * kKv, kAtDo = kAtQ + 2 * kQ, kAtDs = kAtDo + 2 * kQ;
  static constexpr int kAtRows = kAtDs + 2 * kDs;  // (2, 2, Br) floats: stages of L and D
  static constexpr int kBytes = kAtRows + 16 * kBr;
  // dQ: blocks of 16 queries a warp, and the rest of its 16-column blocks divided among the other warps.
  static constexpr int kDqRows = D / 16 % (2 * kWarps / (kBr / 32)) == 0 ? 2 : 1;
  static constexpr int kRowWarps = kBr / (16 * kDqRows), kDqColumns = D / 16 / (2 * kWarps / kRowWarps);
  static_assert(kDqColumns * (2 * kWarps / kRowWarps) * 16 == D && kBc <= 4 * kBr);
};

template <class T>
__device__ inline void multiply(float* acc, const uint32_t (&a)[4], const uint32_t (&b)[4]) {
  mma_16816<T>(acc, a, b[0], b[1]);
  mma_16816<T>(acc + 4, a, b[2], b[3]);
}

template <class T, class S, bool kCausal>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks) flash_v2_backward(const BackwardArgs b) {
  constexpr int D = S::D, kM = S::kM, kBc = S::kBc, kBr = S::kBr, kStep = S::kStep;
  const ForwardArgs& a = b.forward;
  extern __shared__ __align__(128) unsigned char shared[];
  const uint32_t base = shared_address(shared);
  const int warp = threadIdx.x / 32 % S::kWarps, lane = threadIdx.x % 32;
  const bool second = threadIdx.x >= S::kThreads / 2;  // the group that computes dP, dS and dK
  const int kv_tiles = (a.n_kv + kBc - 1) / kBc;
  const KeyTile of_block = key_tile<kCausal>(a, kv_tiles, blockIdx.x);
  const int kv_head = of_block.kv_head, first_col = of_block.tile * kBc;

  const int q_tiles = (a.n_q + kBr - 1) / kBr;
  const int first_tile = kCausal ? min(q_tiles, max(0, first_col - a.causal_shift) / kBr) : 0;
  const int steps = (q_tiles - first_tile) * a.heads_per_kv;

  const auto prefetch = [&](int head, int first_row, int stage) {
    const long long rows = (long long)head * a.n_q;
    load_tile<T, D, kBr, S::kThreads>(base + S::kAtQ + stage * S::kQ, (const T*)a.q + rows * a.d, first_row, a.n_q,
                                      a.d);
    load_tile<T, D, kBr, S::kThreads>(base + S::kAtDo + stage * S::kQ, (const T*)b.d_o + rows * a.d, first_row, a.n_q,
                                      a.d);
    if (threadIdx.x < 2 * kBr) {  // past the last row: L = D = 0, Q = dO = 0, all products 0
      const int row = first_row + threadIdx.x % kBr;
      const float* const from = (threadIdx.x < kBr ? a.lse : b.row_dot) + rows;
      cp_async_4(base + S::kAtRows + (stage * 2 * kBr + threadIdx.x) * 4, row < a.n_q ? from + row : from, row < a.n_q);
    }
    cp_async_commit();
  };

  // ldmatrix: the row and chunk of each lane. Chunk c of row r is at position c ^ swizzle; in dS c ^ (r % 8).
  const int x_of_row = (D % 64 == 0 ? lane & 7 : swizzle<D>(lane)) << 4;
  const int down_row = lane & 15, down_x = ((lane >> 4) << 4) ^ x_of_row;  // matrices down, then across
  const int across_row = (lane & 7) + ((lane >> 4) << 3), across = ((lane >> 3) & 1) << 4, across_x = across ^ x_of_row;
  const int ds_x = across ^ ((lane & 7) << 4);
  const int key_row = warp * 16 * kM;
  const uint32_t a_at = base + (second ? S::kAtV : 0) + (key_row + down_row) * D * 2;

  // dQ += dS K: each warp computes 16 or 32 queries and a share of the columns.
  constexpr int kRowWarps = S::kRowWarps, kDqRows = S::kDqRows, kBlocks = S::kDqColumns;
  const auto add_dq = [&](int head, int first_row, int stage) {
    const int wide_warp = threadIdx.x / 32, row_warp = wide_warp % kRowWarps, column = wide_warp / kRowWarps * kBlocks;
    float dq[kDqRows][kBlocks * 8];
#pragma unroll
    for (int e = 0; e < kBlocks * 8; ++e) dq[0][e] = dq[kDqRows - 1][e] = 0.0f;
    const uint32_t ds_at = base + S::kAtDs + stage * S::kDs + across_row * kBr * 2;
    const uint32_t k_at = base + down_row * D * 2;
#pragma unroll
    for (int y = 0; y < kBc / 16; ++y) {
      uint32_t ds[kDqRows][4];
#pragma unroll
      for (int i = 0; i < kDqRows; ++i)  // stored by keys, read by queries
        ldmatrix_x4_transposed(ds[i], ds_at + y * 16 * kBr * 2 + (((row_warp * kDqRows + i) * 32) ^ ds_x));
#pragma unroll
      for (int n = 0; n < kBlocks; ++n) {
        uint32_t k[4];
        ldmatrix_x4_transposed(k, k_at + y * 16 * D * 2 + (((column + n) * 32) ^ down_x));
#pragma unroll
        for (int i = 0; i < kDqRows; ++i) multiply<T>(&dq[i][8 * n], ds[i], k);
      }
    }
#pragma unroll
    for (int i = 0; i < kDqRows; ++i) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = first_row + (row_warp * kDqRows + i) * 16 + h * 8 + lane / 4;
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
    const long long keys = (long long)(kv_head / b.shares) * a.n_kv * a.d;
    load_tile<T, D, kBc, S::kThreads>(base, (const T*)a.k + keys, first_col, a.n_kv, a.d);
    load_tile<T, D, kBc, S::kThreads>(base + S::kAtV, (const T*)a.v + keys, first_col, a.n_kv, a.d);
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
      constexpr int kAcross = kStep / 8;
      const int row = u * (32 / kAcross) + lane / kAcross, chunk = (part * kAcross + lane % kAcross) ^ (row & 7);
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
        meet_at(1 + part % 2 * S::kWarps + warp, 64);
      } else {
        meet_at(1 + part % 2 * S::kWarps + warp, 64);
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

  if (b.shares > 1) {
    float* const sums = (second ? b.part_k : b.part_v) + (long long)kv_head * a.n_kv * a.d;
#pragma unroll
    for (int i = 0; i < kM; ++i)
      store_sums<D>(acc[i], second ? b.scale : 1.0f, sums, first_col + key_row + i * 16, a.n_kv, a.d);
    return;
  }
  // dV through the place of V, dK through that of Q and dO, into 16-byte stores; each warp its own rows.
  unsigned char* const rows_at = shared + (second ? S::kAtQ : S::kAtV) + key_row * D * 2;
  const float factor = second ? b.scale : 1.0f;
#pragma unroll
  for (int i = 0; i < kM; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = i * 16 + h * 8 + lane / 4;
#pragma unroll
      for (int j = 0; j < D / 8; ++j) {
        const int e = 4 * j + 2 * h;
        *(uint32_t*)(rows_at + swizzled<D>(row, j) + (lane & 3) * 4) =
            pack2<T>(acc[i][e] * factor, acc[i][e + 1] * factor);
      }
    }
  }
  __syncwarp();
  T* const out = (T*)(second ? b.d_k : b.d_v) + (long long)kv_head * a.n_kv * a.d;
#pragma unroll
  for (int i = 0; i < kM * D / 16; ++i) {
    const int row = (i * 32 + lane) / (D / 8), chunk = (i * 32 + lane) % (D / 8), col = first_col + key_row + row;
    const uint4 value = *(const uint4*)(rows_at + swizzled<D>(row, chunk));
    if (col < a.n_kv && chunk * 8 < a.d) *(uint4*)(out + (long long)col * a.d + chunk * 8) = value;
  }
}

}  // namespace tilewalk::fast
