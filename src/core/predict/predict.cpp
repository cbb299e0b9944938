#include "core/predict/predict.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/chip/visit_pace.h"
#include "core/predict/launch_costs.h"
#include "core/predict/operation_rates.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr double kAlignedNumbers = 8;

double in_ms(double seconds) { return seconds * 1e3; }

void take_time(Prediction& out, RunTime run) {
  take_launches(run, out.method->launch_s);
  out.by_processor = run.by_processor;
  out.processor_ms = in_ms(run.processor_s);
  out.predicted_ms = in_ms(run.seconds);
}

void take_operations(Prediction& out, const DeviceModel& device) {
  out.operations = out.method->operations(out.call, device);
  RunTime run{.launches = 0};
  for (const Operation& op : out.operations) {
    run.seconds += op.seconds;
    run.launches += op.launches;
    out.hbm_bytes += op.bytes;
    out.dram_bytes += op.dram_bytes;
  }
  run.seconds += launches_s(run.launches);
  take_time(out, std::move(run));
}

CardFilling filling_of(const Problem& walked, const DeviceModel& device, const Waves& w) {
  const std::int64_t beside = (w.blocks + device.sms - 1) / device.sms;
  const int together = int(std::min<std::int64_t>(std::max(1, w.occupancy.blocks_per_sm), beside));
  const Problem built = built_for(walked);
  const bool lone = !row_of(built).chip.softmax_beside_products && has_lone_warps(built, together);
  return {w.blocks, w.waves, w.sms, w.occupancy.blocks_per_sm, w.sms_in_first_wave, w.last_wave_fill, lone};
}

void take_tiles(Prediction& out, const DeviceModel& device) {
  const Problem walked = walked_by(*out.method, out.call, device);
  out.tile = {walked.tiling.br, walked.tiling.bc};
  const auto schedule = make_schedule(walked);
  const Traffic asked = schedule->totals_before(schedule->step_count()).cost.hbm_total();
  out.hbm_bytes = double(asked.bytes());
  if (out.method->kernels) {
    const KernelCost cost = out.method->kernels(out.call, device);
    out.dram_bytes = cost.dram_bytes;
    take_time(out, {.seconds = cost.seconds + launches_s(cost.launches), .launches = cost.launches});
    return;
  }
  RunTime run = run_time(*schedule, device);
  out.dram_bytes = run.dram_bytes;
  out.filling = filling_of(walked, device, run.waves);
  take_time(out, std::move(run));
}

// The methods by hand are for as many keys as rows: in decoding bytes set the time, and tiles have few rows.
void take_paper(Prediction& out, const DeviceModel& device) {
  if (!out.call.square()) return;
  if (out.filling) out.waves = paper_waves(*out.method, out.call, device, out.tile, out.filling->blocks_per_sm);
  if (out.waves) out.paper_short_ms = in_ms(out.waves->seconds);
  if (out.method->who != Contender::Naive) return;
  if (const std::optional<double> naive = naive_in_short_rows(out.call, device)) out.paper_short_ms = in_ms(*naive);
}

}  // namespace

const char* name_of(Roof roof) {
  static const char* const names[] = {"bytes", "products", "exponentials"};
  return names[int(roof)];
}

double Prediction::roofline_ms() const { return std::max({floor_bytes_ms, floor_flops_ms, floor_exp_ms}); }

Roof Prediction::binds() const {
  if (floor_bytes_ms >= products_ms && floor_bytes_ms >= floor_exp_ms) return Roof::Bytes;
  return products_ms >= floor_exp_ms ? Roof::Products : Roof::Exponentials;
}

bool fits_in_memory(const AttentionCall& call, double extra_bytes, const DeviceModel& device) {
  return call.in_and_out() * call.element_bytes() + extra_bytes <= device.memory_bytes();
}

std::string why_not_run(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  if (std::string why = why_not_there(c, call, device); !why.empty()) return why;
  const double io = call.in_and_out() * call.element_bytes(), extra = c.extra_bytes ? c.extra_bytes(call) : 0;
  if (fits_in_memory(call, extra, device)) return {};
  const bool scores = fits_in_memory(call, 0, device);
  return (scores ? "Its scores do not fit: with Q, K, V and O they take " : "Q, K, V and O do not fit: they take ") +
         format_bytes(std::llround(io + (scores ? extra : 0))) + " of the " + memory_words(device);
}

Prediction predict(const AttentionMethod& c, const AttentionCall& call, const DeviceModel& device) {
  Prediction out;
  out.method = &c;
  out.call = call;
  out.flops = call.flops() * (c.backward ? 2.5 : 1);
  out.note = why_not_run(c, call, device);
  out.extra_bytes = c.extra_bytes ? c.extra_bytes(call) : 0;
  if (!out.note.empty() || !c.modelled()) {
    out.there = false;
    if (out.note.empty()) out.note = "Recorded, not modelled";
    return out;
  }
  c.operations ? take_operations(out, device) : take_tiles(out, device);
  const Ceilings roof = ceilings_of(device, call.d);
  const double products = call.dtype == DType::Fp32 ? roof.fp32_flop_per_s : roof.flop_per_s;
  out.floor_bytes_ms = in_ms(out.dram_bytes / roof.bytes_per_s);
  out.floor_flops_ms = in_ms(out.flops / products);
  out.floor_exp_ms = in_ms(call.exponentials() / roof.exp_per_s);
  out.products_ms = by_mma_sync(c) ? in_ms(out.flops / roof.mma_sync_flop_per_s) : out.floor_flops_ms;
  if (c.pencil_s && call.square()) out.pencil_ms = in_ms(c.pencil_s(call, device));
  take_paper(out, device);
  return out;
}

std::optional<Prediction> padded(const Prediction& p, const DeviceModel& device) {
  const RowsAt at = rows_at(p.call.keys(), p.call.dtype);
  if (!p.there || !p.method->operations || at == RowsAt::Bytes32 || at == RowsAt::Bytes16) return std::nullopt;
  AttentionCall longer = p.call;
  longer.n = std::int64_t(std::ceil(double(p.call.n) / kAlignedNumbers) * kAlignedNumbers);
  Prediction out = predict(*p.method, longer, device);
  return out.predicted_ms ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace tilewalk
