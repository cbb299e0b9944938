#include "pages/compare/blocks/draw_lane_kinds.h"

namespace tilewalk {

ImU32 colour_of(const Palette& c, LaneBoxKind kind) {
  switch (kind) {
    case LaneBoxKind::Load: return hue(c, TensorId::K);
    case LaneBoxKind::Scores: return hue(c, TensorId::Q);
    case LaneBoxKind::Softmax: return hue(c, TensorId::m);
    case LaneBoxKind::Accumulate: return hue(c, TensorId::V);
    case LaneBoxKind::Rescale: return c.changed;
    case LaneBoxKind::Normalise: return mix(hue(c, TensorId::O), c.panel, 0.5f);
    case LaneBoxKind::Store: return hue(c, TensorId::O);
    case LaneBoxKind::Waiting: return c.hatch_fill;
    case LaneBoxKind::Idle: return c.raised;
    case LaneBoxKind::Mixed: return c.muted;
  }
  return c.muted;
}

}  // namespace tilewalk
