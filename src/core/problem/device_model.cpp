// Sources. SMs, bandwidth, TFLOP/s, shared memory, threads per SM: NVIDIA data sheets and the CUDA programming guide's
// compute-capability tables. Clocks: the one that gives the data sheet's tensor-core figure; 1830 MHz for H100 is the
// FlashAttention-3 paper's. exp a cycle: programming guide, throughput of arithmetic instructions.
// L2 bytes a cycle: H100 from the FlashAttention-3 paper's Table 1 (12 TB/s over 132 SMs at 1.83 GHz); A100 and V100
// from the A100 white paper (5120 and 2048 B a clock). Those of H200 and B200 are assumed equal to H100's; T4, RTX and
// L4 are assumed from their class. All latencies are assumed, in round numbers of published microbenchmarks.
// Maxima and conversions a cycle: programming guide, the same table as exp; 64 for every card here.
// A product seen late, and the softmax of a lone warpgroup: measured on an H200 with flash_v3's stamps
// (assets/measurements/flash_v3_stamps_h200_2026-11-21.csv, d 128, no overlap, N 2k and 8k). S is seen after 698 and
// 700 cycles where the product needs 512; kept as 190. Maxima, exponentials and sums of 64 x 128 scores, 64 a thread,
// take 1159 and 1163. Only tiles of 128 keys were stamped: that both times scale so (one fixed, one with the scores) is
// assumed, and so is that H100 is equal.
#include "core/problem/device_model.h"

namespace tilewalk {

const std::vector<DeviceModel>& device_models() {
  constexpr std::int64_t KiB = 1024;
  constexpr std::int64_t MiB = 1024 * 1024;
  static const std::vector<DeviceModel> models = {
      {"v100", "V100 SXM2", 80, 96 * KiB, 6 * MiB, 900, 15.7, 125, 1.53, 1024, 16, 64, 25.6, 220, 550, 96 * KiB, 2048},
      {"t4", "T4", 40, 64 * KiB, 4 * MiB, 320, 8.1, 65, 1.59, 1024, 16, 64, 20, 220, 550, 64 * KiB, 1024},
      {"a100", "A100 80 GB SXM", 108, 163 * KiB, 40 * MiB, 2039, 19.5, 312, 1.41, 2048, 16, 64, 47.4, 250, 600,
       164 * KiB, 2048},
      {"rtx3090", "GeForce RTX 3090", 82, 99 * KiB, 6 * MiB, 936, 35.6, 71, 1.695, 512, 16, 128, 16, 250, 600,
       100 * KiB, 1536},
      {"rtx4090", "GeForce RTX 4090", 128, 99 * KiB, 72 * MiB, 1008, 82.6, 165.2, 2.52, 512, 16, 128, 16, 270, 700,
       100 * KiB, 1536},
      {"l4", "L4", 58, 99 * KiB, 48 * MiB, 300, 30.3, 121, 2.04, 1024, 16, 128, 16, 270, 700, 100 * KiB, 1536},
      {"h100", "H100 SXM", 132,  227 * KiB, 50 * MiB, 3350,      67,   989, 1.83, 4096,
       16,     128,        49.7, 270,       700,      228 * KiB, 2048, 64,  190,  1159.0 / 64},
      {"h200", "H200", 132,  227 * KiB, 60 * MiB, 4800,      67,   989, 1.83, 4096,
       16,     128,    49.7, 270,       700,      228 * KiB, 2048, 64,  190,  1159.0 / 64},
      {"b200", "B200", 148, 227 * KiB, 126 * MiB, 8000, 80, 2250, 1.85, 8192, 16, 128, 49.7, 270, 700, 228 * KiB, 2048},
  };
  return models;
}

std::optional<DeviceModel> device_named(const std::string& name) {
  for (const DeviceModel& model : device_models())
    if (model.name == name) return model;
  return std::nullopt;
}

std::string device_names() {
  std::string out;
  for (const DeviceModel& model : device_models()) out += (out.empty() ? "" : ", ") + model.name;
  return out;
}

}  // namespace tilewalk
