// Measures this machine's rates, in a few seconds: its processor with all of its threads (multiply-adds in registers,
// reading memory; then cpu_naive and cpu_tiled at three lengths), and its GPU where the program was built with CUDA and
// finds one (a copy, a large product).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/predict/processor.h"
#include "measured/measured_machine.h"

namespace tilewalk {

// Called several times a second; false stops it.
using MeasureWatch = std::function<bool(double fraction, const std::string& doing)>;

// why_not: other programs used the machine, the free memory is too small beside the cache, or it was stopped. `tries`:
// the number of attempts while other programs use the machine.
struct ProcessorMeasured {
  std::optional<Processor> processor;
  std::string why_not;  // one sentence, without its full stop
};
ProcessorMeasured measure_processor(int threads, int tries, const MeasureWatch& = {});

struct MeasureEnd {
  MeasuredMachine machine;
  bool stopped = false;  // the measurement is then invalid as a whole
};
MeasureEnd measure_machine(const MeasureWatch& = {});

std::string no_measuring_reason();  // one sentence, in a build that cannot measure at all; else empty

}  // namespace tilewalk
