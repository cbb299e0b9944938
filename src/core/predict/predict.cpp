#include "core/predict/predict.h"

#include <algorithm>
#include <cmath>

#include "core/chip/l2_model.h"
#include "core/chip/waves.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

// Between two launches of a stream, and what the processor needs before a launch: an operation of PyTorch, a launch by
// way of this project's interface. Measured alone (parts_h200_2026-11-22.csv, operations_h200_2026-11-22.csv: the mean
// of calls on next to nothing), on that machine's processor.
constexpr double kBetweenLaunches = 4.6e-6, kPyTorchOperation = 19e-6, kOwnLaunch = 14e-6, kLibraryLaunch = 11e-6;
constexpr std::int64_t kMostBundles = 1 << 16;
constexpr double kOtherOps = 5;  // of paper's FA-3, a score

double in_ms(double seconds) { return seconds * 1e3; }

// The longer the card works, the more of the processor's time for a launch hides behind it.
double beside_the_processor(double card, double processor) { return std::hypot(card, processor); }

void take_operations(Prediction& out, double host_of_launch) {
  double seconds = 0;
  int launches = 0;
  for (const Operation& op : out.operations) {
    seconds += op.seconds;
    launches += op.launches;
    out.hbm_bytes += op.bytes;
    out.dram_bytes += op.dram_bytes;
  }
  out.predicted_ms = in_ms(beside_the_processor(seconds, launches * host_of_launch));
}

// Bytes that must be held at the same time beside Q, K, V and O.
double held(const AttentionMethod& c, const AttentionCall& call) {
  const double matrix = call.scores() * call.element_bytes();
  if (c.id == std::string("eager")) return 2 * matrix + (call.causal ? double(call.n) * double(call.n) : 0);
  if (c.id == std::string("naive")) return matrix;
  return 0;
}

void take_tiles(Prediction& out, const DeviceModel& device) {
  const AttentionCall& call = out.call;
  const Problem walked = walked_by(*out.method, call, device);
  const auto schedule = make_schedule(walked);
  const Traffic asked = schedule->totals_before(schedule->step_count()).cost.hbm_total();
  const Traffic dram = estimate_l2(*schedule, {.l2_bytes = device.l2_bytes}).dram_total();
  out.hbm_bytes = double(asked.read_bytes + asked.write_bytes);
  out.dram_bytes = double(dram.read_bytes + dram.write_bytes);

  const Problem built = built_for(walked);
  const WavesOptions options{.order = call.causal ? BlockOrder::LongestFirst : BlockOrder::FirstToLast,
                             .most_blocks = kMostBundles,
                             .device = &device,
                             .shared_bytes = tile_of(*out.method, call, device).shared_bytes};
  double seconds = build_waves(built, options).cycles / device.reached_clock_hz();
  seconds = std::max(seconds, out.dram_bytes / device.reached_bytes_per_s());
  out.predicted_ms = in_ms(beside_the_processor(seconds + kBetweenLaunches, kOwnLaunch));
}

std::optional<double> on_paper(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device);
  const std::string id = c.id;
  if (id == "naive") return in_ms(4 * call.scores() * call.element_bytes() / roof.bytes_per_s);
  const double exponentials = call.exponentials() / roof.exp_per_s;
  if (id == "flash_v2") return in_ms(call.flops() / roof.mma_sync_flop_per_s + exponentials);
  if (id != "flash_v3") return std::nullopt;
  const double others = call.exponentials() * kOtherOps / (device.fp32_lanes * device.sms * device.reached_clock_hz());
  return in_ms(std::max(call.flops() / roof.flop_per_s, exponentials + others));
}

std::string basis(const DeviceModel& device) {
  if (device.copy_gb_per_s > 0 && device.product_tflops > 0) return {};
  std::string text = "Rests on ";
  text += device.product_tflops > 0 ? "a product rate that others measured"
                                    : "the data sheet's product rate, less what an H200 loses";
  text += device.copy_gb_per_s > 0 ? "" : " and the data sheet's bandwidth, less what an H200 loses";
  return text + "; nothing was measured on this card here.";
}

}  // namespace

Ceilings ceilings_of(const DeviceModel& device) {
  Ceilings out;
  out.bytes_per_s = device.reached_bytes_per_s();
  out.flop_per_s = device.reached_flop_per_s();
  out.mma_sync_flop_per_s = out.flop_per_s * device.mma_sync_share;
  out.exp_per_s = double(device.exp_per_cycle) * device.sms * device.reached_clock_hz();
  out.source = device.copy_gb_per_s > 0 && device.product_tflops > 0
                   ? device.title + ": a copy and a large product, measured in the recorded run"
                   : device.title + ": the data sheet, less what an H200 loses of its own where nobody measured";
  return out;
}

DeviceModel own_card(const DeviceModel& like, std::optional<double> gb_per_s, std::optional<double> tflops) {
  DeviceModel out = like;
  if (!gb_per_s && !tflops) return out;
  out.title = "your card, like " + like.title;
  if (gb_per_s) out.copy_gb_per_s = out.hbm_gb_per_s = *gb_per_s;
  if (tflops) out.product_tflops = out.matrix16_tflops = *tflops;
  return out;
}

const char* name_of(Roof roof) {
  static const char* const names[] = {"bytes", "products", "exponentials"};
  return names[int(roof)];
}

double Prediction::roofline_ms() const { return std::max({floor_bytes_ms, floor_flops_ms, floor_exp_ms}); }

Roof Prediction::binds() const {
  if (floor_bytes_ms >= floor_flops_ms && floor_bytes_ms >= floor_exp_ms) return Roof::Bytes;
  return floor_flops_ms >= floor_exp_ms ? Roof::Products : Roof::Exponentials;
}

Prediction predict(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  Prediction out;
  out.method = &c;
  out.call = call;
  out.flops = call.flops() * (c.backward ? 2.5 : 1);
  out.note = why_not_there(c, call, device);
  const double io = 4 * double(call.n) * double(call.d) * double(call.all_heads()) * call.element_bytes();
  out.extra_bytes = held(c, call);
  if (out.note.empty() && io + out.extra_bytes > device.hbm_gb * 1e9)
    out.note = "Its scores do not fit: they take " + std::to_string(std::int64_t(out.extra_bytes / 1e9)) +
               " GB of the " + std::to_string(std::int64_t(device.hbm_gb)) + " GB that " + device.title + " has";
  if (!out.note.empty() || c.modelled_as == ModelledAs::RecordedOnly) {
    out.there = false;
    if (out.note.empty()) out.note = "Recorded, not modelled";
    return out;
  }
  if (c.modelled_as == ModelledAs::Operations) {
    const bool eager = c.id == std::string("eager");
    out.operations = eager ? eager_operations(call, device) : naive_operations(call, device);
    take_operations(out, eager ? kPyTorchOperation : kLibraryLaunch);
  } else {
    take_tiles(out, device);
  }
  const Ceilings roof = ceilings_of(device);
  out.floor_bytes_ms = in_ms(out.dram_bytes / roof.bytes_per_s);
  out.floor_flops_ms = in_ms(out.flops / roof.flop_per_s);
  out.floor_exp_ms = in_ms(call.exponentials() / roof.exp_per_s);
  out.paper_ms = on_paper(c, call, device);
  out.note = basis(device);
  return out;
}

std::vector<Prediction> predict_all(const AttentionCall& call, const DeviceModel& device) {
  std::vector<Prediction> out;
  for (const AttentionMethod& c : attention_methods())
    if (c.modelled_as != ModelledAs::RecordedOnly) out.push_back(predict(c, call, device));
  return out;
}

}  // namespace tilewalk
