#include "core/predict/predict.h"

#include <algorithm>
#include <cmath>

#include "core/chip/l2_model.h"
#include "core/chip/waves.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr double kBetweenLaunches = 4.6e-6;  // of a stream, measured alone (parts_h200_2026-11-22.csv)
constexpr std::int64_t kMostBundles = 1 << 16;

double in_ms(double seconds) { return seconds * 1e3; }

// Calls in a row: while the card works on one, the processor launches the next. The slower of the two sets the pace.
void take_time(Prediction& out, double card_s, int launches) {
  const double processor_s = launches * out.method->launch_s;
  out.by_processor = kSlowerProcessor * processor_s > card_s;
  out.predicted_ms = in_ms(std::max(card_s, processor_s));
}

void take_operations(Prediction& out, const DeviceModel& device) {
  out.operations = out.method->operations(out.call, device);
  double seconds = 0;
  int launches = 0;
  for (const Operation& op : out.operations) {
    seconds += op.seconds;
    launches += op.launches;
    out.hbm_bytes += op.bytes;
    out.dram_bytes += op.dram_bytes;
  }
  take_time(out, seconds, launches);
}

void take_tiles(Prediction& out, const DeviceModel& device) {
  const AttentionCall& call = out.call;
  const Problem walked = walked_by(*out.method, call, device);
  const auto schedule = make_schedule(walked);
  const Traffic asked = schedule->totals_before(schedule->step_count()).cost.hbm_total();
  out.hbm_bytes = double(asked.read_bytes + asked.write_bytes);
  if (out.method->kernels) {
    const KernelCost cost = out.method->kernels(call, device);
    out.dram_bytes = cost.dram_bytes;
    take_time(out, cost.seconds + 3 * kBetweenLaunches, 1);
    return;
  }
  const Traffic dram = estimate_l2(*schedule, {.l2_bytes = device.l2_bytes}).dram_total();
  out.dram_bytes = double(dram.read_bytes + dram.write_bytes);

  const Problem built = built_for(walked);
  const WavesOptions options{.order = call.causal ? BlockOrder::LongestFirst : BlockOrder::FirstToLast,
                             .sections = out.method->sections ? out.method->sections(call) : 1,
                             .most_blocks = kMostBundles,
                             .device = &device,
                             .shared_bytes = tile_of(*out.method, call, device).shared_bytes};
  double seconds = build_waves(built, options).cycles / device.reached_clock_hz();
  if (std::int64_t(double(call.d) * call.element_bytes()) % 32 != 0) seconds *= out.method->odd_rows;
  seconds = std::max(seconds, out.dram_bytes / device.reached_bytes_per_s());
  take_time(out, seconds + kBetweenLaunches, 1);
}

std::string basis(const DeviceModel& device) {
  if (device.copy_gb_per_s > 0 && device.product_tflops > 0) return {};
  std::string text = "Rests on ";
  text += device.product_tflops > 0 ? "a product rate that others measured"
                                    : "the data sheet's product rate, less what an H200 loses";
  text += device.copy_gb_per_s > 0 ? "" : " and the data sheet's bandwidth, less what an H200 loses";
  return text + "; nothing was measured on this GPU here.";
}

}  // namespace

const char* name_of(Roof roof) {
  static const char* const names[] = {"bytes", "products", "exponentials"};
  return names[int(roof)];
}

double Prediction::roofline_ms() const { return std::max({floor_bytes_ms, floor_flops_ms, floor_exp_ms}); }

Roof Prediction::binds() const {
  if (floor_bytes_ms >= floor_flops_ms && floor_bytes_ms >= floor_exp_ms) return Roof::Bytes;
  return floor_flops_ms >= floor_exp_ms ? Roof::Products : Roof::Exponentials;
}

std::string why_not_run(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  if (std::string why = why_not_there(c, call, device); !why.empty()) return why;
  const double io = 4 * double(call.n) * double(call.d) * double(call.all_heads()) * call.element_bytes();
  const double extra = c.held_bytes ? c.held_bytes(call) : 0;
  if (io + extra <= device.hbm_gb * 1e9) return {};
  return "Its scores do not fit: they take " + std::to_string(std::int64_t(extra / 1e9)) + " GB of the " +
         std::to_string(std::int64_t(device.hbm_gb)) + " GB that " + device.title + " has";
}

Prediction predict(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  Prediction out;
  out.method = &c;
  out.call = call;
  out.flops = call.flops() * (c.backward ? 2.5 : 1);
  out.note = why_not_run(c, call, device);
  out.extra_bytes = c.held_bytes ? c.held_bytes(call) : 0;
  if (!out.note.empty() || !c.modelled()) {
    out.there = false;
    if (out.note.empty()) out.note = "Recorded, not modelled";
    return out;
  }
  c.operations ? take_operations(out, device) : take_tiles(out, device);
  const Ceilings roof = ceilings_of(device);
  out.floor_bytes_ms = in_ms(out.dram_bytes / roof.bytes_per_s);
  out.floor_flops_ms = in_ms(out.flops / roof.flop_per_s);
  out.floor_exp_ms = in_ms(call.exponentials() / roof.exp_per_s);
  if (c.paper_s) out.paper_ms = in_ms(c.paper_s(call, device));
  out.note = basis(device);
  if (out.by_processor)
    out.note = "So little work that the processor's launches may set the time, on each machine another" +
               (out.note.empty() ? "." : ". " + out.note);
  return out;
}

}  // namespace tilewalk
