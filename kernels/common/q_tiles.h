// Which Q tiles visit a KV tile, for the kernels with KV tiles outside: small pure functions of the problem's integers.
#pragma once

#include "kernels/common/attention.h"
#include "kernels/common/device.h"

namespace tilewalk::TILEWALK_SIDE {

// Q tiles [begin, end) that see a KV tile.
struct QTiles {
  long long begin, end;
};

// The topmost visible row is that of the first column, the lowest that of the last column.
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

}  // namespace tilewalk::TILEWALK_SIDE
