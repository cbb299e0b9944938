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

const char* remedy_of(Fault fault) {
  switch (fault) {
    case Fault::None: break;
    case Fault::ForgetRescaleO: return "Multiply O by α at each visit, before P·V is added.";
    case Fault::ForgetRescaleL: return "Multiply ℓ by α at each visit, before the row sum is added.";
    case Fault::TileMax: return "The running max is the larger of the old max and the tile's.";
    case Fault::NoMax: return "Subtract the running max before the exponential.";
    case Fault::InverseRescale: return "Multiply O by α: α is e to the power of old max minus new max.";
    case Fault::MaskOffByOne: return "Set the scores from the first masked column on to −∞.";
    case Fault::SkipDiagonal: return "Compute the tiles that the mask cuts through, and mask them score by score.";
    case Fault::RaggedRead: return "Set the scores of columns past N_kv to −∞, before the row max.";
  }
  return "";
}

}  // namespace tilewalk
