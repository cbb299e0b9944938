#include "core/device_model.h"

namespace tilewalk {

const std::vector<DeviceModel>& device_models() {
  constexpr std::int64_t KiB = 1024;
  constexpr std::int64_t MiB = 1024 * 1024;
  static const std::vector<DeviceModel> models = {
      {"v100", "V100 SXM2", 80, 96 * KiB, 6 * MiB, 900, 15.7, 125},
      {"t4", "T4", 40, 64 * KiB, 4 * MiB, 320, 8.1, 65},
      {"a100", "A100 80 GB SXM", 108, 163 * KiB, 40 * MiB, 2039, 19.5, 312},
      {"rtx3090", "GeForce RTX 3090", 82, 99 * KiB, 6 * MiB, 936, 35.6, 71},
      {"rtx4090", "GeForce RTX 4090", 128, 99 * KiB, 72 * MiB, 1008, 82.6, 165.2},
      {"l4", "L4", 58, 99 * KiB, 48 * MiB, 300, 30.3, 121},
      {"h100", "H100 SXM", 132, 227 * KiB, 50 * MiB, 3350, 67, 989},
      {"h200", "H200", 132, 227 * KiB, 60 * MiB, 4800, 67, 989},
      {"b200", "B200", 148, 227 * KiB, 126 * MiB, 8000, 80, 2250},
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
