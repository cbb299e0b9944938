// FlashAttention-1, forward: the first attention that never stores the scores (arXiv 2205.14135, Algorithm 1).
//
// Idea       A softmax over a long row can be computed from softmaxes over its parts: each part has its own max and
//            its own sum, and two parts are combined relative to the larger max. So S and P stay on chip.
// Changed    Since 01_standard.cu: scores are computed, used and discarded inside one visit, and tiles that the mask
//            hides entirely are never loaded. KV tiles are outside and loaded once; for each, all Q tiles are visited,
//            and O, m and l of every Q tile are read from HBM and written back at every visit. O is divided by l every
//            time.
// Launch     initialise and round: one thread block per (Q tile, head, batch). The walk: one per (head, batch), since
//            the visits of a Q tile must come one after another. Any number of threads; each element is computed by one
//            thread in one fixed order.
// Shared     walk  4 (Br Bc + Br d + 5 Br) + e (Br d + 2 Bc d) bytes, e = 4 for fp32, 2 for fp16 and bf16.
//            round 4 Br d. initialise none.
// Arithmetic kernels/README.md. fp32, scores in log2 units, no fused multiply-add except where fma32 is written.
// Watch      How often O crosses between HBM and SRAM, and that a GPU with more processors than heads leaves some idle.
//
// A tag such as [RowMax] names the schedule's phase that the lines below it carry out.
#include "kernels/common/attention.h"
#include "kernels/common/device.h"
#include "kernels/common/element.h"
#include "kernels/common/q_tiles.h"
#include "kernels/common/record.h"
#include "kernels/common/tiles.h"
#include "kernels/common/trace_buffers.h"

namespace tilewalk::TILEWALK_SIDE {

using exact::exp2f_exact;
using exact::fma32;

// Launch 1: the initial values of every Q tile. m starts at -inf so that any score beats it. OSum is O between visits,
// in fp32: O itself where that is the storage type.
__global__ void flash_v1_initialise(Attention a, float* OSum, float* M, float* Sum) {
  const QTilePlace at = q_tile_of_block(a);
  const long long first_row = at.q_head * a.n_q + at.first_row;
  const int first = threadIdx.x, stride = blockDim.x;

  // [Initialise]
  for (int e = first; e < at.rows * a.d; e += stride) OSum[first_row * a.d + e] = 0.0f;
  for (int row = first; row < at.rows; row += stride) {
    M[first_row + row] = minus_infinity();
    Sum[first_row + row] = 0.0f;
  }
}

// Launch 2: the walk of one head.
template <class T, bool kTraced>
__global__ void flash_v1_walk(Attention a, const T* Q, const T* K, const T* V, float* OSum, float* M, float* Sum,
                              TraceBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const long long q_head = a.first_block + blockIdx.x;  // of (batch, head) among query heads
  const long long kv_head = q_head / a.heads * a.kv_heads + q_head % a.heads / (a.heads / a.kv_heads);
  const T* gQ = Q + q_head * a.n_q * d;    // (n_q, d)  global
  const T* gK = K + kv_head * a.n_kv * d;  // (n_kv, d) global
  const T* gV = V + kv_head * a.n_kv * d;  // (n_kv, d) global
  float* gO = OSum + q_head * a.n_q * d;   // (n_q, d)  global, fp32
  float* gM = M + q_head * a.n_q;          // (n_q)     global
  float* gSum = Sum + q_head * a.n_q;      // (n_q)     global

  float* sS = (float*)block_shared_memory();  // (Br, Bc) shared: scores, then P in the same place
  float* sO = sS + Br * Bc;                   // (Br, d)  shared
  float* sM = sO + Br * d;                    // (Br)     shared: max so far
  float* sSum = sM + Br;                      // (Br)     shared: sum so far
  float* sTileMax = sSum + Br;                // (Br)     shared: of this tile alone
  float* sOld = sTileMax + Br;                // (Br)     shared: weight of the previous O, l alpha
  float* sBeta = sOld + Br;                   // (Br)     shared: weight of this tile's part
  T* sQ = (T*)(sBeta + Br);                   // (Br, d)  shared
  T* sK = sQ + Br * d;                        // (d, Bc)  shared, transposed: adjacent threads read adjacent words
  T* sV = sK + Bc * d;                        // (Bc, d)  shared

  const int first = threadIdx.x, stride = blockDim.x;
  const KvTiles all = all_kv_tiles(a);

  for (long long place = 0; place < all.count(); ++place) {
    const long long kv_tile = all.of_visit(place, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);
    const QTiles q_tiles = q_tiles_seeing(a, kv_tile);
    if (q_tiles.begin == q_tiles.end) continue;  // no row sees this tile: it is not loaded

    // [LoadKV] K and V of this tile stay on chip while all Q tiles are visited.
    for (int e = first; e < cols * d; e += stride) {
      sK[(e % d) * cols + e / d] = gK[first_col * d + e];
      sV[e] = gV[first_col * d + e];
    }

    for (long long q_tile = q_tiles.begin; q_tile < q_tiles.end; ++q_tile) {
      const long long first_row = q_tile * Br;
      const int rows = q_tile_rows(a, q_tile);
      const long long visit_of_head = kTraced ? trace.visits_before[kv_tile] + (q_tile - q_tiles.begin) : 0;
      VisitRecorder record(a, trace, q_head * trace.visits_per_head + visit_of_head);

      // [LoadQ] Q, and the O, m and l that the last visit of this Q tile wrote to HBM.
      for (int e = first; e < rows * d; e += stride) {
        sQ[e] = gQ[first_row * d + e];
        sO[e] = gO[first_row * d + e];
      }
      for (int row = first; row < rows; row += stride) {
        sM[row] = gM[first_row + row];
        sSum[row] = gSum[first_row + row];
      }
      __syncthreads();  // use after fill: scores read sQ and sK, later sV, that other threads loaded

      // [Scores] One dot product an element, x increasing, then one multiplication into log2 units.
      for (int e = first; e < rows * cols; e += stride) {
        const int row = e / cols, col = e % cols;
        float acc = 0.0f;
        for (int x = 0; x < d; ++x) acc = fma32(to_float(sQ[row * d + x]), to_float(sK[x * cols + col]), acc);
        sS[e] = acc * a.c;
        // [Mask] A masked score counts as -inf: its P is 0, and every later sum includes it with that value.
        if (!visible(a, first_row + row, first_col + col)) sS[e] = minus_infinity();
      }
      __syncthreads();  // rows after elements: a row's thread reads scores that other threads wrote

      // [RowMax] Of this tile alone, columns increasing; of equal values the first is kept.
      for (int row = first; row < rows; row += stride) {
        float m = minus_infinity();
        for (int col = 0; col < cols; ++col) {
          const float s = sS[row * cols + col];
          m = s > m ? s : m;
        }
        sTileMax[row] = m;
      }
      __syncthreads();  // elements after rows: all threads read the tile's max of any row

      // [Exponentiate] P = 2^(S - m) over S, against the tile's own max. A masked score gives exactly 0.
      for (int e = first; e < rows * cols; e += stride) {
        const int row = e / cols;
        const float s = sS[e];
        const float p = s == minus_infinity() ? 0.0f : exp2f_exact(s - sTileMax[row]);
        sS[e] = p;
        if constexpr (kTraced) {
          record.score(row, e % cols, s);
          record.weight(row, e % cols, p);
        }
      }
      __syncthreads();  // rows after elements: sums and products read all of a row of P

      for (int row = first; row < rows; row += stride) {
        // [RowSum] Of this tile alone, from 0, columns increasing.
        float tile_sum = 0.0f;
        for (int col = 0; col < cols; ++col) tile_sum = tile_sum + sS[row * cols + col];
        // [Rescale] Both parts, what was there and this tile, are now measured against the larger max. A part that saw
        // nothing has nothing to rescale, and -inf minus -inf would be NaN.
        const float m_old = sM[row], tile_max = sTileMax[row];
        const float m = tile_max > m_old ? tile_max : m_old;
        const float alpha = m_old == minus_infinity() ? 0.0f : exp2f_exact(m_old - m);
        const float beta = tile_max == minus_infinity() ? 0.0f : exp2f_exact(tile_max - m);
        sOld[row] = sSum[row] * alpha;
        sBeta[row] = beta;
        sSum[row] = fma32(alpha, sSum[row], beta * tile_sum);
        sM[row] = m;
        if constexpr (kTraced) {
          record.m(row, m);
          record.l(row, sSum[row]);
          record.alpha(row, alpha);
        }
        // [Store] m and l are written back at once.
        gM[first_row + row] = m;
        gSum[first_row + row] = sSum[row];
      }
      __syncthreads();  // elements after rows: all threads read both weights and the new l of any row

      for (int e = first; e < rows * d; e += stride) {
        const int row = e / d, x = e % d;
        // [Accumulate] This tile's P V, from 0, columns increasing. P is rounded to the storage type here and not for
        // l.
        float w = 0.0f;
        for (int col = 0; col < cols; ++col) {
          w = fma32(rounded_to<T>(sS[row * cols + col]), to_float(sV[col * d + x]), w);
        }
        // [Normalise] The old O times its weight plus the tile's part, divided by the new sum: O is an average again
        // after every visit. A row that has seen no key has l = 0 and O = 0.
        const float l = sSum[row];
        const float o = l == 0.0f ? 0.0f : fma32(sOld[row], sO[e], sBeta[row] * w) / l;
        if constexpr (kTraced) record.o(row, x, o);
        // [Store] O is written to HBM, and read again for the next KV tile.
        gO[first_row * d + e] = o;
      }
      if constexpr (kTraced) record.finish();
      __syncthreads();  // refill after use: every thread is done with this visit's sV, sSum and weights
    }
  }
}

// Launch 3, only where the storage type has 16 bits: the complete O is rounded, once.
template <class T>
__global__ void flash_v1_round(Attention a, const float* OSum, T* O) {
  const QTilePlace at = q_tile_of_block(a);
  const long long first_element = (at.q_head * a.n_q + at.first_row) * a.d;
  const float* gOSum = OSum + first_element;  // (rows, d) global, fp32
  T* gO = O + first_element;                  // (rows, d) global

  float* sO = (float*)block_shared_memory();  // (Br, d) shared

  const int first = threadIdx.x, stride = blockDim.x;
  // [LoadO]
  for (int e = first; e < at.rows * a.d; e += stride) sO[e] = gOSum[e];
  // [Store] Each thread stores the elements that it loaded, so no barrier is needed.
  for (int e = first; e < at.rows * a.d; e += stride) gO[e] = from_float<T>(sO[e]);
}

}  // namespace tilewalk::TILEWALK_SIDE
