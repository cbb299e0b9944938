#include "core/chip/sm_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/divide.h"
#include "core/chip/head_pace.h"
#include "core/chip/timeline.h"
#include "core/problem/measured_card.h"
#include "core/schedules/registry.h"
#include "core/walk/group_walk.h"

namespace tilewalk {
namespace {

constexpr double kWhole = 1 - 1e-12;              // of a phase, but for rounding
constexpr double kSizesOfVisit = 64;              // of a block that draws tiles
constexpr std::int64_t kGroupsSampled = 1 << 16;  // flash_v1: the most KV tiles examined one by one

// The factor by which a visit is longer with the problem's lane options than with all options, from the lanes of both.
double cost_of_lane_options(const Problem& p, const DeviceModel& device) {
  const Problem all = with_every_lane_option(p);
  if (all == p || why_stages_deadlock(p)) return 1;
  const auto cycles = [&](const Problem& with) {
    return lane_cycles_per_visit(with, device, memory_share(with, device));
  };
  const double base = cycles(all);
  return base > 0 ? cycles(p) / base : 1;
}

double visits_of_a_head(const Problem& p) {
  const GroupWalk walk(p, p.shape.band(), Outside::KvTiles);
  const std::int64_t stride = (walk.groups() + kGroupsSampled - 1) / kGroupsSampled;
  double sum = 0;
  for (std::int64_t g = 0; g < walk.groups(); g += stride)
    if (walk.occurs(g)) sum += double(std::min(stride, walk.groups() - g)) * double(walk.visits(g));
  return sum;
}

// A block that runs in its place: the rest of its begin and end, then of its visits.
struct AtWork {
  std::vector<QueuedBlock>* queue = nullptr;
  std::size_t next = 0;
  double edges = 0, visits = 0;

  bool busy() const { return edges > 0 || visits > 0; }
  // Starts the next block with work; blocks without work end at once. spared: of the begin and end of the first block.
  void take(double now, double spared = 0) {
    for (; next < queue->size() && !busy(); ++next) {
      QueuedBlock& block = (*queue)[next];
      block.start = block.end = now;
      if (block.visits <= 0) continue;
      edges = (double(block.count) - spared) * block.edges, visits = double(block.count) * block.visits;
    }
  }
};

}  // namespace

void BlockCosts::take_heads(const Problem& p, const DeviceModel& device, int most, const HeadPace& measured) {
  const DeviceModel& there = head_pace_card();
  rounds_ = double(ceil_div(p.shape.n_kv, p.tiling.bc));
  const VisitPace pace(p, device), pace_there(p, there);
  const double options = cost_of_lane_options(p, device), us = device.reached_clock_hz() * 1e-6;  // in cycles
  for (int together = 1; together <= most; ++together) {
    const auto seconds = [&](const VisitPace& each, const DeviceModel& on) {
      return each.computing(together) / on.reached_clock_hz();
    };
    // A card with slower units takes longer; none is faster, since clocks under load do not count here.
    const double slower = std::max(1.0, seconds(pace, device) / seconds(pace_there, there));
    edges_.push_back(measured.round(p, device, together) * us);
    visit_.push_back(std::max(measured.visit(p, device, together) * us * slower, pace.loads(together)) * options);
  }
}

// columns: as in VisitPace.
void BlockCosts::take_measured(const Problem& p, const DeviceModel& device, int most, const FastPace& measured,
                               std::int64_t columns) {
  const DeviceModel& there = pace_card();
  measured_ = &measured;
  if (row_of(p).settings.warp_roles)
    draws_visits_ = measured.item_us[measured.blocks - 1] / measured.visit_us[measured.blocks - 1];
  const VisitPace pace(p, device, columns), pace_there(p, there, columns);
  const double options = cost_of_lane_options(p, device);
  const std::int64_t present = std::min(measured.rows, p.shape.n_q);  // of the largest tile
  first_edges_ = 1 - measured.handover_us / measured.item_us[measured.blocks - 1];
  for (int together = 1; together <= most; ++together) {
    const std::size_t at = std::size_t(together - 1);
    const double us_there = there.reached_clock_hz() * 1e-6, us = device.reached_clock_hz() * 1e-6;  // in cycles
    const double visit = pace.computing(together) / pace_there.computing(together);
    edges_.push_back(measured.item_us[at] * us);
    visit_.push_back(std::max(measured.visit_us_of(together, present) * us_there * visit, pace.loads(together)) *
                     options);
  }
}

BlockCosts::BlockCosts(const Problem& p, const DeviceModel& device, int most, double pass_cycles,
                       const fast::BuildChoice* build)
    : edges_wait_(!row_of(p).settings.warp_roles) {
  if (const FastPace* const pace = build ? pace_of_build(row_of(p).chip.built_as, *build, device) : nullptr) {
    take_measured(p, device, most, *pace, copied_columns(*build, p.shape.d));
    return;
  }
  const bool lanes = has_lanes(p.schedule);
  if (!lanes) of_block_ = 1;
  if (lanes && row_of(p).walk.block == BlockKind::Head) of_block_ = visits_of_a_head(p);
  if (const HeadPace* const pace = head_pace(p, device)) {
    take_heads(p, device, most, *pace);
    return;
  }
  const VisitPace pace(p, device);
  const bool late = lanes && latency_decides(p, device);
  const double alone = late ? lane_cycles_per_visit(p, device, memory_share(p, device)) : 0;
  const double options = lanes && !late ? cost_of_lane_options(p, device) : 1;
  for (int together = 1; together <= most; ++together) {
    edges_.push_back(lanes ? pace.begin_and_end(together) : 0);
    visit_.push_back(!lanes ? pass_cycles * together : late ? alone : pace.visit(together) * options);
  }
}

QueuedBlock BlockCosts::block(std::int64_t count, std::int64_t of_group, std::int64_t rows) const {
  QueuedBlock out{.count = count, .visits = of_block_ > 0 ? of_block_ : double(of_group)};
  if (rounds_ > 0) out.edges = rounds_;
  if (measured_ != nullptr) out.visits *= measured_->visit_share(rows), out.edges = measured_->item_share(rows);
  if (out.visits > 0)
    out.size = count * (draws_visits_ > 0 ? std::llround(kSizesOfVisit * (out.visits + draws_visits_ * out.edges))
                                          : of_group + 1);
  return out;
}

double BlockCosts::visit(int busy, int at_edges) const {
  const int together = edges_wait_ ? busy - at_edges : busy;
  return visit_[std::size_t(std::max(1, together) - 1)];
}

void run_on_sm(std::span<std::vector<QueuedBlock>> places, const BlockCosts& costs) {
  std::vector<AtWork> all;
  for (std::vector<QueuedBlock>& queue : places) all.push_back({.queue = &queue});
  double now = 0;
  const bool full = std::none_of(places.begin(), places.end(), [](const auto& queue) { return queue.empty(); });
  for (AtWork& place : all) place.take(now, full ? 1 - costs.first_edges() : 0);
  for (;;) {
    int busy = 0, at_edges = 0;
    for (const AtWork& place : all) busy += place.busy(), at_edges += place.edges > 0;
    if (busy == 0) return;
    const double edges = costs.edges(busy), visit = costs.visit(busy, at_edges);
    double step = std::numeric_limits<double>::max();  // until the first phase ends
    for (const AtWork& place : all)
      if (place.busy()) step = std::min(step, place.edges > 0 ? place.edges * edges : place.visits * visit);
    now += step;
    for (AtWork& place : all) {
      if (!place.busy()) continue;
      double& left = place.edges > 0 ? place.edges : place.visits;
      const double done = step / (place.edges > 0 ? edges : visit);
      left = done >= left * kWhole ? 0 : left - done;
      if (place.busy()) continue;
      (*place.queue)[place.next - 1].end = now;
      place.take(now);
    }
  }
}

}  // namespace tilewalk
