#include "core/walk/step.h"

namespace tilewalk {

const char* name_of(Phase phase) {
  switch (phase) {
#define PHASE(id, word, doing) \
  case Phase::id:              \
    return word;
#include "core/walk/phases.inc"
#undef PHASE
  }
  return "";
}

const char* tag_of(Phase phase) {
  switch (phase) {
#define PHASE(id, word, doing) \
  case Phase::id:              \
    return #id;
#include "core/walk/phases.inc"
#undef PHASE
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
