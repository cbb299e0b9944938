// FlashAttention-4's conditional rescale, forward: follow the max only when it has grown by more than a threshold.
//
// Idea       A row's sums need not be relative to its largest score, only to one number for the whole row. A max that
//            lags by up to tau gives weights of up to 2^tau, which fp32 represents easily, and the division at the end
//            cancels the factor. So while the max rises slowly, O is not rescaled: exact as before, with fewer
//            multiplications.
// Changed    Since 03_flash_v2.cu: a row keeps its old max unless the new one beats it by more than tau (8, in log2
//            units, as published). Then alpha is exactly 1 and the row's O is not touched.
// Launch     One thread block per (Q tile, head, batch). Any number of threads: the work is divided by strides, and
//            each element is computed by one thread in one fixed order, so the bits do not depend on that number.
// Shared     4 (Br Bc + Br d + 3 Br) + e (Br d + 2 Bc d) bytes, e = 4 for fp32, 2 for fp16 and bf16.
// Arithmetic kernels/README.md. fp32, scores in log2 units, no fused multiply-add except where fma32 is written.
// Watch      How many rows rescale after their first tile: with tau = 8 hardly any. P may be above 1, and m is the
//            number that a row's sums are relative to, no longer its largest score.
//
// A tag such as [RowMax] names the schedule's phase that the lines below it carry out.
#include "kernels/common/attention.h"
#include "kernels/common/device.h"
#include "kernels/common/element.h"
#include "kernels/common/record.h"
#include "kernels/common/tiles.h"
#include "kernels/common/trace_buffers.h"

namespace tilewalk::TILEWALK_SIDE {

using exact::exp2f_exact;
using exact::fma32;
using exact::log2f_exact;

template <class T, bool kTraced>
__global__ void flash_v4(Attention a, float threshold, const T* Q, const T* K, const T* V, T* O, float* Lse,
                         TraceBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const QTilePlace at = q_tile_of_block(a);
  const KvTiles tiles = visible_kv_tiles(a, at);
  const T* gQ = Q + (at.q_head * a.n_q + at.first_row) * d;  // (rows, d) global
  const T* gK = K + at.kv_head * a.n_kv * d;                 // (n_kv, d) global
  const T* gV = V + at.kv_head * a.n_kv * d;                 // (n_kv, d) global
  T* gO = O + (at.q_head * a.n_q + at.first_row) * d;        // (rows, d) global
  float* gLse = Lse + at.q_head * a.n_q + at.first_row;      // (rows)    global

  float* sS = (float*)block_shared_memory();  // (Br, Bc) shared: scores, then P in the same place
  float* sO = sS + Br * Bc;                   // (Br, d)  shared: not divided by l until the end
  float* sM = sO + Br * d;                    // (Br)     shared: running max
  float* sSum = sM + Br;                      // (Br)     shared: running sum
  float* sAlpha = sSum + Br;                  // (Br)     shared: this visit's rescale factor
  T* sQ = (T*)(sAlpha + Br);                  // (Br, d)  shared
  T* sK = sQ + Br * d;                        // (d, Bc)  shared, transposed: adjacent threads read adjacent words
  T* sV = sK + Bc * d;                        // (Bc, d)  shared

  const int rows = at.rows;
  const int first = threadIdx.x, stride = blockDim.x;

  // [LoadQ] The Q tile stays for the whole walk. m starts at -inf so that any score beats it.
  for (int e = first; e < rows * d; e += stride) {
    sQ[e] = gQ[e];
    sO[e] = 0.0f;
  }
  for (int row = first; row < rows; row += stride) {
    sM[row] = minus_infinity();
    sSum[row] = 0.0f;
  }

  for (long long visit = 0; visit < tiles.count(); ++visit) {
    const long long kv_tile = tiles.of_visit(visit, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);

    __syncthreads();  // refill after use: every thread is done with the last visit's sK, sV and sS

    // [LoadKV] K and V of this tile, each element read from HBM once.
    for (int e = first; e < cols * d; e += stride) {
      sK[(e % d) * cols + e / d] = gK[first_col * d + e];
      sV[e] = gV[first_col * d + e];
    }
    __syncthreads();  // use after fill: scores read sQ and sK, later sV, that other threads loaded

    // [Scores] One dot product an element, x increasing, then one multiplication into log2 units.
    for (int e = first; e < rows * cols; e += stride) {
      const int row = e / cols, col = e % cols;
      float acc = 0.0f;
      for (int x = 0; x < d; ++x) acc = fma32(to_float(sQ[row * d + x]), to_float(sK[x * cols + col]), acc);
      sS[e] = acc * a.c;
      // [Mask] A masked score counts as -inf: its P is 0, and every later sum includes it with that value.
      if (!visible(a, at.first_row + row, first_col + col)) sS[e] = minus_infinity();
    }
    __syncthreads();  // rows after elements: a row's thread reads scores that other threads wrote

    // [RowMax] The largest of the kept max and this tile's scores, columns increasing; of equal values the first wins.
    for (int row = first; row < rows; row += stride) {
      const float m_old = sM[row];
      float m = m_old;
      for (int col = 0; col < cols; ++col) {
        const float s = sS[row * cols + col];
        m = s > m ? s : m;
      }
      // A max that grew by no more than the threshold is not followed. The first max of a row always is.
      if (m_old != minus_infinity() && !(m - m_old > threshold)) m = m_old;
      sM[row] = m;
      // [Rescale] What was summed against m_old is now measured against m: alpha is exactly 1 where m stayed. A row
      // that saw nothing yet has nothing to rescale, and -inf minus -inf would be NaN.
      sAlpha[row] = m_old == minus_infinity() ? 0.0f : exp2f_exact(m_old - m);
    }
    __syncthreads();  // elements after rows: all threads read the new m and alpha of any row

    const long long visit_of_head = kTraced ? trace.visits_before[at.q_tile] + visit : 0;
    VisitRecorder record(a, trace, at.q_head * trace.visits_per_head + visit_of_head);

    // [Rescale] Only rows whose max was followed.
    for (int e = first; e < rows * d; e += stride) {
      if (sAlpha[e / d] != 1.0f) sO[e] = sO[e] * sAlpha[e / d];
    }

    // [Exponentiate] P = 2^(S - m) over S, at most 2^threshold. A masked score gives exactly 0, even in a row whose m
    // is still -inf.
    for (int e = first; e < rows * cols; e += stride) {
      const int row = e / cols;
      const float s = sS[e];
      const float p = s == minus_infinity() ? 0.0f : exp2f_exact(s - sM[row]);
      sS[e] = p;
      if constexpr (kTraced) {
        record.score(row, e % cols, s);
        record.weight(row, e % cols, p);
      }
    }
    __syncthreads();  // rows after elements: sums and products read all of a row of P

    // [RowSum] The tile's sum from 0, columns increasing, is added to the running sum in one fused operation.
    for (int row = first; row < rows; row += stride) {
      float r = 0.0f;
      for (int col = 0; col < cols; ++col) r = r + sS[row * cols + col];
      sSum[row] = fma32(sSum[row], sAlpha[row], r);
      if constexpr (kTraced) {
        record.m(row, sM[row]);
        record.l(row, sSum[row]);
        record.alpha(row, sAlpha[row]);
      }
    }

    // [Accumulate] O += P V, columns increasing. P is rounded to the storage type here and not for l, as tensor-core
    // kernels must. Each thread adds to the elements of O that it rescaled, so no barrier is needed.
    for (int e = first; e < rows * d; e += stride) {
      const int row = e / d, x = e % d;
      float o = sO[e];
      for (int col = 0; col < cols; ++col) {
        o = fma32(rounded_to<T>(sS[row * cols + col]), to_float(sV[col * d + x]), o);
      }
      sO[e] = o;
      if constexpr (kTraced) record.o(row, x, o);
    }
    if constexpr (kTraced) record.finish();
  }
  __syncthreads();  // elements after rows: the division reads each row's last m and l

  // [Normalise] The one division. A row that saw no key has l = 0: its O is 0 and its L is +inf, so that a merge with
  // other keys gives it no weight.
  for (int e = first; e < rows * d; e += stride) sO[e] = sSum[e / d] == 0.0f ? 0.0f : sO[e] / sSum[e / d];
  // [Store] O is written to HBM once, rounded once; a backward pass or a merge needs L = m + log2 l.
  for (int e = first; e < rows * d; e += stride) gO[e] = from_float<T>(sO[e]);
  for (int row = first; row < rows; row += stride) {
    gLse[row] = sSum[row] == 0.0f ? plus_infinity() : sM[row] + log2f_exact(sSum[row]);
  }
}

}  // namespace tilewalk::TILEWALK_SIDE
