#include "core/chip/timeline.h"

#include <algorithm>
#include <tuple>

#include "core/chip/lane_program.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kExactVisits = 48;  // GroupCycles

// Steps of an operation: [first, end) counted from the start of its visit, or of the group where it lies outside
// visits.
struct PhaseSteps {
  int first, end;
};

PhaseSteps steps_in_visit(Doing doing, bool flash_v1) {
  switch (doing) {
    case Doing::LoadQ:
    case Doing::LoadK:
    case Doing::LoadV:
    case Doing::LoadState: return {0, 1};
    case Doing::Scores: return {1, 3};
    case Doing::RowMax: return {3, 4};
    case Doing::Rescale: return flash_v1 ? PhaseSteps{6, 7} : PhaseSteps{4, 5};
    case Doing::Exponentiate: return flash_v1 ? PhaseSteps{4, 5} : PhaseSteps{5, 6};
    case Doing::RowSum: return flash_v1 ? PhaseSteps{5, 6} : PhaseSteps{6, 7};
    case Doing::Accumulate: return {7, 8};
    case Doing::Normalise: return {8, 9};
    case Doing::Store: return {9, 10};
    case Doing::Waiting: break;
  }
  return {0, 0};
}

struct Interval {
  double start, end;
  std::int32_t op;
};

// Stretches in which no row of the lane works, told by what the next operation waited for.
void add_waiting(Timeline& out, const LaneProgram& program, const LaneRun& run, int lane) {
  std::vector<Interval> work;
  for (std::size_t i = 0; i < program.ops.size(); ++i)
    if (program.ops[i].lane == lane && run.times[i].end > run.times[i].start)
      work.push_back({run.times[i].start, run.times[i].end, std::int32_t(i)});
  std::sort(work.begin(), work.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  double reached = 0;
  TimelineLane& totals = out.lanes[std::size_t(lane)];
  for (const Interval& next : work) {
    if (next.start > reached) {
      const LaneTimes& t = run.times[std::size_t(next.op)];
      WaitFor why = WaitFor::Memory;
      if (t.last >= 0) {
        const LaneOp& op = program.ops[std::size_t(next.op)];
        const std::size_t at = std::size_t(std::find(op.after.begin(), op.after.end(), t.last) - op.after.begin());
        why = program.what[std::size_t(next.op)].why[at];
      }
      const double issued = std::clamp(t.last >= 0 ? t.issued : reached, reached, next.start);
      Segment s;
      s.lane = lane;
      s.start = reached;
      s.end = issued;
      s.wait = why;
      if (s.end > s.start) out.segments.push_back(s);
      s.start = issued;
      s.end = next.start;
      s.wait = WaitFor::Memory;
      if (s.end > s.start) out.segments.push_back(s);
      if (reached > 0) totals.stall += next.start - reached;
    }
    totals.busy += std::max(0.0, next.end - std::max(reached, next.start));
    reached = std::max(reached, next.end);
  }
}

}  // namespace

const char* name_of(Doing doing) {
  switch (doing) {
    case Doing::LoadQ: return "load Q";
    case Doing::LoadK: return "load K";
    case Doing::LoadV: return "load V";
    case Doing::LoadState: return "load Q, O, m, ℓ";
    case Doing::Scores: return "QKᵀ";
    case Doing::RowMax: return "row max";
    case Doing::Rescale: return "rescale";
    case Doing::Exponentiate: return "exp";
    case Doing::RowSum: return "row sum";
    case Doing::Accumulate: return "P·V";
    case Doing::Normalise: return "normalise";
    case Doing::Store: return "store";
    case Doing::Waiting: return "waiting";
  }
  return "";
}

const char* reason_of(WaitFor wait) {
  switch (wait) {
    case WaitFor::Nothing: return "";
    case WaitFor::Tile: return "a tile on its way from memory";
    case WaitFor::Stage: return "an empty stage of the buffer";
    case WaitFor::Turn: return "its turn at the tensor cores";
    case WaitFor::Scores: return "a product to finish";
    case WaitFor::Softmax: return "the softmax";
    case WaitFor::Correction: return "O to be rescaled";
    case WaitFor::Partner: return "the other consumer to release a tile";
    case WaitFor::Memory: return "the first bytes from memory";
  }
  return "";
}

bool has_lanes(ScheduleKind kind) {
  return kind == ScheduleKind::FlashV1 || kind == ScheduleKind::FlashV2 || kind == ScheduleKind::FlashV3 ||
         kind == ScheduleKind::FlashV4 || kind == ScheduleKind::SplitKv;
}

std::int64_t thread_blocks(const Problem& p) {
  const std::int64_t heads = p.shape.batch * p.shape.heads;
  if (p.schedule == ScheduleKind::FlashV1) return heads;
  return heads * p.q_tiles() * (p.schedule == ScheduleKind::SplitKv ? p.tiling.splits : 1);
}

MemoryShare memory_share(const Problem& p, const DeviceModel& device) {
  const std::int64_t busy = std::min<std::int64_t>(device.sms, thread_blocks(p));
  const std::int64_t of_one_head = (p.schedule == ScheduleKind::FlashV1 ? 1 : p.q_tiles()) * (p.shape.heads / p.shape.kv_heads);
  const std::int64_t readers = std::max<std::int64_t>(1, std::min(of_one_head, busy));
  MemoryShare share;
  share.l2_share = 1.0 - 1.0 / double(readers);
  const double from_l2 = std::min(kSmPortBytesPerCycle, device.l2_bytes_per_cycle * device.sms / double(busy));
  const double from_dram = std::min(kSmPortBytesPerCycle, device.hbm_bytes_per_cycle() / double(busy));
  share.bytes_per_cycle = 1.0 / std::max(1.0 / from_l2, (1.0 - share.l2_share) / from_dram);
  share.latency_cycles = share.l2_share >= 0.5 ? device.l2_latency_cycles : device.dram_latency_cycles;
  return share;
}

Timeline build_timeline(const Schedule& schedule, const TimelineOptions& options) {
  const Problem& p = schedule.problem();
  Timeline out;
  const DeviceModel& device = device_of(p.machine);
  out.memory = options.memory.bytes_per_cycle > 0 ? options.memory : memory_share(p, device);
  if (!has_lanes(p.schedule)) return out;
  const int section = schedule.visit_section();
  const std::int64_t first = schedule.first_step_of_group(section, options.batch, options.head, options.group);
  const std::int64_t end = schedule.end_step_of_group(section, options.batch, options.head, options.group);
  if (end == first) return out;
  out.visits = schedule.step(first).visits_in_group;
  out.simulated_visits = std::min(out.visits, options.most_visits);
  const LaneProgram program = lane_program(p, device, out.memory, out.simulated_visits, options.rescaled);
  const LaneRun run = run_lanes(program.ops);
  out.deadlock = run.deadlock;
  if (out.deadlock || out.visits == 0) return out;
  out.lanes = program.lanes;
  out.busy = run.busy;
  out.simulated_cycles = out.cycles = run.cycles;
  if (out.visits > out.simulated_visits) {
    const std::int64_t half = out.simulated_visits / 2;
    const double before =
        half == 0 ? 0 : run_lanes(lane_program(p, device, out.memory, half, options.rescaled).ops).cycles;
    out.cycles +=
        (run.cycles - before) / double(out.simulated_visits - half) * double(out.visits - out.simulated_visits);
  }

  const bool flash_v1 = p.schedule == ScheduleKind::FlashV1;
  const std::int64_t phases = flash_v1 ? 10 : 8;
  double products = 0;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const LaneOp& op = program.ops[i];
    const ProgramOp& what = program.what[i];
    if (what.doing == Doing::Scores || what.doing == Doing::Accumulate)
      products += op.work[int(LaneResource::TensorCores)] + op.work[int(LaneResource::Fp32)];
    Segment s;
    s.lane = op.lane;
    s.row = op.row;
    s.start = run.times[i].start;
    s.end = run.times[i].end;
    s.doing = what.doing;
    s.half = what.half;
    s.work = op.work;
    s.q_tile = flash_v1 ? -1 : p.schedule == ScheduleKind::SplitKv ? options.group / p.tiling.splits : options.group;
    if (what.visit >= 0) {
      const std::int64_t visit_step = first + 1 + what.visit * phases;
      const PhaseSteps in = steps_in_visit(what.doing, flash_v1);
      const Step step = schedule.step(visit_step);
      s.q_tile = step.q_tile;
      s.kv_tile = step.kv_tile;
      s.first_step = visit_step + in.first;
      s.end_step = visit_step + in.end;
    } else if (what.doing == Doing::Normalise || what.doing == Doing::Store) {
      s.first_step = what.doing == Doing::Store ? end - 1 : end - 2;
      s.end_step = s.first_step + 1;
    } else {
      if (flash_v1) s.kv_tile = options.group;
      s.first_step = first;
      s.end_step = first + 1;
    }
    out.segments.push_back(s);
  }
  out.product_utilisation = run.cycles > 0 ? products / run.cycles : 0;
  for (int lane = 0; lane < int(out.lanes.size()); ++lane) add_waiting(out, program, run, lane);
  std::stable_sort(out.segments.begin(), out.segments.end(), [](const Segment& a, const Segment& b) {
    return std::tie(a.lane, a.row, a.start) < std::tie(b.lane, b.row, b.start);
  });
  return out;
}

GroupCycles::GroupCycles(const Problem& p, const MemoryShare& memory)
    : p_(p), memory_(memory), known_(std::size_t(kExactVisits) + 1) {}

const GroupCycles::Known& GroupCycles::simulated(std::int64_t visits) {
  Known& known = known_[std::size_t(visits)];
  if (known.cycles >= 0) return known;
  const LaneRun run = run_lanes(lane_program(p_, device_of(p_.machine), memory_, visits, {}).ops);
  known.cycles = run.cycles;
  known.busiest = *std::max_element(run.busy.begin(), run.busy.end());
  return known;
}

double GroupCycles::operator()(std::int64_t visits) {
  if (visits <= kExactVisits) return simulated(visits).cycles;
  const std::int64_t half = kExactVisits / 2;
  const double pace = (simulated(kExactVisits).cycles - simulated(half).cycles) / double(kExactVisits - half);
  return simulated(kExactVisits).cycles + pace * double(visits - kExactVisits);
}

double GroupCycles::busiest_unit(std::int64_t visits) {
  if (visits <= kExactVisits) return simulated(visits).busiest;
  return simulated(kExactVisits).busiest * double(visits) / double(kExactVisits);
}

std::vector<Removal> what_it_removes(const Problem& p, const TimelineOptions& options) {
  const auto cycles_of = [&](Problem with, Removal& out) {
    if (why_stages_deadlock(with)) {
      out.refused = true;
      return 0.0;
    }
    TimelineOptions same = options;
    if (with.tiling.rescale_threshold != p.tiling.rescale_threshold) same.rescaled.clear();
    return build_timeline(*make_schedule(with), same).cycles;
  };
  std::vector<Removal> out;
  const auto consider = [&](LaneOption option, bool is_on, std::int64_t on_value = 1, std::int64_t off_value = 0) {
    Removal r;
    r.option = option;
    r.on = is_on;
    Problem on = p, off = p;
    set_lane_option(on, option, on_value);
    set_lane_option(off, option, off_value);
    r.cycles_on = cycles_of(on, r);
    r.cycles_off = cycles_of(off, r);
    out.push_back(r);
  };
  if (p.schedule == ScheduleKind::FlashV3) {
    consider(LaneOption::WarpSpecialisation, p.lanes.warp_specialised);
    consider(LaneOption::PingPong, p.lanes.ping_pong);
    consider(LaneOption::Overlap, p.lanes.overlap);
  }
  if (p.schedule == ScheduleKind::FlashV4) {
    consider(LaneOption::ConditionalRescale, p.tiling.rescale_threshold > 0);
    consider(LaneOption::PolynomialExp2, p.lanes.exp2_share > 0);
  }
  if (p.schedule == ScheduleKind::FlashV3 || p.schedule == ScheduleKind::FlashV4)
    consider(LaneOption::Stages, p.tiling.stages > 2, std::max(p.tiling.stages, 4), 2);
  return out;
}

}  // namespace tilewalk
