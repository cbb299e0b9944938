// The CPU's race itself, on problems of a few milliseconds. Times are not checked.
#include <algorithm>
#include <thread>

#include "kernels/cpu/openblas.h"
#include "kernels/cpu/workers.h"
#include "kernels/race/live_race.h"
#include "kernels/race/track.h"
#include "tests/support/catch.h"
#include "tests/support/no_threads.h"
#include "tests/unit/race/fake_track.h"

using namespace tilewalk;

TEST_CASE("both CPU contenders run, agree with each other, and report their memory") {
  RacePlan plan = test::small_plan();
  plan.n = {96};
  plan.causal = {false, true};
  plan.seconds_a_row = 0.001;
  for (const char* dtype : {"fp32", "bf16"}) {
    plan.dtype = dtype;
    const RaceEnd end = run_race(plan);
    REQUIRE_FALSE(end.failure);
    REQUIRE(end.race.rows.size() == 4);
    CHECK(end.race.machine().find("1 thread") != std::string::npos);
    CHECK_FALSE(end.race.word(kBlasKey).empty());
    // Ceilings are measured, or a remark says that other programs ran.
    if (const std::string left_out = end.race.word("left out"); !left_out.empty()) {
      CHECK(left_out.find("Other programs") != std::string::npos);
      CHECK_FALSE(end.race.product_tflops(dtype));
    } else {
      CHECK(end.race.product_tflops(dtype).value_or(0) > 0);
      CHECK(end.race.copy_gb_per_s().value_or(0) > 0);
    }
    for (const RaceRow& row : end.race.rows) {
      INFO(row.rung << ": " << row.note());
      CHECK((row.rung == "cpu_naive" || row.rung == "cpu_tiled"));
      CHECK(row.stopped == RaceOutcome::Measured);
      CHECK(row.ms.size() >= 5);
      CHECK(row.own_share.size() == std::size_t(kRounds));
      CHECK(row.share_got() > 0);
      CHECK(row.share_got() < 1.05);
      CHECK(row.smallest_ms() > 0);
      const bool tiled = row.rung == "cpu_tiled";
      CHECK(row.peaks_at_clock.size() == std::size_t(tiled ? kRounds : 0));
      if (tiled) CHECK(row.peak_at_clock().value_or(0) > 0);
      CHECK(row.flops_done.has_value() == tiled);
      if (tiled && !row.causal) CHECK(*row.flops_done == row.flops());
      if (tiled && row.causal) CHECK((*row.flops_done > row.flops() && *row.flops_done < 2 * row.flops()));
      CHECK(row.extra_bytes.value_or(0) > 0);
    }
  }
}

TEST_CASE("a race that needs more memory than available says how much, and allocates none") {
  CHECK(free_memory_bytes() > 0);
  const auto track = make_cpu_track(1, "fp32");
  RaceCell cell;
  cell.dtype = "fp32";
  cell.n = std::int64_t(1) << 40, cell.d = 64, cell.heads = cell.batch = 1;
  const Readiness opened = track->open(cell);
  CHECK(opened.outcome == RaceOutcome::OutOfMemory);
  CHECK(opened.why.find("out of memory: Q, K, V and O want 1.00 PiB of the") != std::string::npos);
}

TEST_CASE("memory for the naive contender's scores is checked before it is allocated") {
  const auto track = make_cpu_track(1, "fp32");
  RaceCell cell;
  cell.dtype = "fp32";
  cell.n = std::int64_t(1) << 20, cell.d = 1, cell.heads = cell.batch = 1;
  REQUIRE(track->open(cell).outcome == RaceOutcome::Measured);
  const Readiness naive = track->prepare(0), tiled = track->prepare(1);
  CHECK(naive.outcome == RaceOutcome::OutOfMemory);
  CHECK(naive.extra_bytes >= std::int64_t(1) << 42);
  CHECK(tiled.outcome == RaceOutcome::Measured);
  CHECK(tiled.extra_bytes < std::int64_t(1) << 30);
}

TEST_CASE("with more threads than processors the share of time is so small that times would be refused") {
  const int many = 4 * int(std::max(1u, std::thread::hardware_concurrency()));
  const auto track = make_cpu_track(many, "fp32");
  double least = 1;
  for (int i = 0; i < 20 && least >= kQuietShare; ++i) least = std::min(least, track->own_share().value_or(1));
  CHECK(least < kQuietShare);
}

TEST_CASE("OpenBLAS kernels older than the processor are found") {
  CHECK(cpu::better_core("SkylakeX", true, true).empty());
  CHECK(cpu::better_core("Haswell", true, false).empty());
  CHECK(cpu::better_core("Zen", true, true).empty());
  CHECK(cpu::better_core("Nehalem", false, false).empty());
  CHECK(cpu::better_core("Prescott", true, true) == "SKYLAKEX");
  CHECK(cpu::better_core("Sandybridge", true, false) == "HASWELL");
}

TEST_CASE("a race with more threads than the system grants is refused, and its clock uses fewer") {
  RacePlan plan = default_plan(RaceOn::Cpu);
  plan.n = {16}, plan.d = {8}, plan.threads = 64;
  const test::NoThreads here;
  CHECK(cpu::threads_granted(64) == 1);
  const RaceEnd end = run_race(plan);
  REQUIRE(end.failure);
  CHECK_FALSE(end.failure->no_device);
  CHECK(text_of(end.failure->issues).find("threads = 64: are more than this system grants now: 1") == 0);
  const auto track = make_cpu_track(8, "fp32");
  CHECK(track->own_share().value_or(0) > 0);
  CHECK_FALSE(track->provenance().empty());
}
