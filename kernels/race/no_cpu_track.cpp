// Stands in for cpu_track.cpp in WebAssembly, which has neither OpenBLAS nor the tiled kernel's instructions.
#include "kernels/race/track.h"

namespace tilewalk {

std::unique_ptr<RaceTrack> make_cpu_track(int, const std::string&) { return nullptr; }

}  // namespace tilewalk
