// What this machine reaches, measured now, in a few seconds: its processor by all of its threads (multiply-adds in
// registers, reading memory; then cpu_naive and cpu_tiled at three lengths), and its GPU where the program was built
// with CUDA and finds one (a copy, a large product).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/predict/processor.h"
#include "measured/measured_machine.h"

namespace tilewalk {

// Asked some times a second; false ends it.
using MeasureWatch = std::function<bool(double fraction, const std::string& doing)>;

// Why not: others had a part of the machine, the memory that is free is no multiple of the cache, or it was ended.
// `tries`: as often it begins anew where others had a part.
struct ProcessorMeasured {
  std::optional<Processor> processor;
  std::string why_not;  // one sentence, without its full stop
};
ProcessorMeasured measure_processor(int threads, int tries, const MeasureWatch& = {});

struct MeasureEnd {
  MeasuredMachine machine;
  bool stopped = false;  // nothing of the machine counts then
};
MeasureEnd measure_machine(const MeasureWatch& = {});

std::string no_measuring_reason();  // one sentence, in a build that cannot measure at all; else empty

}  // namespace tilewalk
