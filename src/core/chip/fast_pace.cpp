#include "core/chip/fast_pace.h"

#include <algorithm>

#include "base/divide.h"

namespace tilewalk {
namespace {

using enum Contender;

constexpr FastPace kPaces[] = {{FlashV2, 32, 128, 64, 3, 1.45, {1.45, 1.72, 2.51}, {0.853, 1.241, 1.657}},
                               {FlashV2, 64, 128, 64, 3, 2.3, {0.1, 0.9, 2.97}, {1.249, 1.750, 2.438}},
                               {FlashV2, 64, 128, 64, 2, 0.46, {1.95, 2.97}, {1.192, 1.646}},
                               {FlashV2, 64, 128, 128, 2, 1.66, {1.49, 3.01}, {2.443, 3.409}},
                               {FlashV2, 96, 128, 64, 2, 3.42, {0.61, 4.92}, {1.716, 2.158}, 1.55},
                               {FlashV2, 128, 128, 64, 2, 2.78, {1.21, 5.56}, {1.946, 2.737}, 2.26},
                               {FlashV2, 32, 64, 128, 3, 0.92, {0.42, 0.76, 1.11}, {1.115, 1.566, 1.991}},
                               {FlashV2, 64, 64, 128, 3, 0.88, {0.70, 1.31, 1.68}, {1.440, 2.101, 2.833}},
                               {FlashV2, 96, 64, 128, 2, 1.44, {0.91, 2.56}, {1.917, 2.705}},
                               {FlashV2, 128, 64, 128, 2, 0.45, {1.75, 2.40}, {2.269, 3.427}},
                               {FlashV2, 160, 64, 64, 2, 1.89, {0.98, 4.62}, {1.503, 1.982}},
                               {FlashV2, 192, 64, 64, 2, 1.45, {0.99, 4.31}, {1.606, 2.403}, 1.74},
                               {FlashV2, 256, 64, 64, 2, 2.99, {0.64, 5.24}, {2.161, 3.222}, 2.29},
                               {FlashV3, 32, 192, 128, 1, 2.49, {1.37}, {1.292}, 0, {0.58, 0.80}},
                               {FlashV3, 32, 128, 128, 1, 2.40, {1.56}, {1.021}, 0, {0.72, 1}},
                               {FlashV3, 32, 64, 128, 2, 2.34, {0.76, 1.39}, {0.742, 1.127}},
                               {FlashV3, 32, 64, 64, 3, 2.37, {0.31, 0.84, 1.79}, {0.467, 0.650, 0.865}},
                               {FlashV3, 48, 192, 128, 1, 2.66, {1.40}, {1.400}, 0, {0.58, 0.80}},
                               {FlashV3, 48, 128, 128, 1, 2.62, {1.54}, {1.104}, 0, {0.72, 1}},
                               {FlashV3, 48, 64, 128, 2, 2.37, {0.85, 1.67}, {0.834, 1.369}},
                               {FlashV3, 48, 64, 64, 3, 2.50, {0.32, 0.91, 2.23}, {0.516, 0.774, 1.067}},
                               {FlashV3, 64, 192, 128, 1, 2.49, {1.60}, {1.394}, 0, {0.58, 0.80}},
                               {FlashV3, 64, 128, 128, 1, 2.18, {1.15}, {1.211}, 0, {0.72, 1}},
                               {FlashV3, 64, 64, 128, 2, 2.16, {0.94, 1.56}, {0.837, 1.16}},
                               {FlashV3, 64, 64, 64, 3, 2.43, {0.38, 0.77, 1.71}, {0.460, 0.640, 0.852}},
                               {FlashV3, 96, 128, 128, 1, 2.72, {1.97}, {1.328}, 0, {0.86, 1}},
                               {FlashV3, 112, 128, 128, 1, 3.28, {1.78}, {1.486}, 0, {0.755, 1}},
                               {FlashV3, 128, 128, 128, 1, 3.24, {2.19}, {1.424}, 0, {0.755, 1}},
                               {FlashV3, 160, 128, 112, 1, 4.49, {3.56}, {1.638}, 0, {0.80, 1}},
                               {FlashV3, 192, 128, 112, 1, 3.32, {4.63}, {1.629}, 0, {0.685, 1}},
                               {FlashV3, 256, 128, 64, 1, 3.80, {5.51}, {1.247}, 0, {0.71, 1}}};

// By the variant alone, for either kernel.
constexpr FastPace kFewRowsPace{FlashV3, 64, 16, 128, 4, 0, {0.3, 0.3, 0.3, 0.3}, {0.39, 0.48, 0.57, 0.66}};
constexpr FastPace kBulkRowsPace{FlashV3, 64, 16, 128, 4, 0, {0.3, 0.3, 0.3, 0.3}, {0.6, 0.75, 0.93, 1.1}};

constexpr FastPace kWideBulkRowsPace{FlashV3, 128, 16, 128, 2, 0, {0.3, 0.3}, {0.6, 0.75}};  // above d = 64

constexpr int kWarpsOfV2 = 4;              // of a thread block of flash_v2
constexpr std::int64_t kRowsOfGroup = 64;  // of a warpgroup
constexpr double kItemOfRows = 0.5;        // of an item's time: its loads of Q and stores of O

}  // namespace

double FastPace::visit_share(std::int64_t present) const {
  const std::int64_t groups = ceil_div(present, kRowsOfGroup);
  return groups >= 1 && groups * kRowsOfGroup < rows ? visit_of_groups[groups - 1] : 1;
}

double FastPace::visit_us_of(int together, std::int64_t present) const {
  if (kernel != FlashV2) return visit_us[together - 1];
  const std::int64_t busy = std::clamp<std::int64_t>(ceil_div(present * kWarpsOfV2, rows), 1, kWarpsOfV2);
  const double at = std::max(0.0, double(together) * double(busy) / kWarpsOfV2 - 1);  // beside the first block
  const int below = int(at), above = std::min(below + 1, together - 1);
  return visit_us[below] + (at - below) * (visit_us[above] - visit_us[below]);
}

double item_share(std::int64_t present, std::int64_t rows) {
  return 1 - kItemOfRows * double(rows - present) / double(rows);
}

const FastPace* pace_of_build(Contender kernel, const fast::BuildPace& build, const DeviceModel& device) {
  if (device.compute_capability != kHopper) return nullptr;
  for (const FastPace& pace : kPaces)
    if (pace.kernel == kernel && pace.d == build.d && pace.rows == build.rows && pace.keys == build.keys &&
        pace.blocks == build.blocks)
      return &pace;
  return nullptr;
}

const FastPace* pace_of_build(Contender kernel, const fast::BuildChoice& choice, const DeviceModel& device) {
  if (!fast::is_of_few_rows(choice.variant)) return pace_of_build(kernel, choice.build, device);
  if (device.compute_capability != kHopper) return nullptr;
  if (choice.variant != fast::kBulkRowsVariant) return &kFewRowsPace;
  return choice.build.d > 64 ? &kWideBulkRowsPace : &kBulkRowsPace;
}

std::int64_t copied_columns(const fast::BuildChoice& choice, std::int64_t d) {
  const std::int64_t chunks = ceil_div(d, 8);
  if (choice.variant == fast::kFewRowsVariant) return 8 * (chunks | 1);
  return choice.variant == fast::kBulkRowsVariant ? 8 * chunks : 0;
}

}  // namespace tilewalk
