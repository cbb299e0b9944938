#include "core/predict/pencil_method.h"

#include <algorithm>

#include "core/chip/visit_pace.h"

namespace tilewalk {

double naive_by_pencil(const AttentionCall& call, const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device, call.d);
  return std::max(4 * call.scores() * call.element_bytes() / roof.bytes_per_s,
                  4 * call.scores() * double(call.d) / roof.flop_per_s);
}

double flash_v2_by_pencil(const AttentionCall& call, const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device);
  return call.flops() / roof.mma_sync_flop_per_s + call.exponentials() / roof.exp_per_s;
}

double flash_v3_by_pencil(const AttentionCall& call, const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device, call.d);
  return std::max(call.flops() / roof.flop_per_s, call.exponentials() / softmax_per_s(roof));
}

double softmax_per_s(const Ceilings& roof) { return 1 / (1 / roof.exp_per_s + kOtherOpsPerScore / roof.other_per_s); }

}  // namespace tilewalk
