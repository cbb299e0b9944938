#include "core/chip/lane_engine.h"

#include <algorithm>
#include <limits>

namespace tilewalk {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kTensor = std::size_t(LaneResource::TensorCores);
constexpr double kDust = 1e-7;  // cycles of work left over by rounding

struct Queue {
  int lane = 0, row = 0;
  std::vector<std::int32_t> ops;
  std::size_t at = 0;  // the operation waiting or running
  bool running = false;
  double can_start = kNever;  // known once everything that it waits for has ended
  double row_free = 0;        // end of the previous operation
  double row_issued = 0;      // when it was issued
};

}  // namespace

LaneRun run_lanes(const std::vector<LaneOp>& ops) {
  LaneRun run;
  run.times.resize(ops.size());
  std::vector<bool> ended(ops.size(), false);
  std::vector<std::array<double, kLaneResourceCount>> left(ops.size());
  std::vector<Queue> queues;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    left[i] = ops[i].work;
    auto queue = std::find_if(queues.begin(), queues.end(),
                              [&](const Queue& q) { return q.lane == ops[i].lane && q.row == ops[i].row; });
    if (queue == queues.end()) queue = queues.insert(queues.end(), Queue{ops[i].lane, ops[i].row, {}});
    queue->ops.push_back(std::int32_t(i));
  }

  const auto ready = [&](Queue& q) {  // sets can_start once the operation waits for nothing any more
    const std::int32_t op = q.ops[q.at];
    double latest = 0;
    std::int32_t last = -1;
    const LaneOp& waiting = ops[std::size_t(op)];
    for (std::size_t i = 0; i < waiting.after.size(); ++i) {
      const std::int32_t d = waiting.after[i];
      if (!ended[std::size_t(d)]) return;
      const double end = run.times[std::size_t(d)].end + (waiting.lag.empty() ? 0 : waiting.lag[i]);
      if (last < 0 || end > latest) latest = end, last = d;
    }
    const double before = ops[std::size_t(op)].issued_ahead ? q.row_issued : q.row_free;
    LaneTimes& t = run.times[std::size_t(op)];
    t.issued = std::max(latest, before);
    t.last = last >= 0 && latest > before ? last : -1;
    q.can_start = std::max(t.issued + ops[std::size_t(op)].latency, q.row_free);
  };

  const auto started = [&](const Queue& q) { return run.times[std::size_t(q.ops[q.at])].start; };
  double now = 0;
  std::size_t remaining = ops.size();
  const auto own_time_left = [&](const Queue& q) {  // cycles of its own minimum time still to pass
    const std::int32_t op = q.ops[q.at];
    return std::max(0.0, run.times[std::size_t(op)].start + ops[std::size_t(op)].own - now);
  };
  while (remaining > 0) {
    std::array<int, kLaneResourceCount> users{};
    double next = kNever;
    const Queue* products = nullptr;  // the queue whose product the tensor cores process
    for (Queue& q : queues) {
      if (q.at >= q.ops.size()) continue;
      if (!q.running && q.can_start == kNever) ready(q);
      if (!q.running && q.can_start <= now) {
        q.running = true;
        run.times[std::size_t(q.ops[q.at])].start = now;
      }
      if (!q.running) {
        next = std::min(next, q.can_start);
        continue;
      }
      for (int r = 0; r < kLaneResourceCount; ++r)
        users[std::size_t(r)] += left[std::size_t(q.ops[q.at])][std::size_t(r)] > 0;
      if (left[std::size_t(q.ops[q.at])][kTensor] > 0 && (!products || started(q) < started(*products))) products = &q;
    }
    if (products) users[kTensor] = 1;
    const auto served = [&](const Queue& q, std::size_t r) {
      return left[std::size_t(q.ops[q.at])][r] > 0 && (r != kTensor || &q == products);
    };
    bool ends_now = false;
    for (const Queue& q : queues) {
      if (!q.running) continue;
      bool working = false;
      for (std::size_t r = 0; r < kLaneResourceCount; ++r) {
        working |= left[std::size_t(q.ops[q.at])][r] > 0;
        if (served(q, r)) next = std::min(next, now + left[std::size_t(q.ops[q.at])][r] * users[r]);
      }
      if (own_time_left(q) > kDust)
        next = std::min(next, now + own_time_left(q));
      else
        ends_now |= !working;
    }
    if (!ends_now && next == kNever) {
      run.deadlock = true;
      for (const Queue& q : queues)
        if (q.at < q.ops.size() && run.stuck < 0) run.stuck = q.ops[q.at];
      break;
    }
    const double passed = ends_now ? 0 : next - now;
    for (std::size_t r = 0; r < kLaneResourceCount; ++r)
      if (users[r] > 0) run.busy[r] += passed;
    if (!ends_now) now = next;
    for (Queue& q : queues) {
      if (!q.running) continue;
      const std::int32_t op = q.ops[q.at];
      bool done = true;
      for (std::size_t r = 0; r < kLaneResourceCount; ++r) {
        double& work = left[std::size_t(op)][r];
        if (work > 0 && served(q, r)) work -= passed / users[r];
        if (work < kDust) work = 0;
        done &= work == 0;
      }
      if (!done || own_time_left(q) > kDust) continue;
      ended[std::size_t(op)] = true;
      LaneTimes& t = run.times[std::size_t(op)];
      t.end = now;
      run.cycles = std::max(run.cycles, now);
      q.row_free = now;
      q.row_issued = t.issued;
      q.running = false;
      q.can_start = kNever;
      ++q.at;
      --remaining;
    }
  }
  return run;
}

}  // namespace tilewalk
