#include "pages/compare/blocks/lane_kinds.h"

namespace tilewalk {

LaneBoxKind kind_of(Doing doing) {
  switch (doing) {
    case Doing::LoadQ:
    case Doing::LoadK:
    case Doing::LoadV:
    case Doing::LoadState: return LaneBoxKind::Load;
    case Doing::Scores: return LaneBoxKind::Scores;
    case Doing::RowMax:
    case Doing::Exponentiate:
    case Doing::RowSum: return LaneBoxKind::Softmax;
    case Doing::Rescale: return LaneBoxKind::Rescale;
    case Doing::Normalise: return LaneBoxKind::Normalise;
    case Doing::Accumulate: return LaneBoxKind::Accumulate;
    case Doing::Store: return LaneBoxKind::Store;
    case Doing::Waiting: break;
  }
  return LaneBoxKind::Waiting;
}

}  // namespace tilewalk
