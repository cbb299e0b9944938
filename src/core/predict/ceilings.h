// The roofs of a card: its peak rates, or the rates that were measured on it (core/problem/device_model says which).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "core/problem/device_model.h"

namespace tilewalk {

struct Ceilings {
  double bytes_per_s = 0, flop_per_s = 0, mma_sync_flop_per_s = 0, exp_per_s = 0;
  double fp32_flop_per_s = 0;  // of products in fp32, which tensor cores do not compute
  double other_per_s = 0;      // fp32 operations outside products
  std::string source;          // one sentence, without its full stop
};
Ceilings ceilings_of(const DeviceModel&, std::int64_t d = 1);  // d: the head size (DeviceModel::highest_flop_per_s)

// What its copy and its products rest on: "a measured copy, and a measured large product".
std::string basis_of_rates(const DeviceModel&);

// Parses a rate that the user types for a card of their own, in GB/s or TFLOP/s: above 0, at most 10^7.
Result<double> card_rate(const std::string& field, const std::string& text);
// A card of the user's own: the multiprocessors of `like` with the given bandwidth and rate, used as reached rates.
DeviceModel own_card(const DeviceModel& like, std::optional<double> gb_per_s, std::optional<double> tflops,
                     RateFrom = RateFrom::Typed);

}  // namespace tilewalk
