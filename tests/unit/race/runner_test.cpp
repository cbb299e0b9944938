#include "kernels/race/runner.h"

#include <cmath>

#include "tests/support/catch.h"
#include "tests/unit/race/fake_track.h"

using namespace tilewalk;
using test::FakeRung;
using test::FakeTrack;
using test::small_plan;

namespace {

Race raced(FakeTrack& track, const RacePlan& plan, const RaceWatch& watch = {}) {
  Result<Race> race = run_on_track(track, plan, watch);
  INFO((race ? std::string() : text_of(race.issues())));
  REQUIRE(race.ok());
  return std::move(*race);
}

}  // namespace

TEST_CASE("contenders run in turn, and each is timed equally often") {
  FakeTrack track({FakeRung("cpu_naive"), FakeRung("cpu_tiled")});
  RacePlan plan = small_plan();
  plan.n = {64};
  const Race race = raced(track, plan);
  REQUIRE(race.rows.size() == 2);
  CHECK(race.rows[0].ms.size() == race.rows[1].ms.size());
  CHECK(race.rows[0].ms.size() == std::size_t(kRounds * kMostPerRound));
  REQUIRE(track.turns.size() == std::size_t(2 * (2 + kRounds)));
  for (std::size_t i = 4; i < track.turns.size(); ++i) CHECK(track.turns[i] == (i % 2 ? "cpu_tiled" : "cpu_naive"));
}

TEST_CASE("a slow contender is timed once a round, never fewer than the rounds") {
  FakeTrack track({FakeRung("cpu_naive", [](int) { return 5000.0; })});
  const Race race = raced(track, small_plan());
  CHECK(race.rows[0].ms.size() == std::size_t(kRounds));
  CHECK(race.rows[0].median_ms() == 5000);
}

TEST_CASE("warm-up runs are not samples") {
  FakeTrack track({FakeRung("cpu_naive", [](int run) { return run < 2 ? 100.0 : 10.0; })});
  const Race race = raced(track, small_plan());
  CHECK(race.rows[0].largest_ms() == 10);
}

TEST_CASE("on a busy machine a cell is tried again, and refused if it stays busy") {
  FakeTrack noisy({FakeRung("cpu_naive", [](int run) { return run % 2 ? 10.0 : 14.0; }), FakeRung("cpu_tiled")});
  RacePlan plan = small_plan();
  plan.n = {64};
  const Race race = raced(noisy, plan);
  CHECK(race.rows[0].outcome() == RaceOutcome::NotQuiet);
  CHECK(race.rows[1].outcome() == RaceOutcome::Measured);
  CHECK_FALSE(race.times_as_fast_as_naive(race.rows[1]));
  CHECK(noisy.turns.size() == std::size_t(2 * (2 + kTries * kRounds)));

  // Noise that ends: the second attempt counts, and nothing of the first is kept.
  FakeTrack settles({FakeRung("cpu_naive", [](int run) { return run < 20 && run % 2 ? 20.0 : 10.0; })});
  const Race calm = raced(settles, plan);
  CHECK(calm.rows[0].counts());
  CHECK(calm.rows[0].median_ms() == 10);
}

TEST_CASE("a steadily shared machine is refused although its samples are close together") {
  FakeTrack shared({FakeRung("cpu_naive"), FakeRung("cpu_tiled")});
  shared.share = [](int) { return 0.6; };
  RacePlan plan = small_plan();
  plan.n = {64};
  const Race race = raced(shared, plan);
  for (const RaceRow& row : race.rows) {
    CHECK(row.spread() == 0);
    CHECK(row.own_share.size() == std::size_t(kRounds));  // of the last attempt only
    CHECK(row.outcome() == RaceOutcome::NotQuiet);
    CHECK(row.note().find("60 %") != std::string::npos);
  }
  CHECK(shared.asked == 2 * kRounds * kTries);

  // Shared only during the first attempt: its share does not count against the second.
  FakeTrack settles({FakeRung("cpu_naive"), FakeRung("cpu_tiled")});
  settles.share = [](int asked) { return asked < 2 * kRounds ? 0.5 : 0.97; };
  const Race calm = raced(settles, plan);
  CHECK(calm.rows[0].counts());
  CHECK(calm.rows[1].counts());
  CHECK(settles.asked == 4 * kRounds);

  FakeTrack gpu({FakeRung("naive")});
  CHECK(raced(gpu, plan).rows[0].own_share.empty());
}

TEST_CASE(
    "the peak at a contender's clock is measured once a turn, untimed, and only the last attempt's values are kept") {
  const Readiness ready{RaceOutcome::Measured, "", 0, 1e9};
  FakeTrack track(
      {FakeRung("cpu_naive"), FakeRung(
                                  "cpu_tiled", [](int run) { return run < 12 && run % 2 ? 20.0 : 10.0; }, 1, ready)});
  track.peak = [&](std::size_t contender) {
    return contender == 0 ? std::nullopt : std::optional(track.turns_asked.size() <= 2 * kRounds ? 0.5 : 0.25);
  };
  RacePlan plan = small_plan();
  plan.n = {64};
  const Race race = raced(track, plan);
  REQUIRE(track.turns_asked.size() == std::size_t(2 * 2 * kRounds));  // two tries
  CHECK(race.rows[0].peaks_at_clock.empty());
  CHECK_FALSE(race.rows[0].flops_done);
  CHECK(race.rows[1].peaks_at_clock == std::vector<double>(kRounds, 0.25));
  CHECK(race.rows[1].flops_done == 1e9);
  CHECK(race.rows[1].share_at_clock() == Approx(0.4));  // 1 GFLOP in 10 ms, of 0.25 TFLOP/s

  FakeTrack gpu({FakeRung("naive")});
  CHECK_FALSE(raced(gpu, plan).rows[0].peak_at_clock());
}

TEST_CASE("out of memory is the result of one row, and the other contenders run") {
  const auto quick = [](int) { return 1.0; };
  FakeTrack track({FakeRung("naive", quick, 1, {RaceOutcome::OutOfMemory, "wants 9 GiB of 1 GiB", 9ll << 30}),
                   FakeRung("flash_v2")});
  track.no_room_at = 128;
  const Race race = raced(track, small_plan());
  REQUIRE(race.rows.size() == 4);
  CHECK(race.rows[0].outcome() == RaceOutcome::OutOfMemory);
  CHECK(race.rows[0].note() == "wants 9 GiB of 1 GiB");
  CHECK(race.rows[0].extra_bytes == 9ll << 30);
  CHECK(race.rows[0].ms.empty());
  CHECK(race.rows[1].counts());
  CHECK(race.rows[2].note() == "the inputs want too much");
  CHECK(race.rows[3].note() == "the inputs want too much");
  CHECK_FALSE(race.rows[3].extra_bytes);
}

TEST_CASE("a contender with another result, or a failure, is refused with a sentence") {
  const auto quick = [](int) { return 1.0; };
  FakeTrack track({FakeRung("cpu_naive"), FakeRung("wrong", quick, 1.2f), FakeRung("close", quick, 1.01f),
                   FakeRung("nan", quick, NAN), FakeRung("broken", quick, 1, {}, "d is 300; it must be at most 256")});
  const Race race = raced(track, small_plan());
  CHECK(race.rows[0].counts());
  CHECK(race.rows[1].outcome() == RaceOutcome::Refused);
  CHECK(race.rows[1].note().find("differs from that of cpu_naive by 0.2") != std::string::npos);
  CHECK(race.rows[2].counts());
  CHECK(race.rows[3].note().find("not finite") != std::string::npos);
  CHECK(race.rows[4].note().find("at most 256") != std::string::npos);
}

TEST_CASE("a stopped race keeps only complete cells, and progress never decreases") {
  FakeTrack track({FakeRung("cpu_naive"), FakeRung("cpu_tiled")});
  double last = -1;
  const Race race = raced(track, small_plan(), [&](const RaceProgress& at, const Race& so_far) {
    CHECK(at.fraction >= last);
    CHECK(at.fraction <= 1);
    CHECK_FALSE(at.doing.empty());
    last = at.fraction;
    return so_far.rows.empty() || at.fraction < 0.6;
  });
  CHECK(race.stopped);
  CHECK(race.rows.size() == 2);
  CHECK(race.rows[0].n == 64);
  FakeTrack unused({FakeRung("cpu_naive")});
  CHECK(raced(unused, small_plan(), [](const RaceProgress&, const Race&) { return false; }).rows.empty());
  CHECK(unused.opened == 0);
}

TEST_CASE("plans that cannot run are refused with field, value and what to do") {
  const auto refused = [](auto change, const std::string& part) {
    RacePlan plan = small_plan();
    change(plan);
    const Issues issues = check_plan(plan);
    INFO(text_of(issues));
    REQUIRE_FALSE(issues.empty());
    CHECK(text_of(issues).find(part) != std::string::npos);
  };
  CHECK(check_plan(small_plan()).empty());
  CHECK(check_plan(default_plan(RaceOn::Cpu)).empty());
  CHECK(check_plan(default_plan(RaceOn::Gpu)).empty());
  refused([](RacePlan& p) { p.n = {0}; }, "n = 0");
  refused([](RacePlan& p) { p.n = {1 << 20}; }, "FLOP");
  refused([](RacePlan& p) { p.n = {std::int64_t(1) << 60}; }, "n = ");
  refused([](RacePlan& p) { p.d = {257}; }, "d = 257");
  refused([](RacePlan& p) { p.dtype = "fp16"; }, "fp32 or bf16");
  refused([](RacePlan& p) { p.passes = {"backward"}; }, "backward");
  refused([](RacePlan& p) { p.threads = 0; }, "threads");
  refused([](RacePlan& p) { p.n.clear(); }, "nothing to run");
  refused([](RacePlan& p) { p = default_plan(RaceOn::Gpu), p.d = {257}; }, "must be from 1 to 256");
  RacePlan wide = default_plan(RaceOn::Gpu);
  wide.d = {37, 192, 256};
  CHECK(check_plan(wide).empty());
}

TEST_CASE("the GPU's default shapes are the recorded race's: 16k tokens, hidden 2048") {
  const RacePlan plan = default_plan(RaceOn::Gpu);
  const RaceCell cell = plan.cell("forward", 2048, 128, true);
  CHECK(cell.batch == 8);
  CHECK(cell.heads == 16);
  CHECK(plan.cell("forward", 65536, 64, false).batch == 1);
}
