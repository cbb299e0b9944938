// All SMs of both sides, wave by wave.
#include "pages/compare/blocks/filled_sms.h"

#include <algorithm>

#include "tests/support/h100_problem.h"
#include "tests/unit/pages/compare/compare_session.h"
#include "view/pages.h"
#include "view/pipes/pipes_time.h"
#include "view/words/predict_words.h"

using namespace tilewalk;
using test::Compare;

namespace {

Problem hopper_problem(ScheduleKind kind) {
  Problem p = test::h100_problem(128);
  p.schedule = kind;
  p.machine.sram_bytes = 1 << 20;
  return p;
}

}  // namespace

TEST_CASE("all SMs at one cycle: those without a thread block stay, the others show the round that has begun") {
  const Problem few = hopper_problem(ScheduleKind::FlashV1), many = hopper_problem(ScheduleKind::FlashV3);
  const auto run = [](const Problem& p) { return run_time(*make_schedule(p), device_of(p.machine), 1 << 16); };
  const RunTime of_few = run(few), of_many = run(many);
  const FilledClock clock{.ms = 4};
  const FilledSms heads = build_filled_sms(few, of_few, clock, 0.5);
  CHECK(heads.figure == "32 of 132");
  CHECK(heads.figure_words == "SMs ever have a thread block");
  CHECK(heads.some_idle);
  REQUIRE(heads.sms.size() == 132);
  const auto working = [](const FilledSms& m) {
    return std::count_if(m.sms.begin(), m.sms.end(), [](const FilledSm& sm) { return sm.works; });
  };
  CHECK(working(heads) == 32);
  CHECK(heads.clock == "At 2.00 ms: 32 of 132 SMs work.");
  REQUIRE(heads.waves.size() == 1);
  // 320 thread blocks on 132 SMs, one at once: the third round has 56.
  const Waves& w = of_many.waves;
  const auto count_of_round = [&](double share, int round) {
    const FilledSms m = build_filled_sms(many, of_many, clock, share);
    return std::count_if(m.sms.begin(), m.sms.end(), [&](const FilledSm& sm) { return sm.round == round; });
  };
  CHECK(count_of_round(0, 1) == 132);
  const FilledSms third = build_filled_sms(many, of_many, clock, 0.9);
  CHECK(third.figure_words == "SMs have thread blocks, in 3 waves");
  CHECK_FALSE(third.some_idle);
  CHECK(third.clock.find(" ms: wave 3 of 3, ") != std::string::npos);
  CHECK(count_of_round(1, 3) == 56);
  CHECK(count_of_round(1, 2) == 76);
  const FilledSms start = build_filled_sms(many, of_many, clock, 0), end = build_filled_sms(many, of_many, clock, 1);
  CHECK(start.busy.front().sms == 132);
  CHECK(start.busy.back().sms == 0);
  CHECK(start.busy.back().at == Approx(1));
  CHECK(1 - start.tail_from == Approx(w.tail / w.cycles));
  CHECK(start.clock.starts_with("At the start: wave 1 of 3, "));
  CHECK(working(end) == 0);
  CHECK(end.clock == "Finished at 4.00 ms.");
  for (std::size_t i = 1; i < start.busy.size(); ++i) CHECK(start.busy[i].at >= start.busy[i - 1].at);
  // Without the times of thread blocks the rounds of an SM are taken as equally long.
  const RunTime evenly = run_time(*make_schedule(many), device_of(many.machine));
  CHECK(build_filled_sms(many, evenly, clock, 0.5).sms[0].round == 2);
}

TEST_CASE("SMs wave by wave stand beside FA-1's, which has one thread block a head, at one cycle of both") {
  Compare on(ScheduleKind::FlashV2);
  for (const Command& command : on.session->opening_comparison(Filling::Waves)) on.send(command);
  while (on.session->busy()) on.send(Work{64});
  const ComparePage page = on.page();
  CHECK(page.baseline == "FA-1");
  REQUIRE(page.filled.sides.size() == 2);
  CHECK(page.filled.sides[0].figure == "64 of 132");
  CHECK(page.filled.sides[1].figure == "132 of 132");
  CHECK(page.filled.sides[1].figure_words == "SMs have 3 thread blocks each, in 11 waves");
  CHECK(page.filled.sides[0].now * page.filled.sides[0].ms ==
        Approx(page.filled.sides[1].now * page.filled.sides[1].ms));
  CHECK(page.filled.longest_ms == page.filled.sides[0].ms);
  CHECK(page_row(Page::Compare).for_room(*on.session).question == "Ask: which SMs have nothing to do, and when?");
  on.send(Action::ShowWaves);
  CHECK(on.session->compare().filling() == Filling::Sms);
  CHECK(on.page().filled.sides.empty());
}

TEST_CASE("each wave is a segment: they cover the time in order, and the clock names the one that runs") {
  const Problem p = hopper_problem(ScheduleKind::FlashV3);
  const auto schedule = make_schedule(p);
  const RunTime run = run_time(*schedule, device_of(p.machine), 1 << 16);
  const FilledClock clock{.ms = 4};
  const FilledSms m = build_filled_sms(p, run, clock, 0);
  REQUIRE(std::int64_t(m.waves.size()) == run.waves.waves);
  CHECK(m.waves.front().begin == 0);
  CHECK(m.waves.back().end == 1);
  for (std::size_t i = 0; i < m.waves.size(); ++i) {
    const WaveSegment& wave = m.waves[i];
    CHECK(wave.number == int(i) + 1);
    REQUIRE(wave.end > wave.begin);
    if (i > 0) CHECK(wave.begin == m.waves[i - 1].end);
    const FilledSms inside = build_filled_sms(p, run, clock, (wave.begin + wave.end) / 2);
    INFO(inside.clock);
    CHECK(test::names(inside.clock, "wave " + std::to_string(wave.number) + " of 3"));
  }
  const FilledPair ended = filled_pair({*schedule, run}, {*schedule, run}, schedule->step_count(), nullptr);
  CHECK(ended.sides[1].now == 1);
  CHECK(ended.sides[1].clock.starts_with("Finished at "));
  // A click on the strip goes to the cursor of that moment, and back.
  for (const double share : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    const std::int64_t cursor = cursor_at_moment(m, *schedule, share);
    const FilledPair there = filled_pair({*schedule, run}, {*schedule, run}, cursor, nullptr);
    CHECK(there.sides[1].now == Approx(share).margin(1e-3));
  }
}

TEST_CASE("beside naive the waves have the times of the call's bars, and naive's three launches have their parts") {
  static const Result<RaceTimes> races = load_race_times(TILEWALK_SOURCE_DIR, "h200");
  REQUIRE(races);
  Compare on(ScheduleKind::FlashV2, 16, &*races);
  for (const Command& command : on.session->opening_comparison(Filling::Waves)) on.send(command);
  on.send(PinSchedule{ScheduleKind::Standard});
  while (on.session->busy()) on.send(Work{64});
  const ComparePage page = on.page();
  REQUIRE(page.filled.sides.size() == 2);
  const FilledSms &naive = page.filled.sides[0], &tiled = page.filled.sides[1];
  INFO(page.compare.figure);
  CHECK(page.compare.figure == times_text_of(naive.ms / tiled.ms));
  CHECK(naive.end_text == "8.98 ms");
  CHECK(test::names(page.filled.axis_words, "recorded"));
  CHECK(test::names(naive.clock, "launch 1 of 3, wave "));
  CHECK(std::count_if(naive.waves.begin(), naive.waves.end(),
                      [](const WaveSegment& wave) { return wave.first_of_launch; }) == 3);
  CHECK(naive.waves.size() == 3 * 16);
}

TEST_CASE("the waves of a call open in its middle and play to the end by themselves; with motion off they rest") {
  for (const bool motion : {true, false}) {
    Compare on(ScheduleKind::FlashV2);
    if (!motion) on.send(Action::ToggleMotion);
    for (const Command& command : on.session->opening_comparison(Filling::Waves)) on.send(command);
    while (on.session->busy()) on.send(Work{64});
    const std::int64_t opened = on.page().cursor;
    CHECK(opened == on.page().steps / 2);
    CHECK(test::names(on.page().filled.sides[1].clock, "wave 6 of 11"));
    CHECK(on.session->seconds_to_change(0).has_value() == motion);
    on.send(Tick{0});
    on.send(Tick{0});  // off-screen no time passes
    CHECK(on.page().cursor == opened);
    for (const double now : {0.1, 0.2, 0.3}) on.send(Tick{now});
    CHECK(on.session->compare().call_walk().plays() == motion);
    CHECK((on.page().cursor > opened) == motion);
    for (double now = 1; now < 40; ++now) on.send(Tick{now});
    CHECK(on.page().cursor == (motion ? on.page().steps : opened));
    CHECK_FALSE(on.session->seconds_to_change(40));
    on.send(GoToCallStep{100});
    on.send(Tick{41});
    CHECK(on.page().cursor == 100);
    on.send(GoToCallStep{0});
    CHECK(on.page().filled.sides[1].clock == "At the start: wave 1 of 11, 132 of 132 SMs work.");
  }
  Compare moved(ScheduleKind::FlashV2);
  for (const Command& command : moved.session->opening_comparison(Filling::Waves)) moved.send(command);
  moved.send(GoToCallStep{100});
  for (const double now : {0.0, 0.1, 0.2}) moved.send(Tick{now});
  CHECK(moved.page().cursor == 100);
}

TEST_CASE("naive's SMs beside the lanes and wave by wave are at one moment: a share of its time, not of its steps") {
  const Problem p = hopper_problem(ScheduleKind::Standard);
  const auto schedule = make_schedule(p);
  const RunTime run = run_time(*schedule, device_of(p.machine), 1 << 16);
  const std::int64_t cursor = schedule->step_count() / 3;
  WavesModel beside = build_waves_model(p, run, 440, 120);
  show_at_cursor(beside, run.waves, share_of_run(*schedule, run.waves, cursor));
  const FilledPair large = filled_pair({*schedule, run}, {*schedule, run}, cursor, nullptr);
  const std::int64_t percent = std::int64_t(large.sides[1].now * 100);
  REQUIRE(percent != 33);
  CHECK(large.sides[1].now == Approx(share_of_time(*schedule, cursor)));
  CHECK(beside.at_cursor.starts_with("At the cursor " + std::to_string(percent) + " % of its time is over: "));
}
