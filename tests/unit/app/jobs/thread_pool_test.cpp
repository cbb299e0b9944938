// The thread pool that the window lends its replay. Run under the preset tsan too: parts must not share anything that
// they write.
#include "app/jobs/thread_pool.h"

#include <atomic>
#include <new>
#include <vector>

#include "base/random.h"
#include "core/fields/validate.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("each worker of a pool is called once a run, and the run ends after the last", "[workers]") {
  const std::shared_ptr<WorkerPool> workers = make_thread_pool();
  if (!workers) return;  // one processor
  std::vector<int> calls(std::size_t(workers->size()), 0);
  const std::function<void(int)> count = [&](int hand) { ++calls[std::size_t(hand)]; };
  for (int run = 1; run <= 2000; ++run) {
    workers->run(count);
    for (const int each : calls) REQUIRE(each == run);
  }
}

TEST_CASE("an exception of any part reaches the caller after all parts have returned", "[workers]") {
  const std::shared_ptr<WorkerPool> workers = make_thread_pool();
  if (!workers) return;  // one processor
  for (int run = 0; run < 200; ++run)
    for (int failing = 0; failing <= workers->size(); ++failing) {
      std::atomic<int> returned = 0;
      const std::function<void(int)> part = [&](int hand) {
        if (failing == workers->size() || hand == failing) throw std::bad_alloc();
        ++returned;
      };
      REQUIRE_THROWS_AS(workers->run(part), std::bad_alloc);
      REQUIRE(returned == (failing == workers->size() ? 0 : workers->size() - 1));
    }
  int calls = 0;
  workers->run([&](int hand) { calls += hand == 0; });
  CHECK(calls == 1);
}

TEST_CASE("a pool of threads computes the same states as one thread", "[workers]") {
  const std::shared_ptr<WorkerPool> workers = make_thread_pool();
  for (const ScheduleKind kind : all_schedules()) {
    Problem p;
    p.schedule = kind;
    p.shape.heads = 2;
    p.shape.n_q = 200, p.shape.n_kv = 333, p.shape.d = 20;
    p.tiling.br = 48, p.tiling.bc = 32;
    p.shape.mask.kind = MaskKind::Causal;
    p.machine.sram_bytes = 1 << 24;
    if (kind == ScheduleKind::SplitKv) p.tiling.splits = 3;
    INFO(name_of(kind));
    REQUIRE(validate(p).empty());
    const std::shared_ptr<const Schedule> schedule = make_schedule(p);
    Replay shared(schedule, Inputs(p), workers), alone(schedule, Inputs(p));
    for (std::uint64_t i = 0; i < 40; ++i) {
      const auto cursor = std::int64_t(random_bits(1, 2, i) % std::uint64_t(schedule->step_count() + 1));
      shared.begin(cursor);
      while (!shared.work(3)) {
      }
      REQUIRE(shared.state() == alone.at(cursor));
    }
  }
}
