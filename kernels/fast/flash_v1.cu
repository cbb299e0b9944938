// Fast FlashAttention-1, forward, for mma.sync.
//
// Idea       Scores never reach HBM: tiles are computed, used and discarded on chip, and softmaxes over parts of a row
//            are combined by their log-sum-exps. In the order of FA-1's paper, with the tiles of its first release: K
//            and V outside, all Q tiles inside; O and L of every Q tile are read from HBM and written back at every
//            visit.
// Changed    Since naive.cu: no scores in HBM, one kernel for all. What flash_v2.cu changes after it: Q outside, so
//            that O stays in registers; warps that share rows instead of keys; a block for every Q tile of a head.
// Launch     One block of 4 warps per head and batch, as published: 16k tokens in one row of 16 heads keep 16
//            multiprocessors busy.
// Split-K    Each warp has a quarter of the keys of a tile. Row maxima are combined in shared memory, then the four
//            partial sums of O: three barriers a visit of 16 rows.
// Tiles      16 x 256 (d = 64), 16 x 128 (d = 128), 16 x 64 (d up to 256). Q tiles arrive by cp.async one visit ahead;
//            K and V once.
// Shared     K, V, two stages of Q, four partial O in fp32, row maxima and sums: d = 64: 87 KiB; d = 128: 107 KiB; 256:
//            147.
// Registers  d = 64: 116; d = 128: 175; d = 256: 255; none spilled. Two blocks a multiprocessor fit, one at d = 256.
// Measured   kernels/NOTES.md.
#include "core/problem/fast_kernels.h"
#include "kernels/fast/flash_v1.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {
namespace {

constexpr int kBr = 16, kWarps = 4, kThreads = 32 * kWarps;

template <int D>
struct Shape {
  static constexpr int kBc = D > 128 ? 64 : D > 64 ? 128 : 256, kCols = kBc / kWarps;  // keys of a tile, of a warp
  static constexpr int kStride = D + 8;                                 // floats in a row of a partial O
  static constexpr int kKv = kBc * D * 2, kQ = kBr * D * 2;
  static constexpr int kAtV = kKv, kAtQ = 2 * kKv, kAtPartial = kAtQ + 2 * kQ;
  static constexpr int kAtTop = kAtPartial + kWarps * kBr * kStride * 4, kAtSum = kAtTop + kWarps * kBr * 4;
  static constexpr int kBytes = kAtSum + kWarps * kBr * 4;
  static_assert(fast_tile(Contender::FlashV1, D, false) == FastTile{kBr, kBc});
  static_assert(fast_shared(Contender::FlashV1, D, false) == kBytes);
};

// Rows of D elements in 16-byte chunks; chunk c of row r is at position c ^ (r % 8). Elements outside become zeros.
template <class T, int D, int kRows>
__device__ inline void load_tile(uint32_t to, const T* from, int first, int n, int d) {
  constexpr int kChunks = D / 8;
#pragma unroll
  for (int i = 0; i < kRows * kChunks / kThreads; ++i) {
    const int e = i * kThreads + threadIdx.x, row = e / kChunks, chunk = e % kChunks;
    const bool inside = first + row < n && chunk * 8 < d;
    cp_async_16(to + row * D * 2 + ((chunk ^ (row & 7)) << 4),
                inside ? from + (long long)(first + row) * d + chunk * 8 : from, inside);
  }
}

// The last KV tile that any of the rows sees; 0 if none does, so that every Q tile has a last visit.
template <int Bc, bool kCausal>
__device__ inline int last_tile(const ForwardArgs& a, int first_row) {
  const int count = kv_tile_count<kCausal, Bc>(a, first_row, kBr);
  return count > 0 ? count - 1 : 0;
}

template <class T, int D, bool kCausal, class R>
__global__ void __launch_bounds__(kThreads)
    flash_v1_forward(const ForwardArgs a, float* o_state, float* lse_state, const R record) {
  using S = Shape<D>;
  constexpr int kBc = S::kBc, kCols = S::kCols;
  extern __shared__ __align__(128) unsigned char shared[];
  const uint32_t base = shared_address(shared);
  float* const partial = (float*)(shared + S::kAtPartial);
  float* const tops = (float*)(shared + S::kAtTop);
  float* const sums = (float*)(shared + S::kAtSum);

  const int head = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const long long first = (long long)head * a.n_q, keys = (long long)(head / a.heads_per_kv) * a.n_kv * a.d;
  const T* const gQ = (const T*)a.q + first * a.d;
  const int q_tiles = (a.n_q + kBr - 1) / kBr, kv_tiles = (a.n_kv + kBc - 1) / kBc;

  const int swizzle = (lane & 7) << 4;
  const int down_row = lane & 15, down_x = ((lane >> 4) << 4) ^ swizzle;  // matrices down, then across
  const int across_row = (lane & 7) + ((lane >> 4) << 3), across_x = (((lane >> 3) & 1) << 4) ^ swizzle;
  const uint32_t k_at = base + (warp * kCols + across_row) * D * 2;
  const uint32_t v_at = base + S::kAtV + (warp * kCols + down_row) * D * 2;
  typename R::Recorder recorder(record, 0);
  const int own_row = threadIdx.x / 8, own_x = threadIdx.x % 8 * 4;  // of O, when the partial sums are combined

  for (int kv_tile = 0; kv_tile < kv_tiles; ++kv_tile) {
    const int first_col = kv_tile * kBc;
    int q_tile = 0;  // rows before its first key do not visit a causal tile
    if (kCausal && kv_tile > 0) q_tile = min(q_tiles, max(0, first_col - a.causal_shift) / kBr);
    if (q_tile == q_tiles) break;
    __syncthreads();  // all are done with K, V and Q
    load_tile<T, D, kBc>(base, (const T*)a.k + keys, first_col, a.n_kv, a.d);
    load_tile<T, D, kBc>(base + S::kAtV, (const T*)a.v + keys, first_col, a.n_kv, a.d);
    load_tile<T, D, kBr>(base + S::kAtQ, gQ, q_tile * kBr, a.n_q, a.d);
    cp_async_commit();

    for (int stage = 0; q_tile < q_tiles; ++q_tile, stage ^= 1) {
      cp_async_wait_all();
      __syncthreads();  // this stage of Q is filled; all are done with the other, and with the partial sums
      const int first_row = q_tile * kBr, row = first_row + own_row;
      if (q_tile + 1 < q_tiles) {
        load_tile<T, D, kBr>(base + S::kAtQ + (stage ^ 1) * S::kQ, gQ, first_row + kBr, a.n_q, a.d);
        cp_async_commit();
      }
      // O and L of the previous visit, loaded while this visit computes.
      float4 before[D / 32];
      float lse_before = minus_infinity();
      if (kv_tile > 0 && row < a.n_q) {
        lse_before = lse_state[first + row];
#pragma unroll
        for (int i = 0; i < D / 32; ++i) {
          const int x = own_x + 32 * i;
          if (x < a.d) before[i] = *(const float4*)(o_state + (first + row) * a.d + x);
        }
      }

      float s[kCols / 2];
#pragma unroll
      for (int e = 0; e < kCols / 2; ++e) s[e] = 0.0f;
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
        uint32_t q[4];
        ldmatrix_x4(q, base + S::kAtQ + stage * S::kQ + down_row * D * 2 + ((x * 32) ^ down_x));
#pragma unroll
        for (int n = 0; n < kCols / 16; ++n) {
          uint32_t k[4];
          ldmatrix_x4(k, k_at + n * 16 * D * 2 + ((x * 32) ^ across_x));
          mma_16816<T>(&s[8 * n], q, k[0], k[1]);
          mma_16816<T>(&s[8 * n + 4], q, k[2], k[3]);
        }
      }
      if (first_col + kBc > a.n_kv || (kCausal && first_col + kBc - 1 > first_row + a.causal_shift)) {
        int limit[2];
#pragma unroll
        for (int h = 0; h < 2; ++h)
          limit[h] = (kCausal ? min(a.n_kv - 1, first_row + h * 8 + lane / 4 + a.causal_shift) : a.n_kv - 1) -
                     first_col - warp * kCols;
        mask_scores<kCols>(s, limit[0], limit[1]);
      }

      // The tile's row maximum over all warps, then P and this warp's row sums.
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        float top = fmaxf(s[2 * h], s[2 * h + 1]);
#pragma unroll
        for (int j = 1; j < kCols / 8; ++j) top = fmaxf(top, fmaxf(s[4 * j + 2 * h], s[4 * j + 2 * h + 1]));
        top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
        top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
        if (lane % 4 == 0) tops[warp * kBr + h * 8 + lane / 4] = top;
      }
      __syncthreads();
      const auto tile_top = [&](int r) {
        float top = tops[r];
#pragma unroll
        for (int w = 1; w < kWarps; ++w) top = fmaxf(top, tops[w * kBr + r]);
        return top == minus_infinity() ? 0.0f : top * a.c;  // for rows that see none of the keys, P = 0
      };
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const float top = tile_top(h * 8 + lane / 4);
        float sum = 0.0f;
#pragma unroll
        for (int j = 0; j < kCols / 8; ++j) {
#pragma unroll
          for (int e = 4 * j + 2 * h; e < 4 * j + 2 * h + 2; ++e) {
            s[e] = exp2_approx(fmaf(s[e], a.c, -top));
            sum += s[e];
          }
        }
        sum = quad_sum(sum);
        if (lane % 4 == 0) sums[warp * kBr + h * 8 + lane / 4] = sum;
      }

      // This warp's part of P V, through shared memory.
      float o[D / 2];
#pragma unroll
      for (int e = 0; e < D / 2; ++e) o[e] = 0.0f;
#pragma unroll
      for (int y = 0; y < kCols / 16; ++y) {
        uint32_t p[4];
#pragma unroll
        for (int e = 0; e < 4; ++e) p[e] = pack2<T>(s[8 * y + 2 * e], s[8 * y + 2 * e + 1]);
#pragma unroll
        for (int n = 0; n < D / 16; ++n) {
          uint32_t v[4];
          ldmatrix_x4_transposed(v, v_at + y * 16 * D * 2 + ((n * 32) ^ down_x));
          mma_16816<T>(&o[8 * n], p, v[0], v[1]);
          mma_16816<T>(&o[8 * n + 4], p, v[2], v[3]);
        }
      }
#pragma unroll
      for (int j = 0; j < D / 8; ++j) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          float* const to = partial + (warp * kBr + h * 8 + lane / 4) * S::kStride + 8 * j + 2 * (lane & 3);
          *(float2*)to = float2{o[4 * j + 2 * h], o[4 * j + 2 * h + 1]};
        }
      }
      __syncthreads();

      // Combined with the previous O: O is normalised at every visit, so that only L has to be stored with it.
      float sum = 0.0f;
#pragma unroll
      for (int w = 0; w < kWarps; ++w) sum += sums[w * kBr + own_row];
      const float top = tile_top(own_row);
      const float lse_tile = sum == 0.0f ? minus_infinity() : top + log2f(sum);
      const float larger = fmaxf(lse_before, lse_tile);
      const bool nothing = larger == minus_infinity();
      const float lse = nothing ? larger : larger + log2f(exp2f(lse_before - larger) + exp2f(lse_tile - larger));
      const float keep = nothing ? 0.0f : exp2f(lse_before - lse), take = sum == 0.0f ? 0.0f : exp2f(top - lse);
      const bool last = kv_tile == last_tile<kBc, kCausal>(a, first_row);
      if (row < a.n_q) {
#pragma unroll
        for (int i = 0; i < D / 32; ++i) {
          const int x = own_x + 32 * i;
          if (x >= a.d) continue;
          float4 fresh = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
          for (int w = 0; w < kWarps; ++w) {
            const float4 part = *(const float4*)(partial + (w * kBr + own_row) * S::kStride + x);
            fresh.x += part.x, fresh.y += part.y, fresh.z += part.z, fresh.w += part.w;
          }
          fresh.x *= take, fresh.y *= take, fresh.z *= take, fresh.w *= take;
          if (kv_tile > 0) {
            fresh.x = fmaf(before[i].x, keep, fresh.x), fresh.y = fmaf(before[i].y, keep, fresh.y);
            fresh.z = fmaf(before[i].z, keep, fresh.z), fresh.w = fmaf(before[i].w, keep, fresh.w);
          }
          recorder.joined(a, head, kv_tile, row, x, fresh, lse);
          if (last) {
            *(uint2*)((T*)a.o + (first + row) * a.d + x) =
                uint2{pack2<T>(fresh.x, fresh.y), pack2<T>(fresh.z, fresh.w)};
          } else {
            *(float4*)(o_state + (first + row) * a.d + x) = fresh;
          }
        }
        if (threadIdx.x % 8 == 0) {
          if (!last) lse_state[first + row] = lse;
          if (last && a.lse != nullptr) a.lse[first + row] = nothing ? plus_infinity() : lse;
        }
      }
    }
  }
}

template <class T, int D, bool kCausal, class R>
cudaError_t launch(const ForwardArgs& a, float* o_state, cudaStream_t stream, const R& record) {
  auto* const kernel = &flash_v1_forward<T, D, kCausal, R>;
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape<D>::kBytes);
  if (raised != cudaSuccess) return raised;
  float* const lse_state = o_state + (long long)a.all_heads * a.n_q * a.d;
  kernel<<<a.all_heads, kThreads, Shape<D>::kBytes, stream>>>(a, o_state, lse_state, record);
  return cudaGetLastError();
}

template <class T, class R>
cudaError_t launch_typed(const ForwardArgs& a, float* state, bool causal, cudaStream_t stream, const R& record) {
  if (a.d > 128)
    return causal ? launch<T, 256, true>(a, state, stream, record) : launch<T, 256, false>(a, state, stream, record);
  if (a.d > 64)
    return causal ? launch<T, 128, true>(a, state, stream, record) : launch<T, 128, false>(a, state, stream, record);
  return causal ? launch<T, 64, true>(a, state, stream, record) : launch<T, 64, false>(a, state, stream, record);
}

template <class R>
cudaError_t launch_recorded(const ForwardArgs& a, float* state, bool bf16, bool causal, cudaStream_t stream,
                            const R& record) {
  return bf16 ? launch_typed<__nv_bfloat16>(a, state, causal, stream, record)
              : launch_typed<__half>(a, state, causal, stream, record);
}

}  // namespace

size_t flash_v1_workspace_bytes(long long all_heads, long long n_q, long long padded_d) {
  return (size_t)(all_heads * n_q * (padded_d + 1)) * 4;
}

const char* flash_v1_variant(int variant, int d) {
  return variant != 0 ? nullptr : d > 128 ? "16x64" : d > 64 ? "16x128" : "16x256";
}

cudaError_t flash_v1_launch(const ForwardArgs& a, void* state, bool bf16, bool causal, cudaStream_t stream,
                            const State* traced) {
  if (traced != nullptr) return launch_recorded(a, (float*)state, bf16, causal, stream, *traced);
  return launch_recorded(a, (float*)state, bf16, causal, stream, Silent{});
}

}  // namespace tilewalk::fast
