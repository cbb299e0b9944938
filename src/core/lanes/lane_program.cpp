#include "core/lanes/lane_program.h"

namespace tilewalk {

const char* name_of(Doing doing) {
  switch (doing) {
    case Doing::LoadQ: return "load Q";
    case Doing::LoadK: return "load K";
    case Doing::LoadV: return "load V";
    case Doing::LoadState: return "load Q, O, m, ℓ";
    case Doing::Scores: return "QKᵀ";
    case Doing::RowMax: return "row max";
    case Doing::Rescale: return "rescale";
    case Doing::Exponentiate: return "exp";
    case Doing::RowSum: return "row sum";
    case Doing::Accumulate: return "P·V";
    case Doing::Normalise: return "normalise";
    case Doing::Store: return "store";
    case Doing::Waiting: return "waiting";
  }
  return "";
}

const char* reason_of(WaitFor wait) {
  switch (wait) {
    case WaitFor::Nothing: return "";
    case WaitFor::Tile: return "a tile on its way from memory";
    case WaitFor::Stage: return "the products to free a place in shared memory";
    case WaitFor::Turn: return "its turn at the tensor cores";
    case WaitFor::Scores: return "a product to finish";
    case WaitFor::Softmax: return "the softmax";
    case WaitFor::Correction: return "O to be rescaled";
    case WaitFor::Partner: return "the other consumer to release a tile";
    case WaitFor::Memory: return "the first bytes from memory";
  }
  return "";
}

}  // namespace tilewalk
