#include "core/walk/step.h"

namespace tilewalk {

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::LoadQ:
    case Phase::LoadKV:
    case Phase::LoadK:
    case Phase::LoadS:
    case Phase::LoadSAgain:
    case Phase::LoadL:
    case Phase::LoadO:
    case Phase::LoadPartials:
    case Phase::LoadPV:
    case Phase::LoadOutputs:
    case Phase::LoadRows:
    case Phase::LoadDQ:
    case Phase::LoadPDO:
    case Phase::LoadDO:
    case Phase::LoadV:
    case Phase::LoadPDP:
    case Phase::LoadPDPAgain:
    case Phase::LoadDSK:
    case Phase::LoadDSQ: return "load";
    case Phase::Scores: return "scores";
    case Phase::Mask: return "mask";
    case Phase::MergeMax:
    case Phase::RowMax: return "row max";
    case Phase::Rescale: return "rescale";
    case Phase::MergeWeights:
    case Phase::Exponentiate: return "exponentiate";
    case Phase::RowSum: return "row sum";
    case Phase::Divide:
    case Phase::Normalise: return "normalise";
    case Phase::MergeO:
    case Phase::Accumulate: return "accumulate";
    case Phase::StoreS:
    case Phase::StoreP:
    case Phase::Initialise:
    case Phase::StorePartial:
    case Phase::StoreD:
    case Phase::StoreDQ:
    case Phase::StoreDKV:
    case Phase::StoreDV:
    case Phase::StoreDP:
    case Phase::StoreDS:
    case Phase::StoreDK:
    case Phase::Store: return "store";
    case Phase::RowDot: return "row dot";
    case Phase::GradV: return "accumulate dV";
    case Phase::GradP: return "gradient of P";
    case Phase::GradS: return "gradient of S";
    case Phase::GradQ: return "accumulate dQ";
    case Phase::GradK: return "accumulate dK";
    case Phase::ScaleDQ: return "scale";
  }
  return "";
}

const char* name_of(SectionName name) {
  switch (name) {
    case SectionName::Walk: return "walk";
    case SectionName::Initialise: return "initialise";
    case SectionName::Scores: return "scores";
    case SectionName::Softmax: return "softmax";
    case SectionName::Output: return "output";
    case SectionName::Merge: return "merge";
    case SectionName::Dots: return "dots";
    case SectionName::Scale: return "scale";
    case SectionName::GradV: return "gradient of V";
    case SectionName::GradP: return "gradient of P";
    case SectionName::GradS: return "gradient of S";
    case SectionName::GradQ: return "gradient of Q";
    case SectionName::GradK: return "gradient of K";
  }
  return "";
}

Traffic Cost::hbm_total() const {
  Traffic total;
  for (const Traffic& t : hbm) total += t;
  return total;
}

Cost& Cost::operator+=(const Cost& other_cost) {
  for (std::size_t i = 0; i < hbm.size(); ++i) hbm[i] += other_cost.hbm[i];
  sram += other_cost.sram;
  matmul += other_cost.matmul;
  exp += other_cost.exp;
  other += other_cost.other;
  return *this;
}

Cost Cost::scaled(std::int64_t factor) const {
  Cost out = *this;
  for (Traffic& t : out.hbm) {
    t.read_bytes *= factor;
    t.write_bytes *= factor;
  }
  out.sram.read_bytes *= factor;
  out.sram.write_bytes *= factor;
  out.matmul *= factor;
  out.exp *= factor;
  out.other *= factor;
  return out;
}

}  // namespace tilewalk
