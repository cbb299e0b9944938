// The card on which the pace of the fast kernels' builds was measured (core/chip/fast_pace).
#pragma once

#include "core/problem/device_model.h"

namespace tilewalk {

const DeviceModel& pace_card();

}  // namespace tilewalk
