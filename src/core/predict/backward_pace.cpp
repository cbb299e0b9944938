#include "core/predict/backward_pace.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace tilewalk {
namespace {

using enum Contender;

constexpr BackwardPace kPaces[] = {
    {FlashV2Backward, 32, 0, 2, 2.31, 3.17, 2.688},   {FlashV2Backward, 64, 0, 1, 1.84, 4.18, 4.313},
    {FlashV2Backward, 96, 0, 1, 0.65, 6.27, 3.190},   {FlashV2Backward, 128, 0, 1, 1.54, 6.83, 3.900},
    {FlashV2Backward, 160, 0, 1, 0.61, 10.01, 5.709}, {FlashV2Backward, 192, 0, 1, 1.90, 6.54, 3.614},
    {FlashV2Backward, 256, 0, 1, 2.96, 7.75, 5.048},  {FlashV3Backward, 64, 0, 1, 3.58, 5.09, 2.236},
    {FlashV3Backward, 128, 0, 1, 5.08, 6.60, 1.924}};

constexpr BackwardPace kOfShortRows[] = {{FlashV2Backward, 128, 0, 1, 4, 4.65, 3.80, 0.1, 1.1, 0.975, 0.985, 6},
                                         {FlashV3Backward, 64, 0, 1, 2, 4.3, 2.24, 0.1, 1, 0.98, 0.91, 4},
                                         {FlashV3Backward, 128, 0, 1, 5, 4.35, 1.94, 0.5, 0.6, 0.98, 0.91, 4}};

constexpr BackwardPace kOfAllKeys[] = {
    {FlashV3Backward, 64, 128, 1, 0.19, 2.81, 2.71, 0, 1, 0.815, 1, 2.42, 0.164},
    {FlashV3Backward, 64, 192, 1, 0, 2.87, 1.69, 0, 0.118, 0.98, 1, 1.61, 0.097},
    {FlashV3Backward, 128, 128, 1, 0.157, 4.13, 2.10, 0.05, 0.739, 0.717, 1, 3.58, 0.195}};

const BackwardPace* find(std::span<const BackwardPace> paces, Contender kernel, std::int64_t built_d,
                         std::int64_t all_keys = 0) {
  const auto at = std::find_if(paces.begin(), paces.end(), [&](const BackwardPace& pace) {
    return pace.kernel == kernel && pace.d == built_d && pace.all_keys == all_keys;
  });
  return at == paces.end() ? nullptr : &*at;
}

}  // namespace

double BackwardPace::both(double visits_s, double bytes_s) const {
  if (exponent == 0) return std::max(visits_s, bytes_s);
  return std::pow(std::pow(visits_s, exponent) + std::pow(bytes_s, exponent), 1 / exponent);
}

const BackwardPace* backward_pace(Contender kernel, std::int64_t built_d, const DeviceModel& device, bool short_rows,
                                  std::int64_t all_keys) {
  if (device.compute_capability != kHopper || device.product_from != RateFrom::MeasuredHere) return nullptr;
  if (all_keys > 0) return find(kOfAllKeys, kernel, built_d, all_keys);
  const BackwardPace* const of_short = short_rows ? find(kOfShortRows, kernel, built_d) : nullptr;
  return of_short ? of_short : find(kPaces, kernel, built_d);
}

}  // namespace tilewalk
