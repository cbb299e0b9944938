// FlashAttention-3, forward: the same numbers as 03_flash_v2.cu, computed by threads with different roles.
//
// Idea       Loading and computing wait for each other only if the same threads do both. Give some threads nothing but
//            loading: they keep a circular buffer of `stages` tiles filled, K and V in turn, while the others compute
//            on tiles that are already there. The computing threads are two groups, each with half the rows of the Q
//            tile.
// Changed    Since 03_flash_v2.cu: three roles, by thread index; K and V are single tiles in a circular buffer and
//            are loaded up to `stages` - 1 tiles ahead.
// Not here   The released kernel loads with TMA, says "full" and "empty" for each slot with an mbarrier of its own, so
//            that no warp waits for more than its current tile, multiplies with asynchronous wgmma out of registers,
//            lets the two groups take turns at the tensor cores, and runs P V of one tile beside the next tile's
//            softmax. This file has the same roles and buffer, but every thread waits at block-wide barriers, so
//            that it runs on any GPU and its order is fixed. The modelled timeline shows which
//            warp of the real kernel waits for which.
// Launch     One thread block per (Q tile, head, batch). Any number of threads: with fewer than three, each has every
//            role. Each element is computed by one thread in one fixed order, whichever thread it is.
// Shared     4 (Br Bc + Br d + 3 Br) + e (Br d + stages Bc d) bytes, e = 4 for fp32, 2 for fp16 and bf16. S, P, O, m
//            and l live in the consumers' registers in the released kernel.
// Arithmetic kernels/README.md. That of flash_v2, operation by operation.
// Watch      The slot that a producer fills is never the one that consumers read.
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

// What one thread does: a producer has no rows, a consumer no loads. `first` and `stride` are within its own group.
struct WarpRole {
  bool loads;
  int first_row, end_row;
  int first, stride;
};

// Two groups of consumers of three eighths of the threads each, whole warps where there are enough; the rest load.
__device__ inline WarpRole role_of(int thread, int threads, int rows) {
  if (threads < 3) return {true, 0, rows, thread, threads};
  int group = threads * 3 / 8;
  if (group >= 32) group = group / 32 * 32;
  const int half = (rows + 1) / 2;
  if (thread < group) return {false, 0, half, thread, group};
  if (thread < 2 * group) return {false, half, rows, thread - group, group};
  return {true, 0, 0, thread - 2 * group, threads - 2 * group};
}

template <class T, bool kTraced>
__global__ void flash_v3(Attention a, int stages, const T* Q, const T* K, const T* V, T* O, float* Lse,
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
  T* sRing = sQ + Br * d;                     // (stages, Bc d) shared: K as (d, Bc), transposed, or V as (Bc, d)

  const int rows = at.rows;
  const WarpRole role = role_of(threadIdx.x, blockDim.x, rows);
  const int first = role.first, stride = role.stride;

  // [LoadKV] Tile number t is K of visit t / 2 where t is even and V where it is odd; it lies in slot t % stages.
  const auto load = [&](long long t) {
    if (!role.loads || t >= 2 * tiles.count()) return;
    const long long kv_tile = tiles.of_visit(t / 2, a.reverse);
    const int cols = kv_tile_cols(a, kv_tile);
    T* slot = sRing + t % stages * Bc * d;
    const T* from = (t % 2 == 0 ? gK : gV) + kv_tile * Bc * d;
    for (int e = first; e < cols * d; e += stride) slot[t % 2 == 0 ? (e % d) * cols + e / d : e] = from[e];
  };

  // The buffer starts with one free slot, which the first step fills.
  for (long long t = 0; t < stages - 1; ++t) load(t);

  // [LoadQ] Each consumer loads rows of its own half. m starts at -inf so that any score beats it.
  for (int e = role.first_row * d + first; e < role.end_row * d; e += stride) {
    sQ[e] = gQ[e];
    sO[e] = 0.0f;
  }
  for (int row = role.first_row + first; row < role.end_row; row += stride) {
    sM[row] = minus_infinity();
    sSum[row] = 0.0f;
  }
  __syncthreads();  // use after fill: consumers read the tiles, Q and l that other threads wrote

  for (long long visit = 0; visit < tiles.count(); ++visit) {
    const long long kv_tile = tiles.of_visit(visit, a.reverse);
    const long long first_col = kv_tile * Bc;
    const int cols = kv_tile_cols(a, kv_tile);
    const T* sK = sRing + (2 * visit) % stages * Bc * d;
    const T* sV = sRing + (2 * visit + 1) % stages * Bc * d;

    // Producers fill the slot of the last visit's V. A buffer of one stage has no free slot to fill ahead.
    load(2 * visit + stages - 1);
    if (stages == 1) __syncthreads();  // use after fill: this visit's K was loaded just now

    // [Scores] One dot product an element, x increasing, then one multiplication into log2 units.
    for (int e = role.first_row * cols + first; e < role.end_row * cols; e += stride) {
      const int row = e / cols, col = e % cols;
      float acc = 0.0f;
      for (int x = 0; x < d; ++x) acc = fma32(to_float(sQ[row * d + x]), to_float(sK[x * cols + col]), acc);
      sS[e] = acc * a.c;
      // [Mask] A masked score counts as -inf: its P is 0, and every later sum includes it with that value.
      if (!visible(a, at.first_row + row, first_col + col)) sS[e] = minus_infinity();
    }
    __syncthreads();  // rows after elements: a row's thread reads scores that other threads wrote

    // This visit's K has been read: producers fill its slot with the tile after those already loaded.
    load(2 * visit + stages);

    // [RowMax] The running max over this tile, columns increasing; of equal values the first is kept.
    for (int row = role.first_row + first; row < role.end_row; row += stride) {
      const float m_old = sM[row];
      float m = m_old;
      for (int col = 0; col < cols; ++col) {
        const float s = sS[row * cols + col];
        m = s > m ? s : m;
      }
      sM[row] = m;
      // [Rescale] Sums relative to m_old become relative to m. A row that saw no key yet has nothing to
      // shrink, and -inf minus -inf would be NaN.
      sAlpha[row] = m_old == minus_infinity() ? 0.0f : exp2f_exact(m_old - m);
    }
    __syncthreads();  // elements after rows: consumers read the new m and alpha of any of their rows

    const long long visit_of_head = kTraced ? trace.visits_before[at.q_tile] + visit : 0;
    VisitRecorder record(a, trace, at.q_head * trace.visits_per_head + visit_of_head);

    // [Rescale]
    for (int e = role.first_row * d + first; e < role.end_row * d; e += stride) sO[e] = sO[e] * sAlpha[e / d];

    // [Exponentiate] P = 2^(S - m) over S. A masked score gives exactly 0, even in a row whose m is still -inf.
    for (int e = role.first_row * cols + first; e < role.end_row * cols; e += stride) {
      const int row = e / cols;
      const float s = sS[e];
      const float p = s == minus_infinity() ? 0.0f : exp2f_exact(s - sM[row]);
      sS[e] = p;
      if constexpr (kTraced) {
        record.score(row, e % cols, s);
        record.weight(row, e % cols, p);
      }
    }
    __syncthreads();  // rows after elements, and use after fill: products read all of a row of P, and V

    // [RowSum] The tile's sum from 0, columns increasing, is added to the running sum in one fused operation.
    for (int row = role.first_row + first; row < role.end_row; row += stride) {
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
    for (int e = role.first_row * d + first; e < role.end_row * d; e += stride) {
      const int row = e / d, x = e % d;
      float o = sO[e];
      for (int col = 0; col < cols; ++col) {
        o = fma32(rounded_to<T>(sS[row * cols + col]), to_float(sV[col * d + x]), o);
      }
      sO[e] = o;
      if constexpr (kTraced) record.o(row, x, o);
    }
    if constexpr (kTraced) record.finish();
    __syncthreads();  // refill after use, and use after fill: this visit's V and P were read, the next K was loaded
  }

  // [Normalise] The one division. A row that saw no key has l = 0: its O is 0 and its L is +inf, so that a merge with
  // other keys gives it no weight.
  for (int e = role.first_row * d + first; e < role.end_row * d; e += stride)
    sO[e] = sSum[e / d] == 0.0f ? 0.0f : sO[e] / sSum[e / d];
  // [Store] O is written to HBM once, rounded once; a backward pass or a merge needs L = m + log2 l.
  for (int e = role.first_row * d + first; e < role.end_row * d; e += stride) gO[e] = from_float<T>(sO[e]);
  for (int row = role.first_row + first; row < role.end_row; row += stride)
    gLse[row] = sSum[row] == 0.0f ? plus_infinity() : sM[row] + log2f_exact(sSum[row]);
}

}  // namespace tilewalk::TILEWALK_SIDE
