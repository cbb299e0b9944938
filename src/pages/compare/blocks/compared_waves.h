// What the words below the SMs of two compared calls add: the time of the call's bar beside the modelled one, where
// these are two.
#pragma once

#include <optional>
#include <string>

#include "core/predict/compare.h"
#include "pages/compare/blocks/waves_model.h"
#include "view/pipes/pipes_model.h"
#include "view/words/call_times.h"

namespace tilewalk {

// times: those of the bars, or null.
void compare_waves(const Comparison&, const CallTimes* times, WavesModel& left, WavesModel& right);

// After the cycles of one thread block's lanes, which has its SM alone: " alone on its SM · 540 k with 3 on
// it · 11 waves: 5.94 M". The last are the whole call's cycles, and their mean over the waves: thread blocks that share
// an SM slow each other. Empty where each thread block has an SM of its own.
std::string shared_text(const std::optional<RunTime>&);

// What the fast kernel has in shared memory, and so how many thread blocks an SM takes: the figures of the SMs' panel.
void add_shared_memory(const Problem&, const std::optional<RunTime>&, PipeSide&);

}  // namespace tilewalk
