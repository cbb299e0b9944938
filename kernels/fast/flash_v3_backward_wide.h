// What both of flash_v3's backward kernels above d = 128 do: products of tiles of 64 rows, and the stores of gradients.
// flash_v3_backward.cu describes them.
#pragma once

#include "kernels/fast/flash_v3_backward_loading.h"
#include "kernels/fast/softmax.h"
#include "kernels/fast/wgmma.h"

namespace tilewalk::fast {

constexpr int kWideBackwardThreads = 384;  // the loading warpgroup, and two that compute
constexpr int kWideLoadRegisters = 24, kWideComputeRegisters = 240;

// acc (64 x 64) = A B^T over D columns, issued and committed. a_rows, b_rows: of a whole tile, whose columns of 64 lie
// one after the other.
template <class T, int D>
__device__ inline void multiply_rows(float (&acc)[32], uint32_t a, int a_rows, uint32_t b, int b_rows) {
  const uint64_t left = wgmma_descriptor(a, 16, 1024), right = wgmma_descriptor(b, 16, 1024);
  wgmma_fence();
  wgmma_first<T, 64>(acc, left, right);
#pragma unroll
  for (int x = 1; x < D / 16; ++x) {
    const int column = x / 4, within = x % 4 * 32;
    Wgmma<64>::template ss<T>(acc, left + ((column * a_rows * 128 + within) >> 4),
                              right + ((column * b_rows * 128 + within) >> 4), 1);
  }
  wgmma_commit();
}

// acc (64 x D) += P (64 x 64, registers) B, issued and committed.
template <class T, int D>
__device__ inline void add_product(float (&acc)[D / 2], const uint32_t (&p)[4][4], uint32_t b) {
  const uint64_t right = wgmma_descriptor(b, 64 * 128, 1024);
  wgmma_pin(acc);
  wgmma_fence();
#pragma unroll
  for (int y = 0; y < 4; ++y) Wgmma<D>::template rs<T>(acc, p[y], right + ((y * 16 * 128) >> 4));
  wgmma_commit();
}

// A warpgroup's 64 rows of D columns, through `to` in shared memory (a tile of `rows` rows) to HBM.
template <class T, int D>
__device__ inline void store_rows(const float (&acc)[D / 2], float factor, uint32_t to, int rows,
                                  const CUtensorMap* map, int first_row, int head, int barrier) {
  const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
  const uint32_t line = to + (warp * 16 + (lane & 15)) * 128;
  named_barrier_sync(barrier, 128);  // all warps' products are complete
#pragma unroll
  for (int n = 0; n < D / 16; ++n) {
    const int chunk = n % 4 * 2 + (lane >> 4);
    const float* const f = acc + 8 * n;
    stmatrix_x4(line + n / 4 * rows * 128 + ((chunk ^ (lane & 7)) << 4), pack2<T>(f[0] * factor, f[1] * factor),
                pack2<T>(f[2] * factor, f[3] * factor), pack2<T>(f[4] * factor, f[5] * factor),
                pack2<T>(f[6] * factor, f[7] * factor));
  }
  fence_async_proxy();
  named_barrier_sync(barrier, 128);
  if (thread == 0) {
#pragma unroll
    for (int column = 0; column < D / 64; ++column)
      tma_store(map, to + column * rows * 128, column * 64, first_row, head);
    tma_store_commit();
    tma_store_wait_read();
  }
}

}  // namespace tilewalk::fast
