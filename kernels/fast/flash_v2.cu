// Fast FlashAttention-2, forward, for mma.sync.
//
// Idea       03_flash_v2.cu's walk with everything in its fastest place: scores, P, m, l and O stay in registers, Q, K
// and
//            V cross shared memory as 16-byte chunks, the products run on the tensor cores.
// Changed    Since 03_flash_v2.cu: rows are split among warps (each warp owns 32 rows, so no warp waits for another's
// max
//            or sum), cp.async fetches the next K and V tiles while this one is used, chunks are stored at c ^ (row %
//            8) so that ldmatrix meets no bank twice, m is raised only when scores outgrow it by 2^8 (softmax.h), and
//            of the causal tiles the longest start first.
// Launch     One block of 4 warps per (Q tile of 128 rows, head), two blocks a multiprocessor, three for d = 64 not
// causal. Tiles      128 x 64; d = 64 causal 128 x 128. 32 rows a warp: each K or V fragment read from shared memory
// feeds two products;
//            16 rows would make shared memory's 128 bytes a cycle the limit.
// Shared     2 d (128 + 4 Bc) bytes: Q, two stages of K, two of V. d = 64: 48 KiB (causal 80); d = 128: 96 KiB.
// Registers  d = 128 and d = 64 causal: 255, with at most 12 bytes spilled; d = 64: 168, up to 56 bytes spilled.
// Measured   kernels/NOTES.md.
#include "kernels/fast/flash_v2.h"
#include "kernels/fast/mma_sm80.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {
namespace {

constexpr int kBr = 128;
constexpr int kThreads = 128;

// Shared memory holds rows of D elements in 16-byte chunks; chunk c of row r lies at place c ^ (r % 8) of its row.
template <int D>
__device__ inline int swizzled(int row, int chunk) {
  return row * D * 2 + ((chunk ^ (row & 7)) << 4);
}

// Copies rows first .. first + kRows - 1 of a (n, d) matrix; what lies outside it arrives as zeros.
template <class T, int D, int kRows>
__device__ inline void load_tile(uint32_t to, const T* from, int first, int n, int d) {
  constexpr int kChunks = D / 8, kStep = kThreads / kChunks;  // rows a pass; a multiple of 8, so one swizzle per thread
  const int chunk = threadIdx.x % kChunks, row = threadIdx.x / kChunks;
  const T* source = from + (long long)(first + row) * d + chunk * 8;
  to += swizzled<D>(row, chunk);
#pragma unroll
  for (int i = 0; i < kRows / kStep; ++i) {
    const bool inside = first + row + i * kStep < n && chunk * 8 < d;
    cp_async_16(to + i * kStep * D * 2, inside ? source + (long long)i * kStep * d : from, inside);
  }
}

template <class T, int D, int Bc, bool kCausal, bool kLazy, bool kQInRegisters, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) flash_v2_forward(const ForwardArgs a) {
  extern __shared__ __align__(128) unsigned char shared[];
  const uint32_t sQ = shared_address(shared);  // (128, D)
  const uint32_t sK = sQ + kBr * D * 2;        // (2, Bc, D)
  const uint32_t sV = sK + 2 * Bc * D * 2;     // (2, Bc, D)
  constexpr int kStage = Bc * D * 2;

  const WorkTile work = work_tile<kCausal>(a, blockIdx.x);
  const int first_row = work.q_tile * kBr;
  const long long q_base = (long long)work.head * a.n_q * a.d;
  const long long kv_base = (long long)(work.head / a.heads_per_kv) * a.n_kv * a.d;
  const T* gK = (const T*)a.k + kv_base;
  const T* gV = (const T*)a.v + kv_base;
  const int tiles = kv_tile_count<kCausal, Bc>(a, first_row, kBr);

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int lane_row = lane & 7;
  // ldmatrix: which row and chunk each lane points at. A and V: matrices down then across; K: across then down.
  const int a_row = warp * 32 + (lane & 15), a_hi = lane >> 4;
  const int k_row = lane_row + ((lane >> 4) << 3), k_hi = (lane >> 3) & 1;
  const int v_row = lane & 15, v_hi = lane >> 4;
  const uint32_t q_at = sQ + a_row * D * 2, q_x = (a_hi ^ lane_row) << 4;
  const uint32_t k_at = k_row * D * 2, k_x = (k_hi ^ lane_row) << 4;
  const uint32_t v_at = v_row * D * 2, v_x = (v_hi ^ lane_row) << 4;

  float o[2][D / 2], m[2][2], l[2][2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int e = 0; e < D / 2; ++e) o[i][e] = 0.0f;
    m[i][0] = m[i][1] = minus_infinity();
    l[i][0] = l[i][1] = 0.0f;
  }

  if (tiles > 0) {
    load_tile<T, D, kBr>(sQ, (const T*)a.q + q_base, first_row, a.n_q, a.d);
    load_tile<T, D, Bc>(sK, gK, (tiles - 1) * Bc, a.n_kv, a.d);
    load_tile<T, D, Bc>(sV, gV, (tiles - 1) * Bc, a.n_kv, a.d);
    cp_async_commit();
  }
  uint32_t q[kQInRegisters ? D / 16 : 1][2][4];

  // From the last tile down, so that the masked tiles come first.
  int stage = 0;
  for (int tile = tiles - 1; tile >= 0; --tile, stage ^= 1) {
    cp_async_wait_all();
    __syncthreads();  // this stage is filled for all; all are done with the other stage
    if (tile > 0) {
      load_tile<T, D, Bc>(sK + (stage ^ 1) * kStage, gK, (tile - 1) * Bc, a.n_kv, a.d);
      load_tile<T, D, Bc>(sV + (stage ^ 1) * kStage, gV, (tile - 1) * Bc, a.n_kv, a.d);
      cp_async_commit();
    }
    if (kQInRegisters && tile == tiles - 1) {
#pragma unroll
      for (int x = 0; x < D / 16; ++x) {
#pragma unroll
        for (int i = 0; i < 2; ++i) ldmatrix_x4(q[kQInRegisters ? x : 0][i], q_at + i * 16 * D * 2 + ((x * 32) ^ q_x));
      }
    }

    // S = Q K^T
    float s[2][Bc / 2];
#pragma unroll
    for (int e = 0; e < Bc / 2; ++e) s[0][e] = s[1][e] = 0.0f;
#pragma unroll
    for (int x = 0; x < D / 16; ++x) {
      uint32_t(&qx)[2][4] = q[kQInRegisters ? x : 0];
      if constexpr (!kQInRegisters) {
#pragma unroll
        for (int i = 0; i < 2; ++i) ldmatrix_x4(qx[i], q_at + i * 16 * D * 2 + ((x * 32) ^ q_x));
      }
      const uint32_t at = sK + stage * kStage + k_at + ((x * 32) ^ k_x);
#pragma unroll
      for (int n = 0; n < Bc / 16; ++n) {
        uint32_t k[4];
        ldmatrix_x4(k, at + n * 16 * D * 2);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          mma_16816<T>(&s[i][8 * n], qx[i], k[0], k[1]);
          mma_16816<T>(&s[i][8 * n + 4], qx[i], k[2], k[3]);
        }
      }
    }

    const int first_col = tile * Bc;
    const bool crosses = kCausal && first_col + Bc - 1 > first_row + warp * 32 + a.causal_shift;
    if (first_col + Bc > a.n_kv || crosses) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        int limit[2];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int row = first_row + warp * 32 + i * 16 + h * 8 + lane / 4;
          limit[h] = (kCausal ? min(a.n_kv - 1, row + a.causal_shift) : a.n_kv - 1) - first_col;
        }
        mask_scores<Bc>(s[i], limit[0], limit[1]);
      }
    }

#pragma unroll
    for (int i = 0; i < 2; ++i) {
      float alpha[2];
      if (softmax_step<Bc, kLazy>(s[i], m[i], l[i], alpha, a.c)) shrink_rows(o[i], alpha);
    }

    // O += P V: the accumulator layout of S is the operand layout of P.
#pragma unroll
    for (int y = 0; y < Bc / 16; ++y) {
      uint32_t p[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int e = 0; e < 4; ++e) p[i][e] = pack2<T>(s[i][8 * y + 2 * e], s[i][8 * y + 2 * e + 1]);
      }
      const uint32_t at = sV + stage * kStage + v_at + y * 16 * D * 2;
#pragma unroll
      for (int n = 0; n < D / 16; ++n) {
        uint32_t v[4];
        ldmatrix_x4_transposed(v, at + ((n * 32) ^ v_x));
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          mma_16816<T>(&o[i][8 * n], p[i], v[0], v[1]);
          mma_16816<T>(&o[i][8 * n + 4], p[i], v[2], v[3]);
        }
      }
    }
  }

  __syncwarp();  // all of the warp's reads of its rows of sQ are done
  // Normalise, store. O goes through the warp's own rows of sQ, which no other warp reads, into 16-byte stores.
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float sum = quad_sum(l[i][h]);
      const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
      const int tile_row = warp * 32 + i * 16 + h * 8 + lane / 4;
      const int row = first_row + tile_row;
      if (a.lse != nullptr && lane % 4 == 0 && row < a.n_q) {
        a.lse[(long long)work.head * a.n_q + row] = row_lse(m[i][h], sum, a.c);
      }
#pragma unroll
      for (int j = 0; j < D / 8; ++j) {
        const uint32_t pair = pack2<T>(o[i][4 * j + 2 * h] * inverse, o[i][4 * j + 2 * h + 1] * inverse);
        *(uint32_t*)(shared + swizzled<D>(tile_row, j) + (lane & 3) * 4) = pair;
      }
    }
  }
  __syncwarp();
  T* gO = (T*)a.o + q_base;
#pragma unroll
  for (int i = 0; i < D / 8; ++i) {
    const int tile_row = warp * 32 + (i * 32 + lane) / (D / 8), chunk = lane % (D / 8);
    const int row = first_row + tile_row;
    const uint4 value = *(const uint4*)(shared + swizzled<D>(tile_row, chunk));
    if (row < a.n_q && chunk * 8 < a.d) *(uint4*)(gO + (long long)row * a.d + chunk * 8) = value;
  }
}

template <class T, int D, int Bc, bool kCausal, bool kLazy, bool kQInRegisters, int kBlocks>
cudaError_t launch(ForwardArgs a, cudaStream_t stream) {
  auto* const kernel = &flash_v2_forward<T, D, Bc, kCausal, kLazy, kQInRegisters, kBlocks>;
  constexpr int kShared = 2 * D * (kBr + 4 * Bc);
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  if (raised != cudaSuccess) return raised;
  a.q_tiles = (a.n_q + kBr - 1) / kBr;
  kernel<<<a.q_tiles * a.all_heads, kThreads, kShared, stream>>>(a);
  return cudaGetLastError();
}

template <class T>
cudaError_t launch_typed(int variant, const ForwardArgs& a, bool causal, cudaStream_t stream) {
  if (a.d > 64) {
    if (variant == 1)
      return causal ? launch<T, 128, 64, true, false, false, 2>(a, stream)
                    : launch<T, 128, 64, false, false, false, 2>(a, stream);
    return causal ? launch<T, 128, 64, true, true, false, 2>(a, stream)
                  : launch<T, 128, 64, false, true, false, 2>(a, stream);
  }
  if (variant == 1)
    return causal ? launch<T, 64, 128, true, false, false, 2>(a, stream)
                  : launch<T, 64, 64, false, false, false, 3>(a, stream);
  if (variant == 2)
    return causal ? launch<T, 64, 64, true, true, true, 2>(a, stream)
                  : launch<T, 64, 64, false, true, true, 2>(a, stream);
  return causal ? launch<T, 64, 128, true, true, false, 2>(a, stream)
                : launch<T, 64, 64, false, true, false, 3>(a, stream);
}

}  // namespace

const char* flash_v2_variant(int variant, int d) {
  static const char* const kWide[] = {"128x64", "128x64, m raised at once"};
  static const char* const kNarrow[] = {"128x64 or causal 128x128", "128x64 or causal 128x128, m raised at once",
                                        "128x64, Q in registers"};
  if (variant < 0) return nullptr;
  if (d > 64) return variant < 2 ? kWide[variant] : nullptr;
  return variant < 3 ? kNarrow[variant] : nullptr;
}

cudaError_t flash_v2_launch(int variant, const ForwardArgs& a, bool bf16, bool causal, cudaStream_t stream) {
  return bf16 ? launch_typed<__nv_bfloat16>(variant, a, causal, stream)
              : launch_typed<__half>(variant, a, causal, stream);
}

}  // namespace tilewalk::fast
