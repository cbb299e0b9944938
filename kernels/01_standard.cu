// Standard attention, forward: softmax(scale Q K^T + mask) V as frameworks without fusion do it, in three launches.
//
// Idea       Write all scores S to HBM, read them back row by row to turn them into weights P, write P to HBM, read it
//            back to multiply by V. Nothing needs rescaling, since each row of S is complete before its max is taken.
// Changed    The first rung: nothing before it.
// Launch     scores and output: one thread block per (Q tile, head, batch). softmax: one per row of S. Any number of
//            threads; each element is computed by one thread in one fixed order.
// Shared     scores  e (Br d + Bc d) + 4 Br Bc bytes, e = 4 for fp32, 2 for fp16 and bf16
//            softmax 4 N_kv + 8 where a row of S fits on chip, else 4 min(Bc, N_kv) + 8
//            output  4 Br d + e (Br Bc + Bc d); where a row did not fit 4 (Br d + Br Bc + Br) + e Bc d
// Arithmetic kernels/README.md. fp32, scores in log2 units, no fused multiply-add except where fma32 is written.
// Types      T of Q, K, V, P and O. Score of S in HBM: fp32, or T with narrow scores, as vendors' products write them.
//            A score is rounded as it is stored; on chip S is fp32.
// Watch      S and P crossing between HBM and SRAM: four transfers of N_q N_kv elements. Beside them Q, K, V and O are
//            small. Masked tiles are computed like any other.
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

// The trace row of a visit: this schedule visits every tile.
__device__ inline long long standard_visit(const Attention& a, const QTilePlace& at, long long visit) {
  return (at.q_head * a.q_tiles + at.q_tile) * a.kv_tiles + visit;
}

// Pass 1: S = c Q K^T, masked, to HBM. Q stays on chip for a row of tiles; K is loaded again at every visit.
template <class T, class Score, bool kTraced>
__global__ void standard_scores(Attention a, const T* Q, const T* K, void* S, TraceBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const QTilePlace at = q_tile_of_block(a);
  const KvTiles tiles = all_kv_tiles(a);
  const T* gQ = Q + (at.q_head * a.n_q + at.first_row) * d;             // (rows, d)    global
  const T* gK = K + at.kv_head * a.n_kv * d;                            // (n_kv, d)    global
  Score* gS = (Score*)S + (at.q_head * a.n_q + at.first_row) * a.n_kv;  // (rows, n_kv) global

  float* sS = (float*)block_shared_memory();  // (Br, Bc) shared
  T* sQ = (T*)(sS + Br * Bc);                 // (Br, d)  shared
  T* sK = sQ + Br * d;                        // (d, Bc)  shared, transposed: adjacent threads read adjacent words

  const int rows = at.rows;
  const int first = threadIdx.x, stride = blockDim.x;

  // [LoadQ] The Q tile stays for the whole walk.
  for (int e = first; e < rows * d; e += stride) sQ[e] = gQ[e];

  for (long long visit = 0; visit < tiles.count(); ++visit) {
    const long long kv_tile = tiles.of_visit(visit, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);
    VisitRecorder record(a, trace, standard_visit(a, at, visit));

    // [LoadK]
    for (int e = first; e < cols * d; e += stride) sK[(e % d) * cols + e / d] = gK[first_col * d + e];
    __syncthreads();  // use after fill: scores read sQ and sK that other threads loaded

    // [Scores] One dot product an element, x increasing, then one multiplication into log2 units.
    for (int e = first; e < rows * cols; e += stride) {
      const int row = e / cols, col = e % cols;
      float acc = 0.0f;
      for (int x = 0; x < d; ++x) acc = fma32(to_float(sQ[row * d + x]), to_float(sK[x * cols + col]), acc);
      sS[e] = acc * a.c;
      // [Mask] A masked score counts as -inf.
      if (!visible(a, at.first_row + row, first_col + col)) sS[e] = minus_infinity();
    }
    // [StoreS] Each thread stores the scores that it computed, so no barrier is needed. A score is recorded as stored.
    for (int e = first; e < rows * cols; e += stride) {
      const int row = e / cols, col = e % cols;
      gS[row * a.n_kv + first_col + col] = from_float<Score>(sS[e]);
      if constexpr (kTraced) record.score(row, col, rounded_to<Score>(sS[e]));
    }
    __syncthreads();  // refill after use: every thread is done with this visit's sK
  }
}

// Pass 2: each row of S becomes a row of P. One thread block a row, so m and l belong to the block, and one thread
// takes the max and the sum: their order is part of the contract.
// Where a row does not fit on chip it passes through in pieces, twice, and what is stored is e = 2^(S - m), in fp32 and
// not yet divided, with the sum beside it: dividing here would take a third reading. M and Sum may be null.
template <class T, class Score, bool kRowFits>
__global__ void standard_softmax(Attention a, const void* S, void* P, float* M, float* Sum) {
  const long long index = a.first_block + blockIdx.x;  // of the row, over all heads
  const Score* gS = (const Score*)S + index * a.n_kv;  // (n_kv) global
  T* gP = (T*)P + (kRowFits ? index * a.n_kv : 0);     // (n_kv) global
  float* gE = (float*)P + index * a.n_kv;              // (n_kv) global: in place of gP where a row does not fit
  const long long chunk = kRowFits ? a.n_kv : a.bc;    // columns of a row of S that are on chip at a time

  float* sS = (float*)block_shared_memory();  // (chunk) shared: scores, then exponentials
  float* sM = sS + chunk;                     // (1)     shared
  float* sSum = sM + 1;                       // (1)     shared

  const int first = threadIdx.x, stride = blockDim.x;
  if (first == 0) {
    *sM = minus_infinity();
    *sSum = 0.0f;
  }

  for (long long begin = 0; begin < a.n_kv; begin += chunk) {
    const long long cols = a.n_kv - begin < chunk ? a.n_kv - begin : chunk;
    // [LoadS] The row, or the next piece of it.
    for (long long col = first; col < cols; col += stride) sS[col] = to_float(gS[begin + col]);
    __syncthreads();  // use after fill: one thread reads the elements that all threads loaded
    // [RowMax] Columns increasing; of equal values the first is kept.
    if (first == 0) {
      float m = *sM;
      for (long long col = 0; col < cols; ++col) m = sS[col] > m ? sS[col] : m;
      *sM = m;
    }
    __syncthreads();  // all threads read m; and a next piece must not overwrite this one before it was read
  }

  for (long long begin = 0; begin < a.n_kv; begin += chunk) {
    const long long cols = a.n_kv - begin < chunk ? a.n_kv - begin : chunk;
    // [LoadSAgain] Only where the row did not fit: its pieces were overwritten.
    if constexpr (!kRowFits) {
      for (long long col = first; col < cols; col += stride) sS[col] = to_float(gS[begin + col]);
    }
    // [Exponentiate] Each thread on the scores that it loaded. A masked score gives exactly 0.
    for (long long col = first; col < cols; col += stride) {
      sS[col] = sS[col] == minus_infinity() ? 0.0f : exp2f_exact(sS[col] - *sM);
    }
    __syncthreads();  // use after fill: one thread adds the values that all threads computed
    // [RowSum] From 0, columns increasing.
    if (first == 0) {
      float l = *sSum;
      for (long long col = 0; col < cols; ++col) l = l + sS[col];
      *sSum = l;
    }
    __syncthreads();  // all threads read l; and a next piece must not overwrite this one before it was added
    // [Divide, StoreP] A row that sees no key has l = 0 and P = 0.
    for (long long col = first; col < cols; col += stride) {
      if constexpr (kRowFits) {
        gP[begin + col] = from_float<T>(*sSum == 0.0f ? 0.0f : sS[col] / *sSum);
      } else {
        gE[begin + col] = sS[col];
      }
    }
  }
  if (first == 0 && Sum != nullptr) Sum[index] = *sSum;
  // The max is written to HBM only when it is recorded.
  if (first == 0 && M != nullptr) M[index] = *sM;
}

// Pass 3: O = P V. O stays on chip for a row of tiles; V and P are loaded at every visit. Sum is read where a row did
// not fit, M and Sum where they are recorded.
template <class T, bool kRowFits, bool kTraced>
__global__ void standard_output(Attention a, const void* P, const T* V, const float* M, const float* Sum, T* O,
                                TraceBuffers trace) {
  const int d = a.d, Br = a.br, Bc = a.bc;
  const QTilePlace at = q_tile_of_block(a);
  const KvTiles tiles = all_kv_tiles(a);
  const long long first_row = at.q_head * a.n_q + at.first_row;
  const T* gP = (const T*)P + (kRowFits ? first_row * a.n_kv : 0);  // (rows, n_kv) global
  const float* gE = (const float*)P + first_row * a.n_kv;           // (rows, n_kv) global: where a row does not fit
  const T* gV = V + at.kv_head * a.n_kv * d;                        // (n_kv, d)    global
  T* gO = O + first_row * d;                                        // (rows, d)    global

  float* sO = (float*)block_shared_memory();       // (Br, d)  shared
  float* sSum = sO + Br * d;                       // (Br)     shared, only where a row does not fit
  float* sE = sSum + Br;                           // (Br, Bc) shared, likewise: e, then P
  T* sP = (T*)sSum;                                // (Br, Bc) shared, where a row fits
  T* sV = kRowFits ? sP + Br * Bc : (T*)(sE + Br * Bc);  // (Bc, d) shared

  const int rows = at.rows;
  const int first = threadIdx.x, stride = blockDim.x;

  for (int e = first; e < rows * d; e += stride) sO[e] = 0.0f;
  // [LoadL] Only where a row did not fit: the sums by which its e must still be divided.
  if constexpr (!kRowFits) {
    for (int row = first; row < rows; row += stride) sSum[row] = Sum[first_row + row];
  }

  for (long long visit = 0; visit < tiles.count(); ++visit) {
    const long long kv_tile = tiles.of_visit(visit, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);
    VisitRecorder record(a, trace, standard_visit(a, at, visit));

    // [LoadPV]
    for (int e = first; e < cols * d; e += stride) sV[e] = gV[first_col * d + e];
    for (int e = first; e < rows * cols; e += stride) {
      const long long from = (e / cols) * a.n_kv + first_col + e % cols;
      if constexpr (kRowFits) sP[e] = gP[from];
      else sE[e] = gE[from];
    }
    __syncthreads();  // use after fill: products read sV, sP and sSum that other threads loaded

    // [Divide] Only where a row did not fit: the same division, after the load. A row that sees no key has P = 0.
    if constexpr (!kRowFits) {
      for (int e = first; e < rows * cols; e += stride) {
        const float l = sSum[e / cols];
        sE[e] = rounded_to<T>(l == 0.0f ? 0.0f : sE[e] / l);
      }
      __syncthreads();  // use after fill: products read all of a row of P
    }

    // [Accumulate] O += P V, columns increasing. Masked columns are included with P = 0.
    for (int e = first; e < rows * d; e += stride) {
      const int row = e / d, x = e % d;
      float o = sO[e];
      for (int col = 0; col < cols; ++col) {
        const float p = kRowFits ? to_float(sP[row * cols + col]) : sE[row * cols + col];
        o = fma32(p, to_float(sV[col * d + x]), o);
      }
      sO[e] = o;
      if constexpr (kTraced) record.o(row, x, o);
    }
    if constexpr (kTraced) {
      for (int e = first; e < rows * cols; e += stride) {
        record.weight(e / cols, e % cols, kRowFits ? to_float(sP[e]) : sE[e]);
      }
      for (int row = first; row < rows; row += stride) {
        record.m(row, M[first_row + row]);
        record.l(row, Sum[first_row + row]);
      }
      record.finish();
    }
    __syncthreads();  // refill after use: every thread is done with this visit's sV and P
  }

  // [Store] O is written to HBM once, rounded once. Each thread stores the elements that it summed.
  for (int e = first; e < rows * d; e += stride) gO[e] = from_float<T>(sO[e]);
}

}  // namespace tilewalk::TILEWALK_SIDE
