// The roofs of a card: what it can do at most, or what it was measured to do (core/problem/device_model says which).
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "core/problem/device_model.h"

namespace tilewalk {

struct Ceilings {
  double bytes_per_s = 0, flop_per_s = 0, mma_sync_flop_per_s = 0, exp_per_s = 0;
  double fp32_flop_per_s = 0;  // of products in fp32, which tensor cores do not take
  double other_per_s = 0;      // fp32 operations that are no product
  std::string source;          // one sentence, without its full stop
};
Ceilings ceilings_of(const DeviceModel&);

// What its copy and its products rest on: "a measured copy, and a measured large product".
std::string basis_of_rates(const DeviceModel&);

// A rate as someone types it for a card of their own, in GB/s or TFLOP/s: above 0, at most 10^7.
Result<double> card_rate(const std::string& field, const std::string& text);
// A card of one's own: another's multiprocessors with the bandwidth and the rate given, taken as what it reaches.
DeviceModel own_card(const DeviceModel& like, std::optional<double> gb_per_s, std::optional<double> tflops,
                     RateFrom = RateFrom::Typed);

}  // namespace tilewalk
