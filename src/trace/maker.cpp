#include "trace/maker.h"

namespace tilewalk {
namespace {

// FA-1 takes a tile's own max and sum first; m, l and alpha come of joining them, O of dividing at every visit.
Maker flash_v1_maker(const Problem& p, Quantity quantity, bool masked) {
  switch (quantity) {
    case Quantity::S: return {1, true, masked ? Phase::Mask : Phase::Scores};
    case Quantity::P: return {1, true, Phase::Exponentiate};
    case Quantity::M:
    case Quantity::Alpha:
    case Quantity::L: return {1, true, Phase::Rescale};
    case Quantity::O:
    case Quantity::VisitHash: return {1, true, Phase::Normalise};
    case Quantity::Output:
    case Quantity::OutputHash:
      if (p.numerics.dtype != DType::Fp32) return {2, false, Phase::Store};
      [[fallthrough]];
    case Quantity::Lse: return {1, true, Phase::Store};  // of the last visit: what it left in HBM is the result
    default: break;
  }
  return {};
}

// P came with the forward pass: it is met where it is first read.
Maker backward_standard_maker(Quantity quantity) {
  switch (quantity) {
    case Quantity::P: return {0, true, Phase::LoadPDO};
    case Quantity::DV: return {0, true, Phase::GradV};
    case Quantity::DP: return {1, true, Phase::GradP};
    case Quantity::DS: return {2, false, Phase::GradS};
    case Quantity::DQ: return {3, true, Phase::GradQ};
    case Quantity::FinalDV: return {0, false, Phase::StoreDV};
    case Quantity::FinalDK:
    case Quantity::KvGradientHash: return {4, false, Phase::StoreDK};
    case Quantity::FinalDQ:
    case Quantity::QGradientHash: return {3, false, Phase::StoreDQ};
    default: return {4, true, Phase::GradK};
  }
}

Maker backward_maker(const Problem& p, Quantity quantity, bool masked) {
  if (p.schedule == ScheduleKind::BackwardStandard) return backward_standard_maker(quantity);
  switch (quantity) {
    case Quantity::S: return {1, true, masked ? Phase::Mask : Phase::Scores};
    case Quantity::P:
      return {1, true, p.schedule == ScheduleKind::BackwardV1 ? Phase::Divide : Phase::Exponentiate};
    case Quantity::DV: return {1, true, Phase::GradV};
    case Quantity::DP: return {1, true, Phase::GradP};
    case Quantity::DS: return {1, true, Phase::GradS};
    case Quantity::DQ: return {1, true, Phase::GradQ};
    case Quantity::FinalDK:
    case Quantity::FinalDV:
    case Quantity::KvGradientHash: return {1, false, Phase::StoreDKV};
    case Quantity::FinalDQ:
    case Quantity::QGradientHash: return {2, false, Phase::ScaleDQ};
    default: return {1, true, Phase::GradK};  // dK, the last product of a visit, and the visit as a whole
  }
}

}  // namespace

Maker maker_of(const Problem& p, Quantity quantity, bool masked) {
  if (is_backward(p.schedule)) return backward_maker(p, quantity, masked);
  if (p.schedule == ScheduleKind::FlashV1) return flash_v1_maker(p, quantity, masked);
  const bool standard = p.schedule == ScheduleKind::Standard;
  const int last = standard ? 2 : p.schedule == ScheduleKind::SplitKv ? 1 : 0;
  switch (quantity) {
    case Quantity::S: return {0, true, masked ? Phase::Mask : Phase::Scores};
    case Quantity::M: return {standard ? 1 : 0, !standard, Phase::RowMax};
    case Quantity::Alpha: return {0, true, Phase::Rescale};
    case Quantity::P:
      if (!standard) return {0, true, Phase::Exponentiate};
      return standard_row_fits(p) ? Maker{1, false, Phase::Divide} : Maker{2, true, Phase::Divide};
    case Quantity::L: return {standard ? 1 : 0, !standard, Phase::RowSum};
    case Quantity::O:
    case Quantity::VisitHash: return {standard ? 2 : 0, true, Phase::Accumulate};
    case Quantity::Output:
    case Quantity::OutputHash: return {last, false, standard ? Phase::Store : Phase::Normalise};
    case Quantity::Lse: return {last, false, Phase::Normalise};
    default: break;
  }
  return {};
}

}  // namespace tilewalk
