// The schedule that shows a kernel, by what the kernel does.
#pragma once

#include "core/problem/problem.h"

namespace tilewalk::shows {

inline constexpr ScheduleKind unfused = ScheduleKind::Standard;
inline constexpr ScheduleKind keys_outside = ScheduleKind::FlashV1;
inline constexpr ScheduleKind queries_outside = ScheduleKind::FlashV2;
inline constexpr ScheduleKind warps_by_trade = ScheduleKind::FlashV3;
inline constexpr ScheduleKind seldom_rescaled = ScheduleKind::FlashV4;
inline constexpr ScheduleKind keys_shared_out = ScheduleKind::SplitKv;
inline constexpr ScheduleKind backward_unfused = ScheduleKind::BackwardStandard;
inline constexpr ScheduleKind backward_rows_inside = ScheduleKind::BackwardV1;
inline constexpr ScheduleKind backward = ScheduleKind::Backward;

}  // namespace tilewalk::shows
