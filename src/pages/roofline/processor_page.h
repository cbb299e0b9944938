// The page of the roofline for a processor: two roofs, cpu_naive and cpu_tiled at their allowed and their recorded
// rates, the win over N, and the source of each number. Precondition: the controller has a processor.
#pragma once

#include "pages/roofline/roofline_page.h"

namespace tilewalk {

void add_processor_page(RooflinePage&, const RooflineController&);

std::string short_name(const Processor&);  // "Intel Xeon, model 207"

// "The limit of cpu_tiled is the products: 137 GFLOP at 3.07 TFLOP/s take 44.8 ms; it took 63.0 ms, 71 % of what that
// roof allows."; where it reached less than half of it, says that something else bounds it; for naive also where its
// scores are stored. Precondition: the row has figures.
std::string processor_roof_sentence(const PredictionRow&, const Processor&);
// "Recorded: cpu_tiled takes 2.63 ms where cpu_naive takes 9.1 ms: 3.5 times as fast."; empty where one was not
// recorded.
std::string processor_win_sentence(const std::vector<PredictionRow>&);
// The missing contenders, by their reasons: "FA-1, FA-2 and FA-3: a kernel for GPUs; …".
std::vector<std::string> processor_notes(const std::vector<PredictionRow>&);

}  // namespace tilewalk
