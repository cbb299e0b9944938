#include "core/predict/run_time.h"

#include <algorithm>

#include "core/chip/l2_model.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostBundles = 1 << 16;
constexpr std::int64_t kSectionBytes = std::int64_t(24) << 20;  // of K and V, 16 bit, of the heads of a section
constexpr std::int64_t kOddPiece = 32;                          // bytes

std::int64_t sections_in_l2(const Shape& shape) {
  const std::int64_t heads = shape.heads * shape.batch, d = (shape.d + 7) / 8 * 8;
  const std::int64_t most =
      std::clamp<std::int64_t>(kSectionBytes * shape.head_group() / (4 * shape.n_kv * d), 1, heads);
  return (heads + most - 1) / most;
}

}  // namespace

void take_launches(RunTime& out, double launch_s) {
  const double processor_s = out.launches * launch_s;
  out.by_processor = kSlowerProcessor * processor_s > out.card_s;
  out.seconds = std::max(out.card_s, processor_s);
}

RunTime run_time(const Schedule& schedule) { return run_time(schedule, device_of(schedule.problem().machine)); }

RunTime run_time(const Schedule& schedule, const DeviceModel& device, std::int64_t most_spans) {
  const Problem& p = schedule.problem();
  const ScheduleRow& row = row_of(p);
  RunTime out;
  const bool causal = is_causal(p.shape.mask.kind);
  out.waves = build_waves(
      schedule, {.order = row.chip.longest_first && causal ? BlockOrder::LongestFirst : BlockOrder::FirstToLast,
                 .sections = row.chip.longest_first ? sections_in_l2(p.shape) : 1,
                 .most_blocks = kMostBundles,
                 .most_spans = most_spans,
                 .device = &device});
  const Traffic dram = estimate_l2(schedule, {.l2_bytes = device.l2_bytes}).dram_total();
  out.dram_bytes = double(dram.bytes());
  const bool one_launch = row.walk.block == BlockKind::Head;
  double cycles = out.waves.cycles;
  if (!one_launch) {
    const RunCycles run = run_cycles(schedule, device, out.waves);
    cycles = run.total();
    out.limit = run.limit;
    out.launches = schedule.section_count();
  }
  double seconds = cycles / device.reached_clock_hz();
  if (p.shape.d * p.numerics.element_bytes() % kOddPiece != 0) seconds *= row.chip.odd_rows;
  out.card_s = std::max(seconds, out.dram_bytes / device.reached_bytes_per_s()) + out.launches * kBetweenLaunches;
  take_launches(out, kOwnLaunch);
  return out;
}

}  // namespace tilewalk
