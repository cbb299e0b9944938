// Lower bounds of attention's time on a processor (a CPU): two roofs, and floors by bytes and by products. There is no
// model of time here: no exponentials, no caches but the last, no clocks that change under load. So a row has floors
// and no predicted time; recorded times are shown beside them.
//
// Bytes, of memory: Q, K, V and O once each. cpu_naive also writes and reads S, and writes and reads P, fp32, whole
// rows, one head after another (kernels/cpu/naive.cpp). These four transfers count where one head's scores are larger
// than the last-level cache. Where the scores fit they do not count; in a cache shared with other programs that is a
// lower bound too. Copies of bf16 tensors widened to fp32 are not counted.
#pragma once

#include <string>
#include <vector>

#include "core/predict/predict.h"

namespace tilewalk {

struct Processor {
  std::string name;              // as the system names it: "Intel(R) Xeon(R) Processor, model 207, AVX3"
  int threads = 0;               // that reached these rates together
  double read_gb_per_s = 0;      // memory, 1e9 bytes a second (kernels/cpu/memory_read.h)
  double fp32_tflops = 0;        // multiply-adds in registers after a rest (kernels/cpu/peak.h)
  double bf16_tflops = 0;        // dot products of bf16, where cpu_tiled uses them; 0: bf16 is multiplied as fp32
  std::int64_t cache_bytes = 0;  // the last level's; 0: not known
  bool operator==(const Processor&) const = default;

  double bytes_per_s() const { return read_gb_per_s * 1e9; }
  double flop_per_s(DType) const;
  std::string title() const;  // "Intel(R) Xeon(R) Processor, model 207, AVX3, 16 threads"
};

// Every rate above 0 and at most 10^7 (that of bf16 may be 0), 1 to 4,096 threads, a name with visible characters.
Issues why_no_processor(const Processor&);

const std::vector<AttentionMethod>& processor_methods();  // cpu_naive, cpu_tiled; neither has a model of time

// First the two methods of a processor, then each method of a GPU, marked as not available. Accepts every call for
// which why_no_call is empty.
std::vector<Prediction> predict_on(const Processor&, const AttentionCall&);

}  // namespace tilewalk
