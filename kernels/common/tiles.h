// The position of a thread block, and the KV tiles that it visits: small pure functions of the problem's integers.
#pragma once

#include "kernels/common/attention.h"
#include "kernels/common/device.h"

namespace tilewalk::TILEWALK_SIDE {

// A Q tile and its position among all Q tiles. Q tiles come first, then heads, then batches.
struct QTilePlace {
  long long batch, head, q_tile;
  long long first_row;  // of the tile, in its head
  int rows;             // Br, or fewer in the last tile
  long long q_head;     // index of (batch, head) among query heads
  long long kv_head;    // index of this head's K and V among all KV heads
};

__device__ inline QTilePlace q_tile_at(const Attention& a, long long index) {
  QTilePlace at;
  at.q_tile = index % a.q_tiles;
  at.q_head = index / a.q_tiles;
  at.head = at.q_head % a.heads;
  at.batch = at.q_head / a.heads;
  at.kv_head = at.batch * a.kv_heads + at.head / (a.heads / a.kv_heads);
  at.first_row = at.q_tile * a.br;
  at.rows = a.n_q - at.first_row < a.br ? int(a.n_q - at.first_row) : a.br;
  return at;
}

__device__ inline QTilePlace q_tile_of_block(const Attention& a) { return q_tile_at(a, a.first_block + blockIdx.x); }

// KV tiles [begin, end).
struct KvTiles {
  long long begin, end;
  __device__ long long count() const { return end - begin; }
  // The tile of a visit, 0 first: from the first tile up, or from the last one down.
  __device__ long long of_visit(long long visit, bool reverse) const {
    return reverse ? end - 1 - visit : begin + visit;
  }
};

__device__ inline KvTiles all_kv_tiles(const Attention& a) { return {0, a.kv_tiles}; }

// Tiles with at least one visible pair. The first row sees furthest left, the last row furthest right.
__device__ inline KvTiles visible_kv_tiles(const Attention& a, const QTilePlace& at) {
  long long first = at.first_row + a.band_low;
  long long end = at.first_row + at.rows + a.band_high;
  if (first < 0) first = 0;
  if (end > a.n_kv) end = a.n_kv;
  if (first >= end) return {0, 0};
  return {first / a.bc, (end + a.bc - 1) / a.bc};
}

__device__ inline int kv_tile_cols(const Attention& a, long long kv_tile) {
  const long long left = a.n_kv - kv_tile * a.bc;
  return left < a.bc ? int(left) : a.bc;
}

__device__ inline bool visible(const Attention& a, long long row, long long col) {
  return col >= row + a.band_low && col <= row + a.band_high;
}

}  // namespace tilewalk::TILEWALK_SIDE
