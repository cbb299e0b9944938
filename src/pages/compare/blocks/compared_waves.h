// What the words below the SMs of two compared calls add: the time of the call's bar beside the modelled one, where
// these are two.
#pragma once

#include "core/predict/compare.h"
#include "pages/compare/blocks/waves_model.h"
#include "view/words/call_times.h"

namespace tilewalk {

// times: those of the bars, or null.
void compare_waves(const Comparison&, const CallTimes* times, WavesModel& left, WavesModel& right);

}  // namespace tilewalk
