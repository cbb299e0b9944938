#include "core/predict/ceilings.h"

#include "base/parse.h"

namespace tilewalk {
namespace {

const char* copy_text(RateFrom from) {
  switch (from) {
    case RateFrom::DataSheet: return "the data sheet's bandwidth, less the 11 % that a copy loses on an H200";
    case RateFrom::MeasuredHere: return "a measured copy";
    case RateFrom::MeasuredByOthers: return "a copy that others measured";
    case RateFrom::Typed: return "a bandwidth as typed";
  }
  return "";
}

const char* product_text(RateFrom from) {
  switch (from) {
    case RateFrom::DataSheet: return "the data sheet's product rate, which the power limit may reduce";
    case RateFrom::MeasuredHere: return "a measured large product";
    case RateFrom::MeasuredByOthers: return "a product rate that others measured";
    case RateFrom::Typed: return "a product rate as typed";
  }
  return "";
}

}  // namespace

std::string basis_of_rates(const DeviceModel& device) {
  return std::string(copy_text(device.copy_from)) + ", and " + product_text(device.product_from);
}

Ceilings ceilings_of(const DeviceModel& device, std::int64_t d) {
  Ceilings out;
  out.bytes_per_s = device.reached_bytes_per_s();
  out.flop_per_s = device.highest_flop_per_s(d);
  out.mma_sync_flop_per_s = device.reached_flop_per_s() * device.mma_sync_share;
  out.exp_per_s = double(device.exp_per_cycle) * device.sms * device.reached_clock_hz();
  out.other_per_s = double(device.fp32_lanes) * device.sms * device.reached_clock_hz();
  out.fp32_flop_per_s = device.fp32_tflops * 1e12;
  out.source = device.title + ": " + basis_of_rates(device);
  if (out.flop_per_s > device.reached_flop_per_s()) out.source += ", or above d = 128 a faster recorded call's";
  return out;
}

Result<double> card_rate(const std::string& field, const std::string& text) {
  constexpr double kMost = 1e7;
  const std::optional<double> value = parse_real(text);
  if (value && *value > 0 && *value <= kMost) return *value;
  return Issue{field, text, "must be a number above 0, at most 10,000,000", ""};
}

DeviceModel own_card(const DeviceModel& like, std::optional<double> gb_per_s, std::optional<double> tflops,
                     RateFrom from) {
  DeviceModel out = like;
  if (!gb_per_s && !tflops) return out;
  out.title = "your GPU, like " + like.title;
  if (gb_per_s) out.copy_gb_per_s = out.hbm_gb_per_s = *gb_per_s, out.copy_from = from;
  if (tflops) out.product_tflops = out.matrix16_tflops = *tflops, out.wide_tflops = 0, out.product_from = from;
  return out;
}

}  // namespace tilewalk
