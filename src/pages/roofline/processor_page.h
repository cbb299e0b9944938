// The page of the roofline for a processor: two roofs, cpu_naive and cpu_tiled where the roofs allow them to be and
// where they were recorded, the win over N, where each number comes from. Precondition: the controller has a processor.
#pragma once

#include "pages/roofline/roofline_page.h"

namespace tilewalk {

void add_processor_page(RooflinePage&, const RooflineController&);

std::string short_name(const Processor&);  // "Intel Xeon, model 207"

// "What holds cpu_tiled is the products: 137 GFLOP at 3.07 TFLOP/s take 44.8 ms; it took 63.0 ms, 71 % of what that
// roof allows."; where less than half of it was reached, that something else holds it; of naive also where its scores
// lie. Precondition: the row has figures.
std::string processor_roof_sentence(const PredictionRow&, const Processor&);
// "Recorded: cpu_tiled takes 2.63 ms where cpu_naive takes 9.1 ms: 3.5 times as fast."; empty where either was not.
std::string processor_win_sentence(const std::vector<PredictionRow>&);
// The contenders that are not there, by their reasons: "FA-1, FA-2 and FA-3: a kernel for GPUs; …".
std::vector<std::string> processor_notes(const std::vector<PredictionRow>&);

}  // namespace tilewalk
