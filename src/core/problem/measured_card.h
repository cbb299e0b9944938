// The cards on which the pace of the fast kernels' builds was measured: of FA-2 and FA-3 (core/chip/fast_pace), of FA-1
// (core/chip/head_pace), and of FA-3's build by bulk copies (core/problem/bulk_plan).
#pragma once

#include "core/problem/device_model.h"

namespace tilewalk {

const DeviceModel& pace_card();
const DeviceModel& head_pace_card();
const DeviceModel& bulk_pace_card();

}  // namespace tilewalk
