// Stands in for gpu_track.cu in a build without the CUDA toolkit.
#include "kernels/race/live_race.h"
#include "kernels/race/track.h"

namespace tilewalk {

std::string no_gpu_race_reason() { return probe_devices().reason; }

std::unique_ptr<RaceTrack> make_gpu_track(const std::string&, std::string& reason) {
  reason = no_gpu_race_reason();
  return nullptr;
}

}  // namespace tilewalk
