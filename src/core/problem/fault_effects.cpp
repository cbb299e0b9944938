#include "core/problem/fault_effects.h"

namespace tilewalk {

Band masked_band(const Problem& p) {
  Band band = p.shape.band();
  if (p.fault == Fault::MaskOffByOne) band.high += 1;
  return band;
}

bool leaves_out(const Problem& p, std::int64_t q_tile, std::int64_t kv_tile) {
  if (p.fault != Fault::SkipDiagonal) return false;
  const std::int64_t row = q_tile * p.tiling.br, col = kv_tile * p.tiling.bc;
  return classify_tile(p.shape.band(), row, row + p.q_tile_rows(q_tile), col, col + p.kv_tile_cols(kv_tile), false) ==
         TileClass::Partial;
}

}  // namespace tilewalk
