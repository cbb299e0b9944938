// GPUs by name: the compute capability, the memory of one SM and the rates of the card. One table for the models, the
// rules of dispatch and the kernels; its rows and their sources are in device_table.cpp. Figures are dense peaks; a
// figure from no data sheet is marked there as assumed. A name is matched by its letters and digits, in upper or lower
// case, with or without NVIDIA, Tesla, GeForce or RTX before it: "rtx4090", "4090", "NVIDIA GeForce RTX 4090".
// Not modelled: clocks that change under load, ECC, partitioned GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/problem/problem.h"

namespace tilewalk {

// The source of a rate that a card reaches.
enum class RateFrom { DataSheet, MeasuredHere, MeasuredByOthers, Typed };

// Another name of a row of the table.
struct DeviceAlias {
  const char* name;            // "a100-80gb"
  const char* card = nullptr;  // "A800": another card, which uses the row's figures; null: the row's own card
};

struct DeviceModel {
  std::string name;   // "h200", the spelling of --device
  std::string title;  // "H200"
  std::vector<DeviceAlias> aliases;
  bool in_choices = false;  // offered in lists that have room for only a few cards
  int sms = 0;
  std::int64_t sram_per_block_bytes = 0;  // most shared memory one thread block may have
  std::int64_t l2_bytes = 0;
  double hbm_gb = 0;        // of the data sheet, whose "GB" of memory is 2^30 bytes
  double hbm_gb_per_s = 0;  // 1e9 bytes per second
  double fp32_tflops = 0;
  double matrix16_tflops = 0;  // fp16/bf16 tensor cores, fp32 accumulate

  // What one SM does in one cycle, for core/chip/timeline and core/chip/waves.
  double clock_ghz = 0;             // under tensor-core load where a source says so, else boost
  int matrix16_flop_per_cycle = 0;  // fp16/bf16 tensor cores of one SM
  int exp_per_cycle = 0;            // special-function unit
  int fp32_lanes = 0;               // fp32 operations a cycle; a fused multiply-add is one
  double l2_bytes_per_cycle = 0;    // one SM's share of the L2 bandwidth when all SMs read
  int l2_latency_cycles = 0;        // latency of a load that L2 serves
  int dram_latency_cycles = 0;      // latency of a load that DRAM serves
  std::int64_t sram_per_sm_bytes = 0;
  int threads_per_sm = 0;
  int compare_per_cycle = 64;           // fp32 maxima, and conversions of two values to 16 bits
  double product_seen_cycles = 0;       // from a wgmma's end until its warpgroup has seen it; 0: not known
  double softmax_cycles_per_score = 0;  // softmax of a single warpgroup, per score of a thread; 0: not known

  // Reached rates, for the model of time (core/chip/visit_pace): 0 where nobody measured them.
  int compute_capability = 0;  // 80, 90, …
  double copy_gb_per_s = 0;    // a device-to-device copy, bytes read and written
  double product_tflops = 0;   // a large product of random bf16 numbers by the vendor's library
  double wide_tflops = 0;      // the products of a recorded kernel above d = 128, where they are faster than that one
  RateFrom copy_from{}, product_from{};
  bool measured_here() const { return copy_from == RateFrom::MeasuredHere && product_from == RateFrom::MeasuredHere; }
  double mma_sync_share = 1;           // of that rate, with the instruction that all cards since Ampere have
  double load_clock_ghz = 0;           // under attention; 0: clock_ghz
  double reached_bytes_per_s() const;  // measured, or the share of the data sheet that an H200 reaches
  double reached_flop_per_s()
      const;  // measured, or the data sheet's: the loss to the power limit differs from card to card
  double highest_flop_per_s(std::int64_t d) const;  // the roof: no recorded call of this head size passes it
  double reached_flop_per_cycle() const;            // of one SM, at reached_clock_hz()
  double reached_clock_hz() const { return (load_clock_ghz > 0 ? load_clock_ghz : clock_ghz) * 1e9; }

  // All SMs together; an SM reads or writes 128 bytes of its shared memory a cycle (CUDA programming guide).
  double sram_bytes() const { return double(sms) * double(sram_per_sm_bytes); }
  double sram_gb_per_s() const { return 128.0 * sms * clock_ghz; }
  std::int64_t reported_memory_bytes = 0;  // that the card reports to programs; 0: no recording has it
  double memory_bytes() const {
    return reported_memory_bytes > 0 ? double(reported_memory_bytes) : hbm_gb * double(1 << 30);
  }
  double hbm_bytes_per_cycle() const { return hbm_gb_per_s / clock_ghz; }  // the whole card
};

// "80 GiB that A100 has by its data sheet", "140 GiB that H200 reports (data sheet: 141 GB)": after "they take 256 GiB
// of the ".
std::string memory_words(const DeviceModel&);

inline constexpr double kSmPortBytesPerCycle = 64;  // the most that one SM reads from L2 in a cycle

// Compute capabilities at which kernels and rules differ.
inline constexpr int kTuring = 75, kAmpere = 80, kHopper = 90;

const std::vector<DeviceModel>& device_models();
std::optional<DeviceModel> device_named(const std::string&);  // by name, title or alias
std::string device_title(const std::string& name);            // of its row; the name itself where there is none
// Says which card's figures are used for a card without its own, one sentence; empty for a row's own card.
std::string stand_in_sentence(const std::string& name);
// Why no row has this name: not known, older than tensor cores, or another maker's. known: further words that the field
// accepts, such as ", or cpu".
Issue no_such_device(const std::string& field, const std::string& name, const std::string& known = "");
// The device of a validated problem; throws std::logic_error for an unknown name.
const DeviceModel& device_of(const Machine&);
const DeviceModel& device_of(std::string_view name);  // likewise
// The first row of a compute capability (86 is sm_86), or of the next lower one in the table.
const DeviceModel& device_of_capability(int capability);
// The row whose title is part of a driver's card name: "H200" of "NVIDIA H200". Null: none.
const DeviceModel* device_like(const std::string& card_name);
std::string device_names();  // "v100, t4, …", for messages

}  // namespace tilewalk
