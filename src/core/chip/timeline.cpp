#include "core/chip/timeline.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/chip/lane_engine.h"
#include "core/chip/visit_pace.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kExactVisits = 48;  // GroupCycles
constexpr double kLatencyDecides = 2;      // a visit takes this many times as long with latencies
constexpr double kManyLatencies = 3;  // a visit with this many latencies of work: one more latency no longer decides

Doing doing_of(Phase phase) {
  static constexpr std::array<Doing, kPhaseCount> kDoing{
#define PHASE(id, word, doing) Doing::doing,
#include "core/walk/phases.inc"
#undef PHASE
  };
  return kDoing[std::size_t(phase)];
}

// The places in a visit of the phases that an operation carries out; loads are a visit's first phase.
struct PlaceRange {
  int first = 0, last = 0;
};

PlaceRange places_of(Doing doing, const std::vector<Phase>& visit) {
  const auto is_it = [doing](Phase phase) { return doing_of(phase) == doing; };
  const auto first = std::find_if(visit.begin(), visit.end(), is_it);
  if (doing == Doing::Waiting || first == visit.end()) return {};
  const auto last = std::find_if(visit.rbegin(), visit.rend(), is_it).base() - 1;
  return {int(first - visit.begin()), int(last - visit.begin())};
}

LaneProgram lane_program(const Problem& p, const DeviceModel& device, const MemoryShare& memory, std::int64_t visits,
                         const std::vector<bool>& rescaled) {
  const auto write = row_of(p).lanes.write;
  if (!write || visits == 0) return {};
  return write(LaneWriter(p, device, memory, VisitPace(p, device).lone_product_rate()), visits, rescaled);
}

LaneRun run_program(const LaneProgram& program, double stretch) {
  LaneRun run = run_lanes(program.ops);
  run.cycles *= stretch;
  for (double& busy : run.busy) busy *= stretch;
  for (LaneTimes& t : run.times) t.issued *= stretch, t.start *= stretch, t.end *= stretch;
  return run;
}

struct Interval {
  double start, end;
  std::int32_t op;
};

// Intervals in which no row of the lane works, labelled by what the next operation waited for.
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

MemoryShare memory_share(const Problem& p, const DeviceModel& device) {
  const std::int64_t busy = std::min<std::int64_t>(device.sms, thread_blocks(p));
  const std::int64_t tiles = row_of(p).walk.block == BlockKind::Head ? 1 : p.q_tiles();
  const std::int64_t of_one_head = tiles * (p.shape.heads / p.shape.kv_heads);
  const std::int64_t readers = std::max<std::int64_t>(1, std::min(of_one_head, busy));
  MemoryShare share;
  share.l2_share = 1.0 - 1.0 / double(readers);
  const double from_l2 = std::min(kSmPortBytesPerCycle, device.l2_bytes_per_cycle * device.sms / double(busy));
  const double from_dram = std::min(kSmPortBytesPerCycle, device.hbm_bytes_per_cycle() / double(busy));
  share.bytes_per_cycle = 1.0 / std::max(1.0 / from_l2, (1.0 - share.l2_share) / from_dram);
  share.latency_cycles = share.l2_share >= 0.5 ? device.l2_latency_cycles : device.dram_latency_cycles;
  return share;
}

Problem with_every_lane_option(Problem p) {
  p.lanes.warp_specialised = p.lanes.ping_pong = p.lanes.overlap = true;
  p.tiling.rescale_threshold = Problem().tiling.rescale_threshold;
  p.tiling.stages = std::max(p.tiling.stages, Problem().tiling.stages);
  return p;
}

double lane_cycles_per_visit(const Problem& p, const DeviceModel& device, const MemoryShare& memory) {
  constexpr std::int64_t kFew = 16, kMore = 32;
  const auto cycles = [&](std::int64_t visits) {
    return run_lanes(lane_program(p, device, memory, visits, {}).ops).cycles;
  };
  return (cycles(kMore) - cycles(kFew)) / double(kMore - kFew);
}

bool latency_decides(const Problem& p, const DeviceModel& device) {
  const Problem all = with_every_lane_option(p);
  MemoryShare memory = memory_share(all, device);
  // A visit waits little more than once. If its work takes longer than that, no simulation of the lanes is needed.
  if (VisitPace(all, device).visit(1) > kManyLatencies * memory.latency_cycles) return false;
  const double own = lane_cycles_per_visit(all, device, memory);
  memory.latency_cycles = 0;
  return own > kLatencyDecides * lane_cycles_per_visit(all, device, memory);
}

double lane_stretch(const Problem& p, const DeviceModel& device) {
  const Problem all = with_every_lane_option(p);
  const double own = lane_cycles_per_visit(all, device, memory_share(all, device));
  return own <= 0 || latency_decides(p, device) ? 1 : VisitPace(all, device).visit(1) / own;
}

Timeline build_timeline(const Schedule& schedule, const TimelineOptions& options) {
  const Problem& p = schedule.problem();
  Timeline out;
  const DeviceModel& device = device_of(p.machine);
  out.memory = options.memory.bytes_per_cycle > 0 ? options.memory : memory_share(p, device);
  if (!has_lanes(p.schedule)) return out;
  const int section = schedule.visit_section();
  const GroupId group = {.batch = options.batch, .head = options.head, .group = options.group};
  const std::int64_t first = schedule.first_step_of_group(section, group);
  const std::int64_t end = schedule.end_step_of_group(section, group);
  if (end == first) return out;
  out.visits = schedule.step(first).visits_in_group;
  out.simulated_visits = std::min(out.visits, options.most_visits);
  const LaneProgram program = lane_program(p, device, out.memory, out.simulated_visits, options.rescaled);
  out.stretch = lane_stretch(p, device);
  const LaneRun run = run_program(program, out.stretch);
  out.deadlock = run.deadlock;
  if (out.deadlock || out.visits == 0) return out;
  for (const ProgramLane& lane : program.lanes) out.lanes.push_back({lane.name, lane.two_rows, 0, 0});
  out.busy = run.busy;
  out.simulated_cycles = out.cycles = run.cycles;
  if (out.visits > out.simulated_visits) {
    const std::int64_t half = out.simulated_visits / 2;
    const double before =
        half == 0 ? 0 : run_program(lane_program(p, device, out.memory, half, options.rescaled), out.stretch).cycles;
    out.cycles +=
        (run.cycles - before) / double(out.simulated_visits - half) * double(out.visits - out.simulated_visits);
  }

  const SectionPlan& plan = schedule.section(section);
  const Step opening = schedule.step(first);
  const std::int64_t first_visit = first + std::int64_t(plan.prologue.size());
  // The peak rate of the unit that the products use.
  const double peak_share =
      p.numerics.dtype == DType::Fp32 ? 1 : VisitPace(p, device).lone_product_rate() / device.matrix16_flop_per_cycle;
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
    for (double& work : s.work) work *= out.stretch;
    s.q_tile = opening.q_tile;
    if (what.visit >= 0) {
      const std::int64_t visit_step = first_visit + what.visit * std::int64_t(plan.visit.size());
      const PlaceRange places = places_of(what.doing, plan.visit);
      const Step step = schedule.step(visit_step);
      s.q_tile = step.q_tile;
      s.kv_tile = step.kv_tile;
      s.first_step = visit_step + places.first;
      s.end_step = visit_step + places.last + 1;
    } else if (what.doing == Doing::Normalise || what.doing == Doing::Store) {
      const bool stores = what.doing == Doing::Store;  // the group's last step, whatever it stores
      const std::int64_t edges = opening.phases_in_visit;
      const auto normalises = [](Phase phase) { return doing_of(phase) == Doing::Normalise; };
      const auto at = std::find_if(plan.epilogue.begin(), plan.epilogue.end(), normalises);
      s.first_step = end - (stores || at == plan.epilogue.end() ? 1 : edges - plan.place_on_edge(*at));
      s.end_step = s.first_step + 1;
    } else {
      s.kv_tile = opening.kv_tile;
      s.first_step = first;
      s.end_step = first + 1;
    }
    out.segments.push_back(s);
  }
  out.product_utilisation = run.cycles > 0 ? products * peak_share / run.cycles : 0;
  for (int lane = 0; lane < int(out.lanes.size()); ++lane) add_waiting(out, program, run, lane);
  std::stable_sort(out.segments.begin(), out.segments.end(), [](const Segment& a, const Segment& b) {
    return std::tie(a.lane, a.row, a.start) < std::tie(b.lane, b.row, b.start);
  });
  return out;
}

GroupCycles::GroupCycles(const Problem& p, const MemoryShare& memory)
    : p_(p),
      memory_(memory),
      stretch_(lane_stretch(p, device_of(p.machine))),
      known_(std::size_t(kExactVisits) + 1, -1) {}

double GroupCycles::simulated(std::int64_t visits) {
  double& known = known_[std::size_t(visits)];
  if (known < 0) known = run_program(lane_program(p_, device_of(p_.machine), memory_, visits, {}), stretch_).cycles;
  return known;
}

double GroupCycles::operator()(std::int64_t visits) {
  if (visits <= kExactVisits) return simulated(visits);
  const std::int64_t half = kExactVisits / 2;
  const double pace = (simulated(kExactVisits) - simulated(half)) / double(kExactVisits - half);
  return simulated(kExactVisits) + pace * double(visits - kExactVisits);
}

std::vector<Removal> what_it_removes(const Problem& p, const TimelineOptions& options) {
  const auto cycles_of = [&](const Problem& with, Removal& out) {
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
  const ScheduleSettings& settings = row_of(p).settings;
  if (settings.warp_roles) {
    consider(LaneOption::WarpSpecialisation, p.lanes.warp_specialised);
    consider(LaneOption::PingPong, p.lanes.ping_pong);
    consider(LaneOption::Overlap, p.lanes.overlap);
  }
  if (settings.rescale_threshold) consider(LaneOption::ConditionalRescale, p.tiling.rescale_threshold > 0);
  if (settings.exp2_share) consider(LaneOption::PolynomialExp2, p.lanes.exp2_share > 0);
  if (settings.stages) consider(LaneOption::Stages, p.tiling.stages > 2, std::max(p.tiling.stages, 4), 2);
  return out;
}

}  // namespace tilewalk
