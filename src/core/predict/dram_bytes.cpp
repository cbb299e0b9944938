#include "core/predict/dram_bytes.h"

#include <cmath>
#include <optional>

#include "core/chip/l2_model.h"
#include "core/predict/predict.h"

namespace tilewalk {

std::int64_t modelled_dram_bytes(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  if (auto call = p.numerics.narrow_scores ? call_of(p) : std::nullopt) {
    call->causal = false;  // the walk's softmax reads masked scores too, the racing one's does not
    const Prediction naive = predict(method_of(Contender::Naive), *call, device_of(p.machine));
    if (naive.there && naive.note.empty()) return std::llround(naive.dram_bytes);
  }
  return estimate_l2(schedule).dram_total().bytes();
}

}  // namespace tilewalk
