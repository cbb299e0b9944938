// FlashAttention-2, backward: dQ, dK and dV from dO, without ever storing P.
//
// Idea       The forward pass stored O and L = m + log2 l of every row. L alone gives each complete weight again,
//            P = 2^(S - L), tile by tile. Walk KV tiles outside and Q tiles inside: dK and dV of a KV tile then stay on
//            chip; every KV tile adds to dQ, which is read from HBM and written back.
// Changed    Since 03_flash_v2.cu: the loops are exchanged; no running max or sum, since L is known; five products a
//            visit instead of two; three launches. 03_flash_v2.cu runs first, untraced, and stores O and L.
// Not here   The released kernel gives each KV tile a thread block of its own and adds to dQ atomically, in whatever
//            order the blocks arrive, so that two runs differ in their last bits (or, if requested, in a fixed order).
//            One thread block here walks all KV tiles of a KV head, so that the order, and every bit, is known.
// Launch     dots and scale: one thread block per (Q tile, head, batch). walk: one per (KV head, batch), through the
//            query heads that share the KV head in turn. Any number of threads; each element is computed by one thread
//            in one fixed order.
// Shared     dots  2 e Br d bytes, e = 4 for fp32, 2 for fp16 and bf16.
//            walk  4 (2 Br Bc + Br d + 2 Bc d + 2 Br) + e (2 Br d + 2 Bc d).
//            scale none.
// Arithmetic kernels/README.md. fp32, scores in log2 units, no fused multiply-add except where fma32 is written.
// Watch      dQ going to HBM and back in fp32 at every visit; D = rowsum(dO o O) is computed once for all visits.
//
// A tag such as [GradV] names the schedule's phase that the lines below it carry out.
#include "kernels/common/attention.h"
#include "kernels/common/device.h"
#include "kernels/common/element.h"
#include "kernels/common/gradient_buffers.h"
#include "kernels/common/q_tiles.h"
#include "kernels/common/record_gradients.h"
#include "kernels/common/tiles.h"

namespace tilewalk::TILEWALK_SIDE {

using exact::exp2f_exact;
using exact::fma32;

// Launch 1: D of every row, and dQ = 0. dQSum is dQ between visits, in fp32: dQ itself where that is the storage
// type.
template <class T>
__global__ void backward_dots(Attention a, const T* O, const T* dO, float* D, float* dQSum) {
  const int d = a.d, Br = a.br;
  const QTilePlace at = q_tile_of_block(a);
  const long long first_row = at.q_head * a.n_q + at.first_row;
  const T* gO = O + first_row * d;      // (rows, d) global
  const T* gdO = dO + first_row * d;    // (rows, d) global
  float* gD = D + first_row;            // (rows)    global
  float* gdQ = dQSum + first_row * d;   // (rows, d) global, fp32

  T* sO = (T*)block_shared_memory();  // (Br, d) shared
  T* sdO = sO + Br * d;               // (Br, d) shared

  const int rows = at.rows;
  const int first = threadIdx.x, stride = blockDim.x;

  // [LoadOutputs]
  for (int e = first; e < rows * d; e += stride) {
    sO[e] = gO[e];
    sdO[e] = gdO[e];
  }
  __syncthreads();  // rows after elements: a row's thread reads elements that other threads loaded

  // [RowDot] From 0, x increasing.
  for (int row = first; row < rows; row += stride) {
    float dot = 0.0f;
    for (int x = 0; x < d; ++x) dot = fma32(to_float(sdO[row * d + x]), to_float(sO[row * d + x]), dot);
    // [StoreD] And dQ = 0 beside it.
    gD[row] = dot;
  }
  for (int e = first; e < rows * d; e += stride) gdQ[e] = 0.0f;
}

// Launch 2: all KV tiles of a KV head, each with the Q tiles that see it, query head after query head.
template <class T, bool kTraced>
__global__ void backward_walk(Attention a, float g, const T* Q, const T* K, const T* V, const T* dO, const float* Lse,
                              const float* D, float* dQSum, T* dK, T* dV, GradientBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const long long kv_head = a.first_block + blockIdx.x, group = a.heads / a.kv_heads;
  const T* gK = K + kv_head * a.n_kv * d;  // (n_kv, d) global
  const T* gV = V + kv_head * a.n_kv * d;  // (n_kv, d) global
  T* gdK = dK + kv_head * a.n_kv * d;      // (n_kv, d) global
  T* gdV = dV + kv_head * a.n_kv * d;      // (n_kv, d) global

  float* sP = (float*)block_shared_memory();  // (Br, Bc) shared: scores, then P in the same place
  float* sdS = sP + Br * Bc;                  // (Br, Bc) shared: dS
  float* sdQ = sdS + Br * Bc;                 // (Br, d)  shared
  float* sdK = sdQ + Br * d;                  // (Bc, d)  shared: so far, not yet times g
  float* sdV = sdK + Bc * d;                  // (Bc, d)  shared: so far
  float* sLse = sdV + Bc * d;                 // (Br)     shared
  float* sD = sLse + Br;                      // (Br)     shared
  T* sQ = (T*)(sD + Br);                      // (Br, d)  shared
  T* sdO = sQ + Br * d;                       // (Br, d)  shared
  T* sK = sdO + Br * d;                       // (d, Bc)  shared, transposed: adjacent threads read adjacent words
  T* sV = sK + Bc * d;                        // (d, Bc)  shared, likewise

  const int first = threadIdx.x, stride = blockDim.x;

  for (long long place = 0; place < a.kv_tiles; ++place) {
    const long long kv_tile = all_kv_tiles(a).of_visit(place, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);
    const QTiles tiles = q_tiles_seeing(a, kv_tile);

    __syncthreads();  // refill after use: every thread is done with the last KV tile's sK and sV

    // [LoadKV] K and V of this tile stay for its whole walk, and so do dK and dV.
    for (int e = first; e < cols * d; e += stride) {
      sK[(e % d) * cols + e / d] = gK[first_col * d + e];
      sV[(e % d) * cols + e / d] = gV[first_col * d + e];
      sdK[e] = 0.0f;
      sdV[e] = 0.0f;
    }

    for (long long visit = 0; visit < group * (tiles.end - tiles.begin); ++visit) {
      const long long q_tile = tiles.begin + visit % (tiles.end - tiles.begin);
      const long long q_head = kv_head * group + visit / (tiles.end - tiles.begin);
      const int rows = q_tile_rows(a, q_tile);
      const long long first_row = q_head * a.n_q + q_tile * Br;
      const T* gQ = Q + first_row * d;        // (rows, d) global
      const T* gdO = dO + first_row * d;      // (rows, d) global
      const float* gLse = Lse + first_row;    // (rows)    global
      const float* gD = D + first_row;        // (rows)    global
      float* gdQ = dQSum + first_row * d;     // (rows, d) global, fp32

      const long long visits_before = kTraced ? trace.visits_before[kv_tile] : 0;
      GradientRecorder record(a, trace, (kv_head * trace.visits_per_head + visits_before) * group + visit, cols);

      __syncthreads();  // refill after use: every thread is done with the last visit's rows and sdS

      // [LoadRows] dQ so far is loaded with them. Each thread reads the elements that it wrote itself.
      for (int e = first; e < rows * d; e += stride) {
        sQ[e] = gQ[e];
        sdO[e] = gdO[e];
        sdQ[e] = gdQ[e];
      }
      for (int row = first; row < rows; row += stride) {
        sLse[row] = gLse[row];
        sD[row] = gD[row];
      }
      __syncthreads();  // use after fill: scores read tiles that other threads loaded

      // [Scores] One dot product an element, x increasing, then one multiplication into log2 units.
      for (int e = first; e < rows * cols; e += stride) {
        const int row = e / cols, col = e % cols;
        float acc = 0.0f;
        for (int x = 0; x < d; ++x) acc = fma32(to_float(sQ[row * d + x]), to_float(sK[x * cols + col]), acc);
        float s = acc * a.c;
        // [Mask] A masked score counts as -inf: its P is 0, and every later sum includes it with that value.
        if (!visible(a, q_tile * Br + row, first_col + col)) s = minus_infinity();
        // [Exponentiate] P = 2^(S - L): complete weights, since L includes the sum. A masked score gives exactly 0.
        const float p = s == minus_infinity() ? 0.0f : exp2f_exact(s - sLse[row]);
        sP[e] = p;
        if constexpr (kTraced) {
          record.score(row, col, s);
          record.weight(row, col, p);
        }
      }
      __syncthreads();  // columns after elements: products read all of a column of P

      // [GradV] dV += P^T dO, rows increasing. P is rounded to the storage type for the product alone.
      for (int e = first; e < cols * d; e += stride) {
        const int col = e / d, x = e % d;
        float dv = sdV[e];
        for (int row = 0; row < rows; ++row) {
          dv = fma32(rounded_to<T>(sP[row * cols + col]), to_float(sdO[row * d + x]), dv);
        }
        sdV[e] = dv;
        if constexpr (kTraced) record.dv(col, x, dv);
      }

      // [GradP] dP = dO V^T, from 0, x increasing.
      for (int e = first; e < rows * cols; e += stride) {
        const int row = e / cols, col = e % cols;
        float dp = 0.0f;
        for (int x = 0; x < d; ++x) dp = fma32(to_float(sdO[row * d + x]), to_float(sV[x * cols + col]), dp);
        // [GradS] dS = P (dP - D): the gradient of softmax.
        const float ds = sP[e] * (dp - sD[row]);
        sdS[e] = ds;
        if constexpr (kTraced) {
          record.dp(row, col, dp);
          record.ds(row, col, ds);
        }
      }
      __syncthreads();  // rows and columns after elements: products read all of a row, or column, of dS

      // [GradQ] dQ += dS K, columns increasing, dS rounded for the product.
      for (int e = first; e < rows * d; e += stride) {
        const int row = e / d, x = e % d;
        float dq = sdQ[e];
        for (int col = 0; col < cols; ++col) {
          dq = fma32(rounded_to<T>(sdS[row * cols + col]), to_float(sK[x * cols + col]), dq);
        }
        // [StoreDQ] Back to HBM in fp32, where the next KV tile adds to it.
        gdQ[e] = dq;
        if constexpr (kTraced) record.dq(row, x, dq);
      }

      // [GradK] dK += dS^T Q, rows increasing.
      for (int e = first; e < cols * d; e += stride) {
        const int col = e / d, x = e % d;
        float dk = sdK[e];
        for (int row = 0; row < rows; ++row) {
          dk = fma32(rounded_to<T>(sdS[row * cols + col]), to_float(sQ[row * d + x]), dk);
        }
        sdK[e] = dk;
        if constexpr (kTraced) record.dk(col, x, dk);
      }
      if constexpr (kTraced) record.finish();
    }

    // [StoreDKV] Scaled and rounded once. Each thread stores the elements that it summed.
    for (int e = first; e < cols * d; e += stride) {
      gdK[first_col * d + e] = from_float<T>(sdK[e] * g);
      gdV[first_col * d + e] = from_float<T>(sdV[e]);
    }
  }
}

// Launch 3: the complete dQ, scaled and rounded once.
template <class T>
__global__ void backward_scale(Attention a, float g, const float* dQSum, T* dQ) {
  const QTilePlace at = q_tile_of_block(a);
  const long long first_element = (at.q_head * a.n_q + at.first_row) * a.d;
  const float* gdQSum = dQSum + first_element;  // (rows, d) global, fp32
  T* gdQ = dQ + first_element;                  // (rows, d) global

  for (int e = threadIdx.x; e < at.rows * a.d; e += blockDim.x) {
    // [LoadDQ]
    const float dq = gdQSum[e];
    // [ScaleDQ]
    const float scaled = dq * g;
    // [StoreDQ]
    gdQ[e] = from_float<T>(scaled);
  }
}

}  // namespace tilewalk::TILEWALK_SIDE
