// FlashAttention-1, backward: dQ, dK and dV from dO, from the m and l that the forward pass stored (arXiv 2205.14135,
// Algorithm 4).
//
// Idea       m and l of a row are enough to recompute its weights, P = 2^(S - m) / l. So the backward pass needs
//            nothing of N^2 size either: it computes a fifth product instead of reading P.
// Changed    Since 09_backward_standard.cu, which it replaced: no N^2 matrix in HBM. Compared with 07_backward.cu,
//            its successor: each weight needs a division, since m and l are two numbers where L is one; O is loaded at
//            every visit to recompute D = rowsum(dO o O) there; 02_flash_v1.cu runs first, untraced, and stores O, m
//            and l.
// Not here   Dropout. The paper scales dQ at each visit; here the last launch does, once, as in 07_backward.cu.
// Launch     initialise and scale: one thread block per (Q tile, head, batch). walk: one per (KV head, batch), through
//            the query heads that share the KV head in turn. Any number of threads; each element is computed by one
//            thread in one fixed order.
// Shared     walk  4 (2 Br Bc + Br d + 2 Bc d + 3 Br) + e (3 Br d + 2 Bc d) bytes, e = 4 for fp32, 2 for fp16 and bf16.
//            initialise and scale none.
// Arithmetic kernels/README.md. fp32, scores in log2 units, no fused multiply-add except where fma32 is written.
// Watch      O and dQ are loaded at every visit, and D is recomputed from the same rows each time: FA-2 removed both.
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

// Launch 1: the initial value of every row of dQ. dQSum is dQ between visits, in fp32: dQ itself where that is the
// storage type.
__global__ void backward_v1_initialise(Attention a, float* dQSum) {
  const QTilePlace at = q_tile_of_block(a);
  float* gdQ = dQSum + (at.q_head * a.n_q + at.first_row) * a.d;  // (rows, d) global, fp32

  // [Initialise]
  for (int e = threadIdx.x; e < at.rows * a.d; e += blockDim.x) gdQ[e] = 0.0f;
}

// Launch 2: all KV tiles of a KV head, each with the Q tiles that see it, query head after query head.
template <class T, bool kTraced>
__global__ void backward_v1_walk(Attention a, float g, const T* Q, const T* K, const T* V, const T* O, const T* dO,
                                 const float* M, const float* Sum, float* dQSum, T* dK, T* dV, GradientBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const long long kv_head = a.first_block + blockIdx.x, group = a.heads / a.kv_heads;
  const T* gK = K + kv_head * a.n_kv * d;  // (n_kv, d) global
  const T* gV = V + kv_head * a.n_kv * d;  // (n_kv, d) global
  T* gdK = dK + kv_head * a.n_kv * d;      // (n_kv, d) global
  T* gdV = dV + kv_head * a.n_kv * d;      // (n_kv, d) global

  float* sP = (float*)block_shared_memory();  // (Br, Bc) shared: scores, then P in the same place
  float* sdS = sP + Br * Bc;                  // (Br, Bc) shared: dP, then dS in the same place
  float* sdQ = sdS + Br * Bc;                 // (Br, d)  shared
  float* sdK = sdQ + Br * d;                  // (Bc, d)  shared: so far, not yet times g
  float* sdV = sdK + Bc * d;                  // (Bc, d)  shared: so far
  float* sM = sdV + Bc * d;                   // (Br)     shared
  float* sSum = sM + Br;                      // (Br)     shared
  float* sD = sSum + Br;                      // (Br)     shared
  T* sQ = (T*)(sD + Br);                      // (Br, d)  shared
  T* sO = sQ + Br * d;                        // (Br, d)  shared
  T* sdO = sO + Br * d;                       // (Br, d)  shared
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
      const T* gO = O + first_row * d;        // (rows, d) global
      const T* gdO = dO + first_row * d;      // (rows, d) global
      const float* gM = M + first_row;        // (rows)    global
      const float* gSum = Sum + first_row;    // (rows)    global
      float* gdQ = dQSum + first_row * d;     // (rows, d) global, fp32

      const long long visits_before = kTraced ? trace.visits_before[kv_tile] : 0;
      GradientRecorder record(a, trace, (kv_head * trace.visits_per_head + visits_before) * group + visit, cols);

      __syncthreads();  // refill after use: every thread is done with the last visit's rows and sdS

      // [LoadRows] O is loaded again at every visit, with dQ so far. Each thread reads the elements of dQ that it
      // wrote itself.
      for (int e = first; e < rows * d; e += stride) {
        sQ[e] = gQ[e];
        sO[e] = gO[e];
        sdO[e] = gdO[e];
        sdQ[e] = gdQ[e];
      }
      for (int row = first; row < rows; row += stride) {
        sM[row] = gM[row];
        sSum[row] = gSum[row];
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
        // [Exponentiate] Against the max of the whole row, so no value exceeds 1. A masked score gives exactly 0.
        const float power = s == minus_infinity() ? 0.0f : exp2f_exact(s - sM[row]);
        // [Divide] P = 2^(S - m) / l: the complete weight. A row that sees no key has l = 0 and P = 0.
        const float p = sSum[row] == 0.0f ? 0.0f : power / sSum[row];
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
        sdS[e] = dp;
        if constexpr (kTraced) record.dp(row, col, dp);
      }

      // [RowDot] D of the visit's rows, from 0, x increasing: the same D at every visit of these rows.
      for (int row = first; row < rows; row += stride) {
        float dot = 0.0f;
        for (int x = 0; x < d; ++x) dot = fma32(to_float(sdO[row * d + x]), to_float(sO[row * d + x]), dot);
        sD[row] = dot;
      }
      __syncthreads();  // elements after rows: all threads read D of any row

      // [GradS] dS = P (dP - D): the gradient of softmax. Each thread uses the dP that it computed.
      for (int e = first; e < rows * cols; e += stride) {
        const float ds = sP[e] * (sdS[e] - sD[e / cols]);
        sdS[e] = ds;
        if constexpr (kTraced) record.ds(e / cols, e % cols, ds);
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
__global__ void backward_v1_scale(Attention a, float g, const float* dQSum, T* dQ) {
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
