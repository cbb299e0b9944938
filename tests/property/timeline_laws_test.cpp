// Laws of the modelled timeline, on random problems.
#include <map>
#include <set>

#include "core/chip/timeline.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

constexpr double kSlack = 1e-4;  // cycles

Problem sampled_problem(std::uint64_t seed) {
  Problem p = random_problem(seed);
  Draw draw(seed + 4000);
  p.tiling.stages = int(draw.upto(1, 6));
  p.lanes.warp_specialised = draw.upto(0, 1);
  p.lanes.ping_pong = draw.upto(0, 1);
  p.lanes.overlap = draw.upto(0, 1);
  p.lanes.exp2_share = double(draw.upto(0, 4)) / 4;
  const std::int64_t scale = draw.upto(0, 1) ? 1 : 8;  // larger tiles are limited by work instead of latency
  p.shape.d *= scale;
  p.tiling.br *= scale;
  p.tiling.bc *= scale;
  p.shape.n_q *= scale;
  p.shape.n_kv *= scale;
  p.machine.sram_bytes = 1 << 24;
  return p;
}

TimelineOptions options_for(const Problem& p, const Schedule& schedule, std::uint64_t seed) {
  Draw draw(seed + 9000);
  TimelineOptions options;
  options.head = p.shape.heads - 1;
  const std::int64_t groups =
      schedule.kv_outside(schedule.visit_section()) ? p.kv_tiles() : p.q_tiles() * p.tiling.splits;
  options.group = draw.upto(0, groups - 1);
  if (draw.upto(0, 1)) options.memory = {double(draw.upto(1, 64)), double(draw.upto(0, 300)), 0};
  return options;
}

std::string text_of(const Problem& p, const TimelineOptions& o) {
  return as_text(p) + " stages " + std::to_string(p.tiling.stages) + " specialised " +
         std::to_string(p.lanes.warp_specialised) + " ping-pong " + std::to_string(p.lanes.ping_pong) + " overlap " +
         std::to_string(p.lanes.overlap) + " group " + std::to_string(o.group);
}

constexpr std::uint64_t kTimelines = 500;

}  // namespace

TEST_CASE("segments of a lane's row never overlap, and no unit does more work in an interval than it is long",
          "[property]") {
  for (std::uint64_t seed = 0; seed < kTimelines; ++seed) {
    const Problem p = sampled_problem(seed);
    if (why_stages_deadlock(p) || p.schedule == ScheduleKind::Standard) continue;
    const auto schedule = make_schedule(p);
    const TimelineOptions options = options_for(p, *schedule, seed);
    INFO(text_of(p, options));
    const Timeline t = build_timeline(*schedule, options);
    REQUIRE_FALSE(t.deadlock);
    bool apart = true, fits = true, long_enough = true;
    for (std::size_t i = 0; i + 1 < t.segments.size(); ++i) {
      const Segment &a = t.segments[i], &b = t.segments[i + 1];
      if (a.lane == b.lane && a.row == b.row) apart &= a.end <= b.start + kSlack;
    }
    for (int r = 0; r < kLaneResourceCount; ++r) {
      std::vector<const Segment*> users;
      double all = 0;
      for (const Segment& s : t.segments)
        if (s.work[std::size_t(r)] > 0) {
          users.push_back(&s);
          all += s.work[std::size_t(r)];
          long_enough &= s.end - s.start >= s.work[std::size_t(r)] - kSlack;
        }
      fits &= all <= t.simulated_cycles + kSlack && t.busy[std::size_t(r)] <= t.simulated_cycles + kSlack;
      REQUIRE(t.busy[std::size_t(r)] == Approx(all).margin(kSlack * 100));
      if (users.size() > 60) users.resize(60);
      for (const Segment* from : users) {
        std::map<double, double> inside;  // work by end, of the operations that begin at `from` or later
        for (const Segment* s : users)
          if (s->start >= from->start - kSlack) inside[s->end] += s->work[std::size_t(r)];
        double sum = 0;
        for (const auto& [end, work] : inside) fits &= (sum += work) <= end - from->start + 100 * kSlack;
      }
    }
    REQUIRE(apart);
    REQUIRE(fits);
    REQUIRE(long_enough);
  }
}

TEST_CASE("no lane reads a tile before it has arrived, and no stage is filled before it is released", "[property]") {
  for (std::uint64_t seed = 0; seed < kTimelines; ++seed) {
    const Problem p = sampled_problem(seed);
    if (why_stages_deadlock(p) || p.schedule == ScheduleKind::Standard || p.schedule == ScheduleKind::FlashV1) continue;
    const auto schedule = make_schedule(p);
    const TimelineOptions options = options_for(p, *schedule, seed);
    INFO(text_of(p, options));
    const Timeline t = build_timeline(*schedule, options);
    const bool buffer = p.schedule == ScheduleKind::FlashV3 || p.schedule == ScheduleKind::FlashV4;
    const int stages = buffer ? p.tiling.stages : 2;
    std::map<std::pair<bool, std::int64_t>, const Segment*> loads;  // is V, visit
    std::map<std::pair<bool, std::int64_t>, double> first_use, last_use;
    std::map<std::int64_t, std::int64_t> visit_of;
    for (const Segment& s : t.segments)
      if (s.doing == Doing::LoadK) visit_of.emplace(s.kv_tile, std::int64_t(visit_of.size()));
    for (const Segment& s : t.segments) {
      if (s.doing == Doing::LoadK || s.doing == Doing::LoadV)
        loads[{s.doing == Doing::LoadV, visit_of[s.kv_tile]}] = &s;
      if (s.doing != Doing::Scores && s.doing != Doing::Accumulate) continue;
      const std::pair<bool, std::int64_t> tile{s.doing == Doing::Accumulate, visit_of[s.kv_tile]};
      if (!first_use.count(tile) || s.start < first_use[tile]) first_use[tile] = s.start;
      last_use[tile] = std::max(last_use[tile], s.end);
    }
    REQUIRE(std::int64_t(loads.size()) == 2 * t.simulated_visits);
    bool landed = true, released = true;
    for (const auto& [tile, load] : loads) {
      landed &= load->end <= first_use[tile] + kSlack;
      const std::int64_t place = 2 * tile.second + tile.first - stages;
      if (place >= 0) released &= last_use[{place % 2 == 1, place / 2}] <= load->start + kSlack;
    }
    REQUIRE(landed);
    REQUIRE(released);
  }
}

TEST_CASE("stage counts are refused where the simulation deadlocks, and only there", "[property]") {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < kTimelines; ++seed) {
    Problem p = sampled_problem(seed);
    p.schedule = seed % 2 ? ScheduleKind::FlashV3 : ScheduleKind::FlashV4;
    p.tiling.splits = 1;
    if (p.tiling.br == 1) p.tiling.br = 2;
    p.tiling.stages = 1 + int(seed % 3);
    const auto schedule = make_schedule(p);
    TimelineOptions options;
    options.group = p.q_tiles() / 2;
    INFO(text_of(p, options));
    const Timeline t = build_timeline(*schedule, options);
    if (t.visits < 2) continue;
    REQUIRE(t.deadlock == (why_stages_deadlock(p) != nullptr));
    deadlocks += t.deadlock;
  }
  REQUIRE(deadlocks > 30);
}

TEST_CASE("every step of a group is on some lane, except a first rescale with nothing to scale", "[property]") {
  for (std::uint64_t seed = 0; seed < kTimelines; ++seed) {
    const Problem p = sampled_problem(seed);
    if (why_stages_deadlock(p) || p.schedule == ScheduleKind::Standard) continue;
    const auto schedule = make_schedule(p);
    const TimelineOptions options = options_for(p, *schedule, seed);
    INFO(text_of(p, options));
    const Timeline t = build_timeline(*schedule, options);
    if (t.visits == 0) continue;
    std::set<std::int64_t> shown;
    bool same_tile = true;
    for (const Segment& s : t.segments)
      for (std::int64_t k = s.first_step; k < s.end_step; ++k) {
        shown.insert(k);
        if (schedule->step(k).in_visit())
          same_tile &= schedule->step(k).kv_tile == s.kv_tile && schedule->step(k).q_tile == s.q_tile;
      }
    const int section = schedule->visit_section();
    bool all = true;
    for (std::int64_t k = schedule->first_step_of_group(
             section, {.batch = options.batch, .head = options.head, .group = options.group});
         k <
         schedule->end_step_of_group(section, {.batch = options.batch, .head = options.head, .group = options.group});
         ++k)
      all &= shown.count(k) == 1 || schedule->step(k).phase == Phase::Rescale;
    REQUIRE(all);
    REQUIRE(same_tile);
  }
}

TEST_CASE(
    "on a Hopper card no warpgroup uses a product before it can have seen it, nor ends a softmax sooner than alone",
    "[property]") {
  const DeviceModel device = *device_named("h200");
  REQUIRE(device.product_seen_cycles > 0);
  int seen = 0;
  for (std::uint64_t seed = 0; seed < kTimelines; ++seed) {
    Problem p = sampled_problem(seed);
    p.schedule = ScheduleKind::FlashV3;
    p.tiling.splits = 1;
    p.machine.device = device.name;
    p.numerics.dtype = DType::Bf16;
    if (why_stages_deadlock(p)) continue;
    const auto schedule = make_schedule(p);
    TimelineOptions options;
    options.group = p.q_tiles() / 2;
    INFO(text_of(p, options));
    std::map<std::pair<std::int64_t, int>, const Segment*> scores, max, sum;
    const Timeline t = build_timeline(*schedule, options);
    for (const Segment& s : t.segments) {
      if (s.doing == Doing::Scores) scores[{s.kv_tile, s.half}] = &s;
      if (s.doing == Doing::RowMax) max[{s.kv_tile, s.half}] = &s;
      if (s.doing == Doing::RowSum) sum[{s.kv_tile, s.half}] = &s;
    }
    bool late = true, slow = true;
    for (const auto& [name, s] : max) {
      late &= s->start >= scores.at(name)->end + device.product_seen_cycles * t.stretch - kSlack;
      const double pairs = s->work[std::size_t(LaneResource::Compare)] / t.stretch * device.compare_per_cycle;
      slow &= sum.at(name)->end - s->start >= pairs / 128 * device.softmax_cycles_per_score * t.stretch - kSlack;
      ++seen;
    }
    REQUIRE(late);
    REQUIRE(slow);
  }
  REQUIRE(seen > 1000);
}
