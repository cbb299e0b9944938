// Replaces cpu_track.cpp and measure_machine.cpp in WebAssembly, which has neither OpenBLAS nor the tiled kernel's
// instructions, and one thread in a page.
#include "kernels/race/measure_machine.h"
#include "kernels/race/track.h"

namespace tilewalk {

std::string why_no_cpu_race() { return "A page in a browser runs no race"; }
std::unique_ptr<RaceTrack> make_cpu_track(int, const std::string&) { return nullptr; }

std::string no_measuring_reason() {
  return "A page in a browser cannot measure this machine; Tilewalk installed on it can";
}

ProcessorMeasured measure_processor(int, int, const MeasureWatch&) { return {std::nullopt, no_measuring_reason()}; }

MeasureEnd measure_machine(const MeasureWatch&) {
  MeasureEnd end;
  end.machine.no_processor = end.machine.no_card = no_measuring_reason();
  return end;
}

}  // namespace tilewalk
