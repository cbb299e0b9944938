// Standard attention, backward: dQ, dK and dV from dO as frameworks without fusion compute them, in five launches
// (arXiv 2205.14135, Algorithm 3).
//
// Idea       The forward pass stored P in HBM, and this pass reads it: one matrix product a launch, and softmax's own
//            gradient row by row between them. Nothing is computed twice.
// Changed    Since 01_standard.cu, which runs first, untraced, and stores P: the same structure, in reverse. The
//            baseline of 07_backward.cu and 08_backward_v1.cu.
// Launch     grad_v and grad_k: one thread block per (KV tile, KV head, batch), through the query heads that share the
//            KV head in turn. grad_p and grad_q: one per (Q tile, head, batch). grad_s: one per row. Any number of
//            threads; each element is computed by one thread in one fixed order.
// Shared     grad_v and grad_k  e (Br Bc + Br d) + 4 Bc d bytes, e = 4 for fp32, 2 for fp16 and bf16
//            grad_p  e (Br d + Bc d) + 4 Br Bc
//            grad_s  (4 + e) N_kv + 4 where a row of P and dP fits on chip, else (4 + e) min(Bc, N_kv) + 4
//            grad_q  e (Br Bc + Bc d) + 4 Br d
// Arithmetic kernels/README.md. fp32, no fused multiply-add except where fma32 is written.
// Watch      P, dP and dS crossing between HBM and SRAM: seven transfers of N_q N_kv elements. Masked tiles are moved
//            like any other, with P = 0.
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

using exact::fma32;

// The KV tile of this thread block. KV tiles come first, then KV heads, then batches.
struct KvTilePlace {
  long long kv_head, kv_tile, first_col;
  int cols;
};

__device__ inline KvTilePlace kv_tile_of_block(const Attention& a) {
  const long long index = a.first_block + blockIdx.x;
  const long long kv_tile = index % a.kv_tiles;
  return {index / a.kv_tiles, kv_tile, kv_tile * a.bc, kv_tile_cols(a, kv_tile)};
}

// The trace row of a tile. Traces are in order of KV tiles, each visited by every Q tile of every query head that
// shares the KV head.
__device__ inline long long standard_gradient_visit(const Attention& a, long long q_head, long long q_tile,
                                                    long long kv_tile) {
  const long long group = a.heads / a.kv_heads;
  const long long place = a.reverse ? a.kv_tiles - 1 - kv_tile : kv_tile;
  return ((q_head / group * a.kv_tiles + place) * group + q_head % group) * a.q_tiles + q_tile;
}

// Launch 1: dV = P^T dO. dV stays on chip for a KV tile; a tile of P and the rows of dO beside it are loaded at every
// visit.
template <class T, bool kTraced>
__global__ void backward_standard_grad_v(Attention a, const T* P, const T* dO, T* dV, GradientBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const KvTilePlace at = kv_tile_of_block(a);
  const long long group = a.heads / a.kv_heads;
  const int cols = at.cols;
  T* gdV = dV + (at.kv_head * a.n_kv + at.first_col) * d;  // (cols, d) global

  float* sdV = (float*)block_shared_memory();  // (Bc, d)  shared: so far
  T* sP = (T*)(sdV + Bc * d);                  // (Br, Bc) shared
  T* sdO = sP + Br * Bc;                       // (Br, d)  shared

  const int first = threadIdx.x, stride = blockDim.x;

  for (int e = first; e < cols * d; e += stride) sdV[e] = 0.0f;

  for (long long visit = 0; visit < group * a.q_tiles; ++visit) {
    const long long q_head = at.kv_head * group + visit / a.q_tiles, q_tile = visit % a.q_tiles;
    const int rows = q_tile_rows(a, q_tile);
    const long long first_row = q_head * a.n_q + q_tile * Br;
    const T* gP = P + first_row * a.n_kv + at.first_col;  // (rows, n_kv) global, from this tile's columns on
    const T* gdO = dO + first_row * d;                    // (rows, d)    global
    GradientRecorder record(a, trace, standard_gradient_visit(a, q_head, q_tile, at.kv_tile), cols);

    // [LoadPDO]
    for (int e = first; e < rows * cols; e += stride) {
      sP[e] = gP[(e / cols) * a.n_kv + e % cols];
      if constexpr (kTraced) record.weight(e / cols, e % cols, to_float(sP[e]));
    }
    for (int e = first; e < rows * d; e += stride) sdO[e] = gdO[e];
    __syncthreads();  // use after fill: products read tiles that other threads loaded

    // [GradV] dV += P^T dO, rows increasing. Masked elements are included with P = 0.
    for (int e = first; e < cols * d; e += stride) {
      const int col = e / d, x = e % d;
      float dv = sdV[e];
      for (int row = 0; row < rows; ++row) dv = fma32(to_float(sP[row * cols + col]), to_float(sdO[row * d + x]), dv);
      sdV[e] = dv;
      if constexpr (kTraced) record.dv(col, x, dv);
    }
    if constexpr (kTraced) record.finish();
    __syncthreads();  // refill after use: every thread is done with this visit's sP and sdO
  }

  // [StoreDV] Rounded once. Each thread stores the elements that it summed.
  for (int e = first; e < cols * d; e += stride) gdV[e] = from_float<T>(sdV[e]);
}

// Launch 2: dP = dO V^T, to HBM. The rows of dO stay on chip for a row of tiles; V is loaded again at every visit.
template <class T, bool kTraced>
__global__ void backward_standard_grad_p(Attention a, const T* dO, const T* V, float* dP, GradientBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const QTilePlace at = q_tile_of_block(a);
  const KvTiles tiles = all_kv_tiles(a);
  const int rows = at.rows;
  const long long first_row = at.q_head * a.n_q + at.first_row;
  const T* gdO = dO + first_row * d;          // (rows, d)    global
  const T* gV = V + at.kv_head * a.n_kv * d;  // (n_kv, d)    global
  float* gdP = dP + first_row * a.n_kv;       // (rows, n_kv) global

  float* sdP = (float*)block_shared_memory();  // (Br, Bc) shared
  T* sdO = (T*)(sdP + Br * Bc);                // (Br, d)  shared
  T* sV = sdO + Br * d;                        // (d, Bc)  shared, transposed: adjacent threads read adjacent words

  const int first = threadIdx.x, stride = blockDim.x;

  // [LoadDO] The rows stay for the whole walk.
  for (int e = first; e < rows * d; e += stride) sdO[e] = gdO[e];

  for (long long visit = 0; visit < tiles.count(); ++visit) {
    const long long kv_tile = tiles.of_visit(visit, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);
    GradientRecorder record(a, trace, standard_gradient_visit(a, at.q_head, at.q_tile, kv_tile), cols);

    // [LoadV]
    for (int e = first; e < cols * d; e += stride) sV[(e % d) * cols + e / d] = gV[first_col * d + e];
    __syncthreads();  // use after fill: products read sdO and sV that other threads loaded

    // [GradP] From 0, x increasing.
    for (int e = first; e < rows * cols; e += stride) {
      const int row = e / cols, col = e % cols;
      float dp = 0.0f;
      for (int x = 0; x < d; ++x) dp = fma32(to_float(sdO[row * d + x]), to_float(sV[x * cols + col]), dp);
      sdP[e] = dp;
      if constexpr (kTraced) record.dp(row, col, dp);
    }
    // [StoreDP] In fp32, whatever the storage type. Each thread stores the elements that it computed.
    for (int e = first; e < rows * cols; e += stride) gdP[(e / cols) * a.n_kv + first_col + e % cols] = sdP[e];
    if constexpr (kTraced) record.finish();
    __syncthreads();  // refill after use: every thread is done with this visit's sV
  }
}

// Launch 3: dS = P (dP - D) with D = rowsum(P o dP), a row a thread block, so D belongs to the block, and one thread
// takes the sum: its order is part of the contract. Where a row does not fit on chip it passes through in pieces,
// twice.
template <class T, bool kRowFits>
__global__ void backward_standard_grad_s(Attention a, const T* P, const float* dP, T* dS) {
  const long long index = a.first_block + blockIdx.x;  // of the row, over all heads
  const T* gP = P + index * a.n_kv;                    // (n_kv) global
  const float* gdP = dP + index * a.n_kv;              // (n_kv) global
  T* gdS = dS + index * a.n_kv;                        // (n_kv) global
  const long long chunk = kRowFits ? a.n_kv : a.bc;    // columns of a row that are on chip at a time

  float* sD = (float*)block_shared_memory();  // (1)     shared
  float* sdS = sD + 1;                        // (chunk) shared: dP, then dS in the same place
  T* sP = (T*)(sdS + chunk);                  // (chunk) shared

  const int first = threadIdx.x, stride = blockDim.x;
  if (first == 0) *sD = 0.0f;

  for (long long begin = 0; begin < a.n_kv; begin += chunk) {
    const long long cols = a.n_kv - begin < chunk ? a.n_kv - begin : chunk;
    // [LoadPDP] The rows of both, or the next piece of them.
    for (long long col = first; col < cols; col += stride) {
      sP[col] = gP[begin + col];
      sdS[col] = gdP[begin + col];
    }
    __syncthreads();  // use after fill: one thread reads the elements that all threads loaded
    // [RowDot] From 0, columns increasing.
    if (first == 0) {
      float dot = *sD;
      for (long long col = 0; col < cols; ++col) dot = fma32(to_float(sP[col]), sdS[col], dot);
      *sD = dot;
    }
    __syncthreads();  // all threads read D; and a next piece must not overwrite this one before it was added
  }

  for (long long begin = 0; begin < a.n_kv; begin += chunk) {
    const long long cols = a.n_kv - begin < chunk ? a.n_kv - begin : chunk;
    // [LoadPDPAgain] Only where the row did not fit: its pieces were overwritten. Each thread uses the elements
    // that it loaded itself.
    if constexpr (!kRowFits) {
      for (long long col = first; col < cols; col += stride) {
        sP[col] = gP[begin + col];
        sdS[col] = gdP[begin + col];
      }
    }
    // [GradS] The gradient of softmax.
    for (long long col = first; col < cols; col += stride) sdS[col] = to_float(sP[col]) * (sdS[col] - *sD);
    // [StoreDS] Rounded once, for the two products that follow.
    for (long long col = first; col < cols; col += stride) gdS[begin + col] = from_float<T>(sdS[col]);
  }
}

// Launch 4: dQ = g dS K. dQ stays on chip for a row of tiles; K and a tile of dS are loaded at every visit.
template <class T, bool kTraced>
__global__ void backward_standard_grad_q(Attention a, float g, const T* dS, const T* K, T* dQ, GradientBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const QTilePlace at = q_tile_of_block(a);
  const KvTiles tiles = all_kv_tiles(a);
  const int rows = at.rows;
  const long long first_row = at.q_head * a.n_q + at.first_row;
  const T* gdS = dS + first_row * a.n_kv;     // (rows, n_kv) global
  const T* gK = K + at.kv_head * a.n_kv * d;  // (n_kv, d)    global
  T* gdQ = dQ + first_row * d;                // (rows, d)    global

  float* sdQ = (float*)block_shared_memory();  // (Br, d)  shared: so far, not yet times g
  T* sdS = (T*)(sdQ + Br * d);                 // (Br, Bc) shared
  T* sK = sdS + Br * Bc;                       // (Bc, d)  shared

  const int first = threadIdx.x, stride = blockDim.x;

  for (int e = first; e < rows * d; e += stride) sdQ[e] = 0.0f;

  for (long long visit = 0; visit < tiles.count(); ++visit) {
    const long long kv_tile = tiles.of_visit(visit, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);
    GradientRecorder record(a, trace, standard_gradient_visit(a, at.q_head, at.q_tile, kv_tile), cols);

    // [LoadDSK]
    for (int e = first; e < rows * cols; e += stride) {
      sdS[e] = gdS[(e / cols) * a.n_kv + first_col + e % cols];
      if constexpr (kTraced) record.ds(e / cols, e % cols, to_float(sdS[e]));
    }
    for (int e = first; e < cols * d; e += stride) sK[e] = gK[first_col * d + e];
    __syncthreads();  // use after fill: products read tiles that other threads loaded

    // [GradQ] dQ += dS K, columns increasing.
    for (int e = first; e < rows * d; e += stride) {
      const int row = e / d, x = e % d;
      float dq = sdQ[e];
      for (int col = 0; col < cols; ++col) dq = fma32(to_float(sdS[row * cols + col]), to_float(sK[col * d + x]), dq);
      sdQ[e] = dq;
      if constexpr (kTraced) record.dq(row, x, dq);
    }
    if constexpr (kTraced) record.finish();
    __syncthreads();  // refill after use: every thread is done with this visit's sdS and sK
  }

  // [StoreDQ] Scaled and rounded once. Each thread stores the elements that it summed.
  for (int e = first; e < rows * d; e += stride) gdQ[e] = from_float<T>(sdQ[e] * g);
}

// Launch 5: dK = g dS^T Q. dK stays on chip for a KV tile; a tile of dS, read for the second time, and the rows of Q
// beside it are loaded at every visit.
template <class T, bool kTraced>
__global__ void backward_standard_grad_k(Attention a, float g, const T* dS, const T* Q, T* dK, GradientBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const KvTilePlace at = kv_tile_of_block(a);
  const long long group = a.heads / a.kv_heads;
  const int cols = at.cols;
  T* gdK = dK + (at.kv_head * a.n_kv + at.first_col) * d;  // (cols, d) global

  float* sdK = (float*)block_shared_memory();  // (Bc, d)  shared: so far, not yet times g
  T* sdS = (T*)(sdK + Bc * d);                 // (Br, Bc) shared
  T* sQ = sdS + Br * Bc;                       // (Br, d)  shared

  const int first = threadIdx.x, stride = blockDim.x;

  for (int e = first; e < cols * d; e += stride) sdK[e] = 0.0f;

  for (long long visit = 0; visit < group * a.q_tiles; ++visit) {
    const long long q_head = at.kv_head * group + visit / a.q_tiles, q_tile = visit % a.q_tiles;
    const int rows = q_tile_rows(a, q_tile);
    const long long first_row = q_head * a.n_q + q_tile * Br;
    const T* gdS = dS + first_row * a.n_kv + at.first_col;  // (rows, n_kv) global, from this tile's columns on
    const T* gQ = Q + first_row * d;                        // (rows, d)    global
    GradientRecorder record(a, trace, standard_gradient_visit(a, q_head, q_tile, at.kv_tile), cols);

    // [LoadDSQ]
    for (int e = first; e < rows * cols; e += stride) sdS[e] = gdS[(e / cols) * a.n_kv + e % cols];
    for (int e = first; e < rows * d; e += stride) sQ[e] = gQ[e];
    __syncthreads();  // use after fill: products read tiles that other threads loaded

    // [GradK] dK += dS^T Q, rows increasing.
    for (int e = first; e < cols * d; e += stride) {
      const int col = e / d, x = e % d;
      float dk = sdK[e];
      for (int row = 0; row < rows; ++row) dk = fma32(to_float(sdS[row * cols + col]), to_float(sQ[row * d + x]), dk);
      sdK[e] = dk;
      if constexpr (kTraced) record.dk(col, x, dk);
    }
    if constexpr (kTraced) record.finish();
    __syncthreads();  // refill after use: every thread is done with this visit's sdS and sQ
  }

  // [StoreDK] Scaled and rounded once. Each thread stores the elements that it summed.
  for (int e = first; e < cols * d; e += stride) gdK[e] = from_float<T>(sdK[e] * g);
}

}  // namespace tilewalk::TILEWALK_SIDE
