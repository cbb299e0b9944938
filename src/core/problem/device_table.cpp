// The table of GPUs. A GPU is one row of card_rows(); the first table has a row for an SM of each architecture.
//
// Sources. SMs, size and bandwidth of the memory, TFLOP/s, L2: NVIDIA's data sheets and white papers (Volta, Turing,
// GA100, GA102, Ada, Hopper, Blackwell, RTX Blackwell). B300, GB200, GH200 and the H100 PCIe: their data sheets as
// quoted by ml-engineering (compute/accelerator, 2026). Shared memory, threads per SM, compute capability: CUDA
// programming guide, compute capabilities. Clocks: the clock that gives the data sheet's tensor-core figure; 1830 MHz
// for H100 is the FlashAttention-3 paper's. exp a cycle: programming guide, throughput of arithmetic instructions.
// Where GeForce cards halve the rate of products that are summed in fp32, the halved figure is here: attention sums in
// fp32.
//
// Assumed, from no data sheet. All latencies, in round numbers of published microbenchmarks. L2 bytes a cycle: H100
// from the FlashAttention-3 paper's Table 1 (12 TB/s over 132 SMs at 1.83 GHz), A100 and V100 from the A100 white paper
// (5120 and 2048 B a clock); Blackwell's equal to H100's, all others from their class. L2 of GH200: an H200's. SMs, L2
// and clock of B300 and GB200: a B200's, with the clock that gives GB200's figure. GB10: its 1 PFLOP/s is for sparse
// fp4; fp16 is assumed to have an eighth of it, and half of that where sums are fp32, as on GeForce cards. H20: a
// quarter of an H100's product a cycle gives the data sheet's figure; mma.sync is assumed to reach it, since it is less
// than 62 % of an H100's. Cards of one architecture are assumed to have equal SMs.
//
// Measured. The delay until a product is seen, and the softmax of a single warpgroup: on an H200 with flash_v3's stamps
// (assets/measurements/flash_v3_stamps_h200_2026-11-21.csv, d 128, no overlap, N 2k and 8k). S is seen after 698 and
// 700 cycles where the product needs 512; the table has 190. Maxima, exponentials and sums of 64 x 128 scores, 64 a
// thread, take 1159 and 1163. Only tiles of 128 keys were stamped: it is assumed that one time is fixed and the other
// grows with the scores, and that other Hopper cards are equal. Reached rates: H200 from the races and parts measured
// here (assets/measurements/*_h200_*.csv: products of 788 to 811 TFLOP/s, copies of 4264 to 4299 GB/s; its clock under
// attention is 1.66 to 1.81 GHz by Nsight Compute and by parts, 1.755 in the table), H100 from the races there
// (assets/measurements/fast_forward_h100_2026-11-23.csv). Above d = 128 FA-3's own products pass the large product: 825
// and 834 TFLOP/s (assets/measurements/head_256_forward_*_2026-11-23.csv). Bytes of memory that H100 and H200 report:
// the notes of calls out of memory in the same races; both are a little less than as many GiB as the data sheet has GB.
// A100, B200, GB200 and B300: the largest product
// found by ml-engineering's MAMF search. T4: 24 TFLOP/s under its 70 W (forums.developer.nvidia.com, thread 264462).
// A card without a measured product has its data sheet's rate, unchanged: the loss comes from the power limit, and
// differs from card to card. A100, H100, H200 and B200 reach 0.87, 0.81, 0.82 and 0.78 of theirs, an L20 (Ada) 0.88 to
// 0.96, a GeForce RTX 5060 Ti 0.99, a T4 0.37. mma.sync on Hopper: 62 % of wgmma's rate, measured (kernels/NOTES.md);
// on data-centre Blackwell assumed half of that, as its tensor cores do twice as much a cycle. Maxima and conversions a
// cycle: programming guide, the same table as exp; 64 for every card here.
#include "core/problem/device_model.h"
#include "core/problem/measured_card.h"

namespace tilewalk {
namespace {

constexpr std::int64_t KiB = 1024;

// One SM of each architecture.
struct SmRow {
  int capability;
  std::int64_t sram_per_block, sram_per_sm;
  int threads, exp, fp32_lanes;
  double l2_bytes;  // a cycle
  int l2_latency, dram_latency;
  double product_seen = 0, softmax = 0, mma_sync_share = 1;
};
constexpr SmRow kVoltaSm{70, 96 * KiB, 96 * KiB, 2048, 16, 64, 25.6, 220, 550};
constexpr SmRow kTuringSm{75, 64 * KiB, 64 * KiB, 1024, 16, 64, 20, 220, 550};
constexpr SmRow kAmpereSm{80, 163 * KiB, 164 * KiB, 2048, 16, 64, 47.4, 250, 600};
constexpr SmRow kAmpere86Sm{86, 99 * KiB, 100 * KiB, 1536, 16, 128, 16, 250, 600};
constexpr SmRow kAdaSm{89, 99 * KiB, 100 * KiB, 1536, 16, 128, 16, 270, 700};
constexpr SmRow kHopperSm{90, 227 * KiB, 228 * KiB, 2048, 16, 128, 49.7, 270, 700, 190, 1159.0 / 64, 0.62};
constexpr SmRow kHopperExportSm{90, 227 * KiB, 228 * KiB, 2048, 16, 128, 49.7, 270, 700, 190, 1159.0 / 64};
constexpr SmRow kBlackwellSm{100, 227 * KiB, 228 * KiB, 2048, 16, 128, 49.7, 270, 700, 0, 0, 0.31};
constexpr SmRow kBlackwell103Sm{103, 227 * KiB, 228 * KiB, 2048, 32, 128, 49.7, 270, 700, 0, 0, 0.31};
constexpr SmRow kBlackwell120Sm{120, 99 * KiB, 100 * KiB, 1536, 16, 128, 16, 270, 700};
constexpr SmRow kBlackwell121Sm{121, 99 * KiB, 100 * KiB, 1536, 16, 128, 16, 270, 700};

struct DataSheet {
  int sms;
  double l2_mib, memory_gb, gb_per_s, fp32_tflops, matrix16_tflops, clock_ghz;
  int matrix16_flop_per_cycle;  // of one SM
};
struct Reached {
  double copy_gb_per_s = 0, product_tflops = 0, load_clock_ghz = 0;
  RateFrom copy_from{}, product_from{};
  std::int64_t memory_bytes = 0;
  double wide_tflops = 0;
};
struct CardRow {
  const char *name, *title;
  const SmRow& sm;
  DataSheet sheet;
  bool in_choices = false;
  Reached reached = {};
  std::vector<DeviceAlias> aliases = {};
};

Reached product_by_others(double tflops) {
  return {.product_tflops = tflops, .product_from = RateFrom::MeasuredByOthers};
}

// A call may name only a compute capability (sm_86): it gets the first row with that capability.
std::vector<CardRow> card_rows() {
  constexpr RateFrom here = RateFrom::MeasuredHere;
  return {
      //                                       SMs   L2   GB  GB/s  fp32 16-bit  GHz  a cycle
      {.name = "v100",
       .title = "V100 SXM2",
       .sm = kVoltaSm,
       .sheet = {80, 6, 32, 900, 15.7, 125, 1.53, 1024},
       .in_choices = true,
       .aliases = {{"v100-32gb"}, {"v100-16gb", "V100 16 GB"}, {"v100-pcie", "V100 PCIe"}, {"titan-v", "TITAN V"}}},
      {.name = "t4",
       .title = "T4",
       .sm = kTuringSm,
       .sheet = {40, 4, 16, 320, 8.1, 65, 1.59, 1024},
       .in_choices = true,
       .reached = product_by_others(24),
       .aliases = {{"t4g", "T4G"}}},
      {.name = "rtx2080ti",
       .title = "GeForce RTX 2080 Ti",
       .sm = kTuringSm,
       .sheet = {68, 5.5, 11, 616, 13.4, 53.8, 1.545, 512},
       .aliases = {{"rtx2080", "GeForce RTX 2080"}, {"rtx2070", "GeForce RTX 2070"}, {"rtx2060", "GeForce RTX 2060"}}},
      {.name = "a100",
       .title = "A100 80 GB SXM",
       .sm = kAmpereSm,
       .sheet = {108, 40, 80, 2039, 19.5, 312, 1.41, 2048},
       .in_choices = true,
       .reached = product_by_others(271),
       .aliases = {{"a100-80gb"}, {"a100-sxm"}, {"a100-pcie", "A100 PCIe"}, {"a800", "A800"}}},
      {.name = "a100-40gb",
       .title = "A100 40 GB SXM",
       .sm = kAmpereSm,
       .sheet = {108, 40, 40, 1555, 19.5, 312, 1.41, 2048},
       .reached = product_by_others(271)},
      {.name = "a30", .title = "A30", .sm = kAmpereSm, .sheet = {56, 24, 24, 933, 10.3, 165, 1.44, 2048}},
      {.name = "rtx3090",
       .title = "GeForce RTX 3090",
       .sm = kAmpere86Sm,
       .sheet = {82, 6, 24, 936, 35.6, 71, 1.695, 512},
       .in_choices = true,
       .aliases = {{"rtx3090ti", "GeForce RTX 3090 Ti"}}},
      {.name = "rtx3080",
       .title = "GeForce RTX 3080",
       .sm = kAmpere86Sm,
       .sheet = {68, 5, 10, 760, 29.8, 59.5, 1.71, 512},
       .aliases = {{"rtx3080ti", "GeForce RTX 3080 Ti"},
                   {"rtx3070", "GeForce RTX 3070"},
                   {"rtx3070ti", "GeForce RTX 3070 Ti"},
                   {"rtx3060", "GeForce RTX 3060"},
                   {"rtx3060ti", "GeForce RTX 3060 Ti"},
                   {"rtx3050", "GeForce RTX 3050"}}},
      {.name = "a10",
       .title = "A10",
       .sm = kAmpere86Sm,
       .sheet = {72, 6, 24, 600, 31.2, 125, 1.695, 1024},
       .aliases = {{"a10g", "A10G"}, {"a16", "A16"}, {"a2", "A2"}}},
      {.name = "a40", .title = "A40", .sm = kAmpere86Sm, .sheet = {84, 6, 48, 696, 37.4, 149.7, 1.74, 1024}},
      {.name = "a6000",
       .title = "RTX A6000",
       .sm = kAmpere86Sm,
       .sheet = {84, 6, 48, 768, 38.7, 154.8, 1.8, 1024},
       .aliases = {{"a5000", "RTX A5000"}, {"a4500", "RTX A4500"}, {"a4000", "RTX A4000"}, {"a2000", "RTX A2000"}}},
      {.name = "rtx4090",
       .title = "GeForce RTX 4090",
       .sm = kAdaSm,
       .sheet = {128, 72, 24, 1008, 82.6, 165.2, 2.52, 512},
       .in_choices = true,
       .aliases = {{"rtx4090d", "GeForce RTX 4090 D"}}},
      {.name = "rtx4080",
       .title = "GeForce RTX 4080",
       .sm = kAdaSm,
       .sheet = {76, 64, 16, 716.8, 48.7, 97.5, 2.505, 512},
       .aliases = {{"rtx4080super", "GeForce RTX 4080 SUPER"},
                   {"rtx4070", "GeForce RTX 4070"},
                   {"rtx4070ti", "GeForce RTX 4070 Ti"},
                   {"rtx4070super", "GeForce RTX 4070 SUPER"},
                   {"rtx4070tisuper", "GeForce RTX 4070 Ti SUPER"},
                   {"rtx4060", "GeForce RTX 4060"},
                   {"rtx4060ti", "GeForce RTX 4060 Ti"},
                   {"rtx4050", "GeForce RTX 4050"}}},
      {.name = "l4",
       .title = "L4",
       .sm = kAdaSm,
       .sheet = {58, 48, 24, 300, 30.3, 121, 2.04, 1024},
       .in_choices = true},
      {.name = "l40",
       .title = "L40",
       .sm = kAdaSm,
       .sheet = {142, 96, 48, 864, 90.5, 181, 2.49, 512},
       .aliases = {{"l20", "L20"}}},
      {.name = "l40s", .title = "L40S", .sm = kAdaSm, .sheet = {142, 96, 48, 864, 91.6, 362, 2.52, 1024}},
      {.name = "rtx6000ada",
       .title = "RTX 6000 Ada",
       .sm = kAdaSm,
       .sheet = {142, 96, 48, 960, 91.1, 364.2, 2.505, 1024},
       .aliases = {{"rtx5000ada", "RTX 5000 Ada"}, {"rtx4500ada", "RTX 4500 Ada"}, {"rtx4000ada", "RTX 4000 Ada"}}},
      {.name = "h100",
       .title = "H100 SXM",
       .sm = kHopperSm,
       .sheet = {132, 50, 80, 3350, 67, 989, 1.83, 4096},
       .in_choices = true,
       .reached = {3029, 798, 0, here, here, 85'017'493'504, 834},
       .aliases = {{"h100-80gb"}, {"h100-nvl", "H100 NVL"}, {"h800", "H800"}}},
      {.name = "h200",
       .title = "H200",
       .sm = kHopperSm,
       .sheet = {132, 60, 141, 4800, 67, 989, 1.83, 4096},
       .in_choices = true,
       .reached = {4275, 811, 1.755, here, here, 150'109'880'320, 825},
       .aliases = {{"h200-sxm"}, {"h200-nvl", "H200 NVL"}, {"gh200-144gb", "GH200 144 GB"}}},
      {.name = "h100-pcie", .title = "H100 PCIe", .sm = kHopperSm, .sheet = {114, 50, 80, 2000, 51, 756, 1.62, 4096}},
      {.name = "gh200", .title = "GH200 96 GB", .sm = kHopperSm, .sheet = {132, 60, 96, 4000, 67, 989, 1.83, 4096}},
      {.name = "h20", .title = "H20", .sm = kHopperExportSm, .sheet = {78, 60, 96, 4000, 44, 148, 1.86, 1024}},
      {.name = "b200",
       .title = "B200",
       .sm = kBlackwellSm,
       .sheet = {148, 126, 180, 8000, 80, 2250, 1.85, 8192},
       .in_choices = true,
       .reached = product_by_others(1745),
       .aliases = {{"b100", "B100"}}},
      {.name = "gb200",
       .title = "GB200 (one GPU)",
       .sm = kBlackwellSm,
       .sheet = {148, 126, 186, 8000, 80, 2500, 2.062, 8192},
       .reached = product_by_others(1822)},
      {.name = "b300",
       .title = "B300",
       .sm = kBlackwell103Sm,
       .sheet = {148, 126, 288, 8000, 80, 2250, 1.85, 8192},
       .reached = product_by_others(1769),
       .aliases = {{"gb300", "GB300"}}},
      {.name = "rtx5090",
       .title = "GeForce RTX 5090",
       .sm = kBlackwell120Sm,
       .sheet = {170, 96, 32, 1792, 104.8, 209.5, 2.407, 512},
       .aliases = {{"rtx5090d", "GeForce RTX 5090 D"}}},
      {.name = "rtx5080",
       .title = "GeForce RTX 5080",
       .sm = kBlackwell120Sm,
       .sheet = {84, 64, 16, 960, 56.3, 112.6, 2.617, 512},
       .aliases = {{"rtx5070", "GeForce RTX 5070"},
                   {"rtx5070ti", "GeForce RTX 5070 Ti"},
                   {"rtx5060", "GeForce RTX 5060"},
                   {"rtx5060ti", "GeForce RTX 5060 Ti"},
                   {"rtx5050", "GeForce RTX 5050"}}},
      {.name = "rtxpro6000",
       .title = "RTX PRO 6000 Blackwell",
       .sm = kBlackwell120Sm,
       .sheet = {188, 128, 96, 1792, 125, 503.8, 2.617, 1024},
       .aliases = {{"rtxpro5000", "RTX PRO 5000 Blackwell"}, {"rtxpro4500", "RTX PRO 4500 Blackwell"}}},
      {.name = "gb10",
       .title = "GB10 (DGX Spark)",
       .sm = kBlackwell121Sm,
       .sheet = {48, 24, 128, 273, 31, 62, 2.52, 512},
       .aliases = {{"dgx-spark"}, {"spark"}}},
  };
}

DeviceModel model_of(const CardRow& row) {
  const DataSheet& sheet = row.sheet;
  const SmRow& sm = row.sm;
  return {.name = row.name,
          .title = row.title,
          .aliases = row.aliases,
          .in_choices = row.in_choices,
          .sms = sheet.sms,
          .sram_per_block_bytes = sm.sram_per_block,
          .l2_bytes = std::int64_t(sheet.l2_mib * 1024 * KiB),
          .hbm_gb = sheet.memory_gb,
          .hbm_gb_per_s = sheet.gb_per_s,
          .fp32_tflops = sheet.fp32_tflops,
          .matrix16_tflops = sheet.matrix16_tflops,
          .clock_ghz = sheet.clock_ghz,
          .matrix16_flop_per_cycle = sheet.matrix16_flop_per_cycle,
          .exp_per_cycle = sm.exp,
          .fp32_lanes = sm.fp32_lanes,
          .l2_bytes_per_cycle = sm.l2_bytes,
          .l2_latency_cycles = sm.l2_latency,
          .dram_latency_cycles = sm.dram_latency,
          .sram_per_sm_bytes = sm.sram_per_sm,
          .threads_per_sm = sm.threads,
          .product_seen_cycles = sm.product_seen,
          .softmax_cycles_per_score = sm.softmax,
          .compute_capability = sm.capability,
          .copy_gb_per_s = row.reached.copy_gb_per_s,
          .product_tflops = row.reached.product_tflops,
          .wide_tflops = row.reached.wide_tflops,
          .copy_from = row.reached.copy_from,
          .product_from = row.reached.product_from,
          .mma_sync_share = sm.mma_sync_share,
          .load_clock_ghz = row.reached.load_clock_ghz,
          .reported_memory_bytes = row.reached.memory_bytes};
}

}  // namespace

const std::vector<DeviceModel>& device_models() {
  static const std::vector<DeviceModel> models = [] {
    std::vector<DeviceModel> out;
    for (const CardRow& row : card_rows()) out.push_back(model_of(row));
    return out;
  }();
  return models;
}

const DeviceModel& pace_card() { return device_of("h100"); }
const DeviceModel& head_pace_card() { return device_of("h200"); }
const DeviceModel& bulk_pace_card() { return device_of("h200"); }

}  // namespace tilewalk
