// Devices by name: what one SM may hold and how fast the card is, from data sheets and the CUDA programming guide.
// Figures are dense peaks. Not modelled: clocks under load, ECC, partitioned GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

struct DeviceModel {
  std::string name;            // "h200", the spelling of --device
  std::string title;           // "H200"
  int sms = 0;
  std::int64_t sram_per_block_bytes = 0;  // most shared memory one thread block may have
  std::int64_t l2_bytes = 0;
  double hbm_gb_per_s = 0;     // 1e9 bytes per second
  double fp32_tflops = 0;
  double matrix16_tflops = 0;  // fp16/bf16 tensor cores, fp32 accumulate
};

const std::vector<DeviceModel>& device_models();
std::optional<DeviceModel> device_named(const std::string&);
std::string device_names();  // "v100, t4, …", for messages

}  // namespace tilewalk
