#include "core/step.h"

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
    case Phase::LoadPV: return "load";
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
    case Phase::Store: return "store";
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
