// Replaces gpu_track.cu in a build without the CUDA toolkit.
#include "kernels/race/live_race.h"
#include "kernels/race/track.h"

namespace tilewalk {

std::string no_gpu_race_reason() { return probe_devices().reason; }

Result<std::unique_ptr<RaceTrack>> make_gpu_track(const std::string&) { return no_gpu_issue(no_gpu_race_reason()); }

}  // namespace tilewalk
