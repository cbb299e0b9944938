#include "core/predict/ceilings.h"

#include "base/parse.h"

namespace tilewalk {

Ceilings ceilings_of(const DeviceModel& device) {
  Ceilings out;
  out.bytes_per_s = device.reached_bytes_per_s();
  out.flop_per_s = device.reached_flop_per_s();
  out.mma_sync_flop_per_s = out.flop_per_s * device.mma_sync_share;
  out.exp_per_s = double(device.exp_per_cycle) * device.sms * device.reached_clock_hz();
  out.other_per_s = double(device.fp32_lanes) * device.sms * device.reached_clock_hz();
  out.source = device.copy_gb_per_s > 0 && device.product_tflops > 0
                   ? device.title + ": a copy and a large product, measured on it"
                   : device.title + ": the data sheet, less what an H200 loses of its own where nobody measured";
  return out;
}

Result<double> card_rate(const std::string& field, const std::string& text) {
  constexpr double kMost = 1e7;
  const std::optional<double> value = parse_real(text);
  if (value && *value > 0 && *value <= kMost) return *value;
  return Issue{field, text, "must be a number above 0, at most 10,000,000", ""};
}

DeviceModel own_card(const DeviceModel& like, std::optional<double> gb_per_s, std::optional<double> tflops) {
  DeviceModel out = like;
  if (!gb_per_s && !tflops) return out;
  out.title = "your GPU, like " + like.title;
  if (gb_per_s) out.copy_gb_per_s = out.hbm_gb_per_s = *gb_per_s;
  if (tflops) out.product_tflops = out.matrix16_tflops = *tflops;
  return out;
}

}  // namespace tilewalk
