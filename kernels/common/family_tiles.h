// Which tiles the thread blocks of later rungs walk: FA-1 the Q tiles that see a KV tile, split-KV a share of a Q tile's KV
// tiles. Small pure functions of the problem's integers.
#pragma once

#include "kernels/common/device.h"
#include "kernels/common/family.h"
#include "kernels/common/tiles.h"

namespace tilewalk::TILEWALK_SIDE {

// The Q tile with this index over all batches and heads; q_tile_of_block for thread blocks that share a Q tile.
__device__ inline QTilePlace q_tile_at(Attention a, long long index) {
  a.first_block = index - blockIdx.x;
  return q_tile_of_block(a);
}

// Q tiles [begin, end) that see a KV tile.
struct QTiles {
  long long begin, end;
};

// The first column is seen from furthest up, the last column from furthest down.
__device__ inline QTiles q_tiles_seeing(const Attention& a, long long kv_tile) {
  const long long first_col = kv_tile * a.bc;
  const long long end_col = first_col + a.bc < a.n_kv ? first_col + a.bc : a.n_kv;
  long long first = first_col - a.band_high;
  long long end = end_col - a.band_low;
  if (first < 0) first = 0;
  if (end > a.n_q) end = a.n_q;
  if (first >= end) return {0, 0};
  return {first / a.br, (end + a.br - 1) / a.br};
}

__device__ inline int q_tile_rows(const Attention& a, long long q_tile) {
  const long long left = a.n_q - q_tile * a.br;
  return left < a.br ? int(left) : a.br;
}

// The KV tiles of a Q tile that fall to one share.
__device__ inline KvTiles share_of(const FamilyAttention& a, const KvTiles& all, long long split) {
  long long begin = split * a.split_tiles, end = begin + a.split_tiles;
  if (begin < all.begin) begin = all.begin;
  if (begin > all.end) begin = all.end;
  if (end < begin) end = begin;
  if (end > all.end) end = all.end;
  return {begin, end};
}

}  // namespace tilewalk::TILEWALK_SIDE
