// The roofs of a card: what it can do at most, or what it was measured to do (core/problem/device_model says which).
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "core/problem/device_model.h"

namespace tilewalk {

struct Ceilings {
  double bytes_per_s = 0, flop_per_s = 0, mma_sync_flop_per_s = 0, exp_per_s = 0;
  double other_per_s = 0;  // fp32 operations that are no product
  std::string source;      // one sentence
};
Ceilings ceilings_of(const DeviceModel&);

// A card of one's own: another's multiprocessors with the bandwidth and the rate typed in, taken as what it reaches.
// A rate as someone types it for a card of their own, in GB/s or TFLOP/s: above 0, at most 10^7.
Result<double> card_rate(const std::string& field, const std::string& text);
DeviceModel own_card(const DeviceModel& like, std::optional<double> gb_per_s, std::optional<double> tflops);

}  // namespace tilewalk
