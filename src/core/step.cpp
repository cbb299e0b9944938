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
    case Phase::LoadPV: return "load";
    case Phase::Scores: return "scores";
    case Phase::Mask: return "mask";
    case Phase::RowMax: return "row max";
    case Phase::Rescale: return "rescale";
    case Phase::Exponentiate: return "exponentiate";
    case Phase::RowSum: return "row sum";
    case Phase::Divide:
    case Phase::Normalise: return "normalise";
    case Phase::Accumulate: return "accumulate";
    case Phase::StoreS:
    case Phase::StoreP:
    case Phase::Store: return "store";
  }
  return "";
}

Traffic Cost::hbm_total() const {
  Traffic total;
  for (const Traffic& t : hbm) {
    total.read_bytes += t.read_bytes;
    total.write_bytes += t.write_bytes;
  }
  return total;
}

Cost& Cost::operator+=(const Cost& other_cost) {
  for (std::size_t i = 0; i < hbm.size(); ++i) {
    hbm[i].read_bytes += other_cost.hbm[i].read_bytes;
    hbm[i].write_bytes += other_cost.hbm[i].write_bytes;
  }
  sram.read_bytes += other_cost.sram.read_bytes;
  sram.write_bytes += other_cost.sram.write_bytes;
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
