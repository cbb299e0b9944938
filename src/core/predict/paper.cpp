#include "core/predict/paper.h"

#include <algorithm>

#include "core/chip/visit_pace.h"
#include "core/predict/ceilings.h"

namespace tilewalk {

double naive_on_paper(const AttentionCall& call, const DeviceModel& device) {
  return 4 * call.scores() * call.element_bytes() / ceilings_of(device).bytes_per_s;
}

double flash_v2_on_paper(const AttentionCall& call, const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device);
  return call.flops() / roof.mma_sync_flop_per_s + call.exponentials() / roof.exp_per_s;
}

double flash_v3_on_paper(const AttentionCall& call, const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device);
  const double softmax = call.exponentials() * (1 / roof.exp_per_s + kOtherOpsPerScore / roof.other_per_s);
  return std::max(call.flops() / roof.flop_per_s, softmax);
}

}  // namespace tilewalk
