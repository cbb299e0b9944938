#include "core/predict/backward_pace.h"

#include <algorithm>

namespace tilewalk {
namespace {

using enum Contender;

constexpr BackwardPace kPaces[] = {
    {FlashV2Backward, 32, 2, 2.31, 3.17, 2.688},   {FlashV2Backward, 64, 1, 1.84, 4.18, 4.313},
    {FlashV2Backward, 96, 1, 0.65, 6.27, 3.190},   {FlashV2Backward, 128, 1, 1.54, 6.83, 3.900},
    {FlashV2Backward, 160, 1, 0.61, 10.01, 5.709}, {FlashV2Backward, 192, 1, 1.90, 6.54, 3.614},
    {FlashV2Backward, 256, 1, 2.96, 7.75, 5.048},  {FlashV3Backward, 64, 1, 3.58, 5.09, 2.236},
    {FlashV3Backward, 128, 1, 5.08, 6.60, 1.924}};

}  // namespace

const BackwardPace* backward_pace(Contender kernel, std::int64_t built_d, const DeviceModel& device) {
  if (device.compute_capability != kHopper || device.product_from != RateFrom::MeasuredHere) return nullptr;
  const auto at = std::find_if(std::begin(kPaces), std::end(kPaces),
                               [&](const BackwardPace& pace) { return pace.kernel == kernel && pace.d == built_d; });
  return at == std::end(kPaces) ? nullptr : at;
}

}  // namespace tilewalk
