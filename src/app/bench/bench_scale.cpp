#include "app/bench/bench_scale.h"

#include <chrono>

#include "app/bench/bench_core.h"
#include "app/jobs/thread_pool.h"
#include "base/random.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

Problem large_problem(ScheduleKind kind) {
  Problem p;
  p.schedule = kind;
  p.shape.batch = 8;
  p.shape.heads = p.shape.kv_heads = 32;
  p.shape.n_q = p.shape.n_kv = 131072;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.shape.mask.kind = MaskKind::Causal;
  p.machine.sram_bytes = 232448;
  return p;
}

}  // namespace

std::vector<ScaleBench> bench_scale() {
  constexpr int kReads = 2000, kSeeks = 300, kHeads = 5;
  const std::shared_ptr<WorkerPool> workers = make_thread_pool();
  std::vector<ScaleBench> all;
  for (const ScheduleKind kind : all_schedules()) {
    const Problem p = large_problem(kind);
    ScaleBench bench{std::string(name_of(kind))};
    bench.threads = workers_of(workers);
    auto start = Clock::now();
    const std::shared_ptr<const Schedule> schedule = make_schedule(p);
    const std::int64_t steps = schedule->step_count();
    std::uint64_t sink = std::uint64_t(schedule->totals_before(steps).cost.matmul);
    bench.open_us = us_since(start);
    const auto cursor = [&](int i) {
      return 1 + std::int64_t(random_bits(5, 0, std::uint64_t(i)) % std::uint64_t(steps));
    };
    start = Clock::now();
    for (int i = 0; i < kReads; ++i) sink += std::uint64_t(schedule->totals_before(cursor(i)).cost.matmul);
    bench.counters_ns = us_since(start) * 1000 / kReads + (sink == ~0ull ? 1 : 0);
    if (!schedule_row(kind).family.backward) {
      Replay replay(schedule, Inputs(p), workers);
      std::vector<double> first, later;
      for (int h = 0; h < kHeads; ++h) {
        start = Clock::now();
        replay.at(cursor(h));
        first.push_back(us_since(start) / 1000);
      }
      for (int section = 0; section < schedule->section_count(); ++section) {  // makes the head's inputs
        const std::int64_t last =
            schedule->end_step_of_visit(section, {.q_tile = p.q_tiles() - 1, .kv_tile = p.kv_tiles() - 1});
        if (last > 0) replay.at(last);
      }
      for (int i = 0; i < kSeeks; ++i) {
        const Step step = schedule->step(cursor(kHeads + i) - 1);
        if (!step.in_visit()) continue;
        const std::int64_t place =
            schedule->end_step_of_visit(step.section, {.q_tile = step.q_tile, .kv_tile = step.kv_tile});
        start = Clock::now();
        replay.at(place);
        later.push_back(us_since(start) / 1000);
      }
      bench.new_head_ms = quantile(first, 0.5);
      bench.seek_p50_ms = quantile(later, 0.5);
      bench.seek_p99_ms = quantile(later, 0.99);
    }
    all.push_back(bench);
  }
  return all;
}

}  // namespace tilewalk
