#include "app/bench/bench_core.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

#include "app/jobs/thread_pool.h"
#include "base/random.h"
#include "core/replay/replay.h"
#include "core/values/tile_ops.h"
#include "kernels/cpu/openblas.h"

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

Problem square(std::int64_t n) {
  Problem p;
  p.shape.n_q = p.shape.n_kv = n;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 232448;
  return p;
}

struct KeepState : VisitSink {
  VisitState kept;
  bool on_visit(const VisitState& state) override {
    kept = state;
    return true;
  }
  bool wants_scores() const override { return false; }
};

std::int64_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return std::int64_t(info.uordblks) + std::int64_t(info.hblkhd);
}

}  // namespace

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, std::size_t(q * double(values.size())))];
}

Result<ReplayBench> bench_replay() {
  if (const std::string& why = cpu::why_no_openblas(); !why.empty())
    return Issue{"bench", "replay", why, "tilewalk bench seek needs none"};
  constexpr std::int64_t kTile = 64, kVisits = 256, kRepeats = 41;
  const Problem p = square(kTile * kVisits);
  Replay replay(make_schedule(p), Inputs(p));
  KeepState sink;
  std::vector<float> q(kTile * kTile, 0.5f), k(kTile * kTile, 0.25f), s(kTile * kTile), o(kTile * kTile);
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] = float(uniform_from_bits(random_bits(1, 1, i))), k[i] = float(uniform_from_bits(random_bits(1, 2, i)));
  const cpu::OpenBlas& openblas = cpu::openblas();
  openblas.set_threads(1);
  auto blas = [&] {
    for (std::int64_t v = 0; v < kVisits; ++v) {
      openblas.sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, kTile, kTile, kTile, 1.0f, q.data(), kTile, k.data(),
                     kTile, 0.0f, s.data(), kTile);
      openblas.sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kTile, kTile, kTile, 1e-9f, s.data(), kTile, k.data(),
                     kTile, 1.0f, o.data(), kTile);
    }
  };
  replay.walk_q_tile({.q_tile = 0}, sink);
  blas();
  std::vector<double> ours, theirs, ratios;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const auto start = Clock::now();
    replay.walk_q_tile({.q_tile = repeat % 8}, sink);
    ours.push_back(ns_since(start) / double(kVisits));
    const auto blas_start = Clock::now();
    blas();
    theirs.push_back(ns_since(blas_start) / double(kVisits));
    ratios.push_back(ours.back() / theirs.back());
  }
  const std::string core = openblas.core();
  return ReplayBench{quantile(ours, 0.5), quantile(theirs, 0.5), quantile(ratios, 0.5), core, cpu::better_core(core)};
}

SeekBench bench_seek() {
  constexpr int kSeeks = 300;
  const Problem p = square(65536);
  const std::shared_ptr<WorkerPool> workers = make_thread_pool();
  Replay replay(make_schedule(p), Inputs(p), workers);
  const std::int64_t steps = replay.schedule().step_count();
  replay.at(steps);
  std::vector<double> ms;
  for (int i = 0; i < kSeeks; ++i) {
    const std::int64_t cursor = 1 + std::int64_t(random_bits(2, 0, std::uint64_t(i)) % std::uint64_t(steps));
    const auto start = Clock::now();
    replay.at(cursor);
    ms.push_back(ns_since(start) / 1e6);
  }
  return {quantile(ms, 0.5), quantile(ms, 0.99), kSeeks, workers_of(workers)};
}

CountersBench bench_counters() {
  auto time_one = [](std::int64_t n) {
    constexpr int kReads = 2000;
    Problem p = square(n);
    p.shape.mask.kind = MaskKind::Causal;
    const auto schedule = make_schedule(p);
    const std::uint64_t steps = std::uint64_t(schedule->step_count());
    std::vector<double> rounds;
    std::uint64_t sink = 0;  // wraps; keeps the compiler from removing the reads
    for (int round = 0; round < 9; ++round) {
      const auto start = Clock::now();
      for (int i = 0; i < kReads; ++i)
        sink += std::uint64_t(
            schedule->totals_before(std::int64_t(random_bits(3, std::uint64_t(round), std::uint64_t(i)) % steps))
                .cost.matmul);
      rounds.push_back(ns_since(start) / kReads);
    }
    return quantile(rounds, 0.5) + (sink == ~0ull ? 1 : 0);
  };
  return {time_one(1024), time_one(16777216)};
}

MemoryBench bench_memory() {
  const std::int64_t before = heap_bytes();
  const Problem p = square(1048576);
  Replay replay(make_schedule(p), Inputs(p));
  const Schedule& schedule = replay.schedule();
  schedule.totals_before(schedule.step_count() / 2);
  schedule.visit_counts();
  replay.at(schedule.end_step_of_visit(0, {.q_tile = p.q_tiles() - 1, .kv_tile = p.kv_tiles() / 8}));
  return {heap_bytes() - before};
}

std::string machine_text() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, model = "unknown processor";
  while (std::getline(info, line))
    if (line.rfind("model name", 0) == 0) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads, " + tile_ops_name();
}

}  // namespace tilewalk
