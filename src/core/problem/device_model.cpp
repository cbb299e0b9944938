// Sources. SMs, size and bandwidth of the memory, TFLOP/s, shared memory, threads per SM: NVIDIA data sheets and the
// CUDA programming guide's compute-capability tables. Clocks: the one that gives the data sheet's tensor-core figure;
// 1830 MHz for H100 is the FlashAttention-3 paper's. exp a cycle: programming guide, throughput of arithmetic
// instructions. L2 bytes a cycle: H100 from the FlashAttention-3 paper's Table 1 (12 TB/s over 132 SMs at 1.83 GHz);
// A100 and V100 from the A100 white paper (5120 and 2048 B a clock). Those of H200 and B200 are assumed equal to
// H100's; T4, RTX and L4 are assumed from their class. All latencies are assumed, in round numbers of published
// microbenchmarks. Maxima and conversions a cycle: programming guide, the same table as exp; 64 for every card here. A
// product seen late, and the softmax of a lone warpgroup: measured on an H200 with flash_v3's stamps
// (assets/measurements/flash_v3_stamps_h200_2026-11-21.csv, d 128, no overlap, N 2k and 8k). S is seen after 698 and
// 700 cycles where the product needs 512; kept as 190. Maxima, exponentials and sums of 64 x 128 scores, 64 a thread,
// take 1159 and 1163. Only tiles of 128 keys were stamped: that both times scale so (one fixed, one with the scores) is
// assumed, and so is that H100 is equal. What a card reaches: H200 from the races and parts measured here
// (assets/measurements/*_h200_*.csv: products of 788 to 811 TFLOP/s, copies of 4264 to 4299 GB/s; its clock under
// attention is 1.66 to 1.81 GHz by Nsight Compute and by parts, kept as 1.755), H100 from the races there
// (assets/measurements/fast_forward_h100_2026-11-23.csv). A100 and B200: the largest product found by ml-engineering's
// MAMF search (compute/accelerator, 2026). T4: 24 TFLOP/s under its 70 W (forums.developer.nvidia.com, thread 264462).
// Where nobody measured a product the data sheet's rate stands as it is: what is lost goes to power, and is each card's
// own. A100, H100, H200 and B200 reach 0.87, 0.81, 0.82 and 0.78 of theirs, an L20 (Ada) 0.88 to 0.96, a GeForce RTX
// 5060 Ti 0.99, a T4 0.37. mma.sync on Hopper: 62 % of wgmma's rate, measured (kernels/NOTES.md); on B200 assumed half
// of that, as its tensor cores do twice as much a cycle.
#include "core/problem/device_model.h"

#include <stdexcept>

#include "base/nearest.h"
#include "base/words.h"

namespace tilewalk {

const std::vector<DeviceModel>& device_models() {
  constexpr std::int64_t KiB = 1024;
  constexpr std::int64_t MiB = 1024 * 1024;
  static const std::vector<DeviceModel> models = {
      {.name = "v100",
       .title = "V100 SXM2",
       .sms = 80,
       .sram_per_block_bytes = 96 * KiB,
       .l2_bytes = 6 * MiB,
       .hbm_gb = 32,
       .hbm_gb_per_s = 900,
       .fp32_tflops = 15.7,
       .matrix16_tflops = 125,
       .clock_ghz = 1.53,
       .matrix16_flop_per_cycle = 1024,
       .exp_per_cycle = 16,
       .fp32_lanes = 64,
       .l2_bytes_per_cycle = 25.6,
       .l2_latency_cycles = 220,
       .dram_latency_cycles = 550,
       .sram_per_sm_bytes = 96 * KiB,
       .threads_per_sm = 2048,
       .compute_capability = 70},
      {.name = "t4",
       .title = "T4",
       .sms = 40,
       .sram_per_block_bytes = 64 * KiB,
       .l2_bytes = 4 * MiB,
       .hbm_gb = 16,
       .hbm_gb_per_s = 320,
       .fp32_tflops = 8.1,
       .matrix16_tflops = 65,
       .clock_ghz = 1.59,
       .matrix16_flop_per_cycle = 1024,
       .exp_per_cycle = 16,
       .fp32_lanes = 64,
       .l2_bytes_per_cycle = 20,
       .l2_latency_cycles = 220,
       .dram_latency_cycles = 550,
       .sram_per_sm_bytes = 64 * KiB,
       .threads_per_sm = 1024,
       .compute_capability = 75,
       .product_tflops = 24,
       .product_from = RateFrom::MeasuredByOthers},
      {.name = "a100",
       .title = "A100 80 GB SXM",
       .sms = 108,
       .sram_per_block_bytes = 163 * KiB,
       .l2_bytes = 40 * MiB,
       .hbm_gb = 80,
       .hbm_gb_per_s = 2039,
       .fp32_tflops = 19.5,
       .matrix16_tflops = 312,
       .clock_ghz = 1.41,
       .matrix16_flop_per_cycle = 2048,
       .exp_per_cycle = 16,
       .fp32_lanes = 64,
       .l2_bytes_per_cycle = 47.4,
       .l2_latency_cycles = 250,
       .dram_latency_cycles = 600,
       .sram_per_sm_bytes = 164 * KiB,
       .threads_per_sm = 2048,
       .compute_capability = 80,
       .product_tflops = 271,
       .product_from = RateFrom::MeasuredByOthers},
      {.name = "rtx3090",
       .title = "GeForce RTX 3090",
       .sms = 82,
       .sram_per_block_bytes = 99 * KiB,
       .l2_bytes = 6 * MiB,
       .hbm_gb = 24,
       .hbm_gb_per_s = 936,
       .fp32_tflops = 35.6,
       .matrix16_tflops = 71,
       .clock_ghz = 1.695,
       .matrix16_flop_per_cycle = 512,
       .exp_per_cycle = 16,
       .fp32_lanes = 128,
       .l2_bytes_per_cycle = 16,
       .l2_latency_cycles = 250,
       .dram_latency_cycles = 600,
       .sram_per_sm_bytes = 100 * KiB,
       .threads_per_sm = 1536,
       .compute_capability = 86},
      {.name = "rtx4090",
       .title = "GeForce RTX 4090",
       .sms = 128,
       .sram_per_block_bytes = 99 * KiB,
       .l2_bytes = 72 * MiB,
       .hbm_gb = 24,
       .hbm_gb_per_s = 1008,
       .fp32_tflops = 82.6,
       .matrix16_tflops = 165.2,
       .clock_ghz = 2.52,
       .matrix16_flop_per_cycle = 512,
       .exp_per_cycle = 16,
       .fp32_lanes = 128,
       .l2_bytes_per_cycle = 16,
       .l2_latency_cycles = 270,
       .dram_latency_cycles = 700,
       .sram_per_sm_bytes = 100 * KiB,
       .threads_per_sm = 1536,
       .compute_capability = 89},
      {.name = "l4",
       .title = "L4",
       .sms = 58,
       .sram_per_block_bytes = 99 * KiB,
       .l2_bytes = 48 * MiB,
       .hbm_gb = 24,
       .hbm_gb_per_s = 300,
       .fp32_tflops = 30.3,
       .matrix16_tflops = 121,
       .clock_ghz = 2.04,
       .matrix16_flop_per_cycle = 1024,
       .exp_per_cycle = 16,
       .fp32_lanes = 128,
       .l2_bytes_per_cycle = 16,
       .l2_latency_cycles = 270,
       .dram_latency_cycles = 700,
       .sram_per_sm_bytes = 100 * KiB,
       .threads_per_sm = 1536,
       .compute_capability = 89},
      {.name = "h100",
       .title = "H100 SXM",
       .sms = 132,
       .sram_per_block_bytes = 227 * KiB,
       .l2_bytes = 50 * MiB,
       .hbm_gb = 80,
       .hbm_gb_per_s = 3350,
       .fp32_tflops = 67,
       .matrix16_tflops = 989,
       .clock_ghz = 1.83,
       .matrix16_flop_per_cycle = 4096,
       .exp_per_cycle = 16,
       .fp32_lanes = 128,
       .l2_bytes_per_cycle = 49.7,
       .l2_latency_cycles = 270,
       .dram_latency_cycles = 700,
       .sram_per_sm_bytes = 228 * KiB,
       .threads_per_sm = 2048,
       .product_seen_cycles = 190,
       .softmax_cycles_per_score = 1159.0 / 64,
       .compute_capability = 90,
       .copy_gb_per_s = 3029,
       .product_tflops = 798,
       .copy_from = RateFrom::MeasuredHere,
       .product_from = RateFrom::MeasuredHere,
       .mma_sync_share = 0.62},
      {.name = "h200",
       .title = "H200",
       .sms = 132,
       .sram_per_block_bytes = 227 * KiB,
       .l2_bytes = 60 * MiB,
       .hbm_gb = 141,
       .hbm_gb_per_s = 4800,
       .fp32_tflops = 67,
       .matrix16_tflops = 989,
       .clock_ghz = 1.83,
       .matrix16_flop_per_cycle = 4096,
       .exp_per_cycle = 16,
       .fp32_lanes = 128,
       .l2_bytes_per_cycle = 49.7,
       .l2_latency_cycles = 270,
       .dram_latency_cycles = 700,
       .sram_per_sm_bytes = 228 * KiB,
       .threads_per_sm = 2048,
       .product_seen_cycles = 190,
       .softmax_cycles_per_score = 1159.0 / 64,
       .compute_capability = 90,
       .copy_gb_per_s = 4275,
       .product_tflops = 811,
       .copy_from = RateFrom::MeasuredHere,
       .product_from = RateFrom::MeasuredHere,
       .mma_sync_share = 0.62,
       .load_clock_ghz = 1.755},
      {.name = "b200",
       .title = "B200",
       .sms = 148,
       .sram_per_block_bytes = 227 * KiB,
       .l2_bytes = 126 * MiB,
       .hbm_gb = 180,
       .hbm_gb_per_s = 8000,
       .fp32_tflops = 80,
       .matrix16_tflops = 2250,
       .clock_ghz = 1.85,
       .matrix16_flop_per_cycle = 8192,
       .exp_per_cycle = 16,
       .fp32_lanes = 128,
       .l2_bytes_per_cycle = 49.7,
       .l2_latency_cycles = 270,
       .dram_latency_cycles = 700,
       .sram_per_sm_bytes = 228 * KiB,
       .threads_per_sm = 2048,
       .compute_capability = 100,
       .product_tflops = 1745,
       .product_from = RateFrom::MeasuredByOthers,
       .mma_sync_share = 0.31},
  };
  return models;
}

std::optional<DeviceModel> device_named(const std::string& name) {
  for (const DeviceModel& model : device_models())
    if (spelled_alike(name, model.name) || spelled_alike(name, model.title)) return model;
  return std::nullopt;
}

namespace {
// Of a memory, by a copy: an H200's 4275 of 4800 GB/s (an H100 0.90). Other cards are assumed to come as near.
constexpr double kReachedBandwidth = 4275.0 / 4800;
}  // namespace

double DeviceModel::reached_bytes_per_s() const {
  return (copy_gb_per_s > 0 ? copy_gb_per_s : hbm_gb_per_s * kReachedBandwidth) * 1e9;
}

double DeviceModel::reached_flop_per_s() const {
  return (product_tflops > 0 ? product_tflops : matrix16_tflops) * 1e12;
}

double DeviceModel::reached_flop_per_cycle() const { return reached_flop_per_s() / (sms * reached_clock_hz()); }

const DeviceModel& device_of(const Machine& machine) { return device_of(machine.device); }

const DeviceModel& device_of(std::string_view name) {
  for (const DeviceModel& model : device_models())
    if (model.name == name) return model;
  throw std::logic_error("no device is called " + std::string(name));
}

std::string device_names() {
  std::string out;
  for (const DeviceModel& model : device_models()) add_to_list(out, model.name);
  return out;
}

}  // namespace tilewalk
