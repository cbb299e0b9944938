#include "core/predict/run_time.h"

#include <algorithm>

#include "core/chip/fast_pace.h"
#include "core/chip/head_pace.h"
#include "core/chip/l2_model.h"
#include "core/predict/ceilings.h"
#include "core/problem/measured_card.h"
#include "core/problem/section_plan.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostBundles = 1 << 16;
constexpr std::int64_t kOddPiece = 32;  // bytes
constexpr double kJoin = 2.5e-6, kJoinBytesPerS = 3e12;
constexpr double kJoinOfColumn = 0.01e-6;  // at least, for each column: a row's parts are read in turn
// FA-3's parts of one Q tile, of whose build no pace was measured: its first loads, last visit and stores
// (pace_shared_heads_h200_2026-11-30.csv, which has whole calls of few rows).
constexpr double kOneTileStart = 4.6e-6 - kJoinOfColumn * 128;
constexpr double kLeastLatency = 1.0e-6;

std::int64_t sections_of(Contender kernel, const Shape& shape, const DeviceModel& device) {
  const std::int64_t heads = shape.heads * shape.batch, d = (shape.d + 7) / 8 * 8;
  return fast::section_count(kernel, {heads, shape.head_group(), shape.n_q, shape.n_kv, d}, device.sms);
}

}  // namespace

void take_launches(RunTime& out, double launch_s) {
  out.processor_s = out.launches * launch_s;
  out.by_processor = kSlowerProcessor * out.processor_s > out.seconds;
}

RunTime run_time(const Schedule& schedule) { return run_time(schedule, device_of(schedule.problem().machine)); }

namespace {

// The kernel that joins the parts of divided tiles: it may be placed while the parts still run, then reads them from
// L2. Measured alone (join in launches_h100_2026-11-27.csv).
double join_s(const fast::BuildChoice& build, std::int64_t n_q, bool few_rows) {
  const double rows = double(std::min<std::int64_t>(build.build.rows, n_q));  // it reads the rows that are there
  const double bytes = double(build.part_slots()) * rows * double(build.build.d) * 4;
  return kJoin + std::max(few_rows ? 0 : kJoinOfColumn * double(build.build.d), bytes / kJoinBytesPerS);
}

// FA-3's build by bulk copies above d = 64, joining included: by the estimate that divides its keys, which knows how
// many thread blocks the memory needs. All but what a call takes at least is K and V's bytes.
double bulk_copies_s(const fast::BuildChoice& build, const DeviceModel& device) {
  const double slower = bulk_pace_card().reached_bytes_per_s() / device.reached_bytes_per_s();
  return (fast::kWideUs + (build.plan.us - fast::kWideUs) * slower) * 1e-6;
}

// What a launch's first thread blocks take longer: a latency, and the first tiles of all of them at the memory's rate.
// Where DRAM sets the time of the launch, the latency and one visit come beside its bytes.
struct Start {
  double latency_s = 0, loads_s = 0, one_visit_s = 0;
};
Start start_of(const FastPace& pace, const Problem& p, const DeviceModel& device, std::int64_t blocks) {
  const DeviceModel& there = pace_card();
  const auto seconds = [](double rows, std::int64_t columns, const DeviceModel& card) {
    return rows * double(columns) * 2 / card.reached_bytes_per_s();
  };
  // It was measured with as many Q tiles as fit at once, and one K and V.
  const double full = double(pace.blocks) * there.sms * double(pace.rows);
  const double now = std::min(double(blocks), double(pace.blocks) * device.sms);
  const double heads = std::min(now, double(p.shape.kv_heads * p.shape.batch));
  const std::int64_t present = std::min(pace.rows, p.shape.n_q);
  const double keys = 2 * double(std::min(pace.keys, p.shape.n_kv)), rows = double(present);
  const double one_visit = pace.item_us[0] * pace.item_share(present) + pace.visit_us[0] * pace.visit_share(present);
  return {std::max(kLeastLatency, pace.first_us * 1e-6 - seconds(full, pace.d, there)),
          seconds(now * rows + heads * keys, std::min(pace.d, p.shape.d), device), one_visit * 1e-6};
}

RunTime time_of(const Schedule& schedule, const DeviceModel& device, std::int64_t most_spans) {
  const Problem& p = schedule.problem();
  const ScheduleRow& row = row_of(p);
  RunTime out;
  const bool causal = is_causal(p.shape.mask.kind);
  const std::optional<fast::BuildChoice> build = build_of(p, device);
  out.waves = build_waves(
      schedule, {.order = row.chip.longest_first && causal ? BlockOrder::LongestFirst : BlockOrder::FirstToLast,
                 .sections = row.chip.longest_first ? sections_of(row.chip.built_as, p.shape, device) : 1,
                 .most_blocks = kMostBundles,
                 .most_spans = most_spans,
                 .device = &device,
                 .build = build ? &*build : nullptr});
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
  double dram_s = out.dram_bytes / device.reached_bytes_per_s();
  if (const FastPace* const pace = build ? pace_of_build(row.chip.built_as, *build, device) : nullptr) {
    const Start start = start_of(*pace, p, device, out.waves.blocks);
    seconds += start.latency_s + start.loads_s;
    dram_s += start.latency_s + start.one_visit_s;
  }
  if (build && build->variant == fast::kOneTileVariant) seconds += kOneTileStart, dram_s += kOneTileStart;
  if (const std::int64_t columns = build ? copied_columns(*build, p.shape.d) : 0)
    dram_s *= double(columns) / double(p.shape.d);
  if (const HeadPace* const pace = head_pace(p, device)) seconds += pace->first(p, device) * 1e-6;
  if (p.shape.d * p.numerics.element_bytes() % kOddPiece != 0) seconds *= row.chip.odd_rows;
  out.seconds = std::max(seconds, dram_s) + launches_s(out.launches);
  if (build && build->plan.divided())
    out.seconds += join_s(*build, p.shape.n_q, copied_columns(*build, p.shape.d) > 0), ++out.launches;
  if (build && build->variant == fast::kBulkRowsVariant && p.shape.d > 64) out.seconds = bulk_copies_s(*build, device);
  if (build)  // a pace may be of a card that was cooler: no page has a time above its own roof
    out.seconds = std::max(out.seconds, double(textbook(p).flops) / ceilings_of(device, p.shape.d).flop_per_s);
  take_launches(out, kOwnLaunch);
  return out;
}

}  // namespace

RunTime run_time(const Schedule& schedule, const DeviceModel& device, std::int64_t most_spans) {
  const Problem computed = as_computed(schedule.problem());
  if (computed == schedule.problem()) return time_of(schedule, device, most_spans);
  return time_of(*make_schedule(computed), device, most_spans);  // its spans have heads of K and V
}

}  // namespace tilewalk
