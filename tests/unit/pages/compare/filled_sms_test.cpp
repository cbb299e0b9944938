// All SMs of both sides, wave by wave.
#include "pages/compare/blocks/filled_sms.h"

#include <algorithm>

#include "tests/support/h100_problem.h"
#include "tests/unit/pages/compare/compare_session.h"
#include "view/pages.h"
#include "view/words/units.h"

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
  const FilledSms heads = build_filled_sms(few, of_few, of_few.waves.cycles / 2);
  CHECK(heads.figure == "32 of 132");
  CHECK(heads.figure_words == "SMs ever have a thread block; hollow squares have none");
  REQUIRE(heads.sms.size() == 132);
  const auto working = [](const FilledSms& m) {
    return std::count_if(m.sms.begin(), m.sms.end(), [](const FilledSm& sm) { return sm.works; });
  };
  CHECK(working(heads) == 32);
  CHECK(heads.clock == "At " + short_cycles(heads.now) + " cycles: 32 of 132 SMs work.");
  // 320 thread blocks on 132 SMs, one at once: the third round has 56.
  const Waves& w = of_many.waves;
  const auto count_of_round = [&](double cycle, int round) {
    const FilledSms m = build_filled_sms(many, of_many, cycle);
    return std::count_if(m.sms.begin(), m.sms.end(), [&](const FilledSm& sm) { return sm.round == round; });
  };
  CHECK(count_of_round(0, 1) == 132);
  const FilledSms third = build_filled_sms(many, of_many, 0.9 * w.cycles);
  CHECK(third.figure_words == "SMs have thread blocks, in 3 waves: a new shade each");
  CHECK(third.clock.find(" cycles: wave 3 of 3, ") != std::string::npos);
  CHECK(count_of_round(w.cycles, 3) == 56);
  CHECK(count_of_round(w.cycles, 2) == 76);
  const FilledSms start = build_filled_sms(many, of_many, 0), end = build_filled_sms(many, of_many, w.cycles);
  CHECK(start.busy.front().sms == 132);
  CHECK(start.busy.back().sms == 0);
  CHECK(start.busy.back().cycle == w.cycles);
  CHECK(w.cycles - start.tail_from == Approx(w.tail));
  CHECK(working(end) == 0);
  CHECK(end.clock.starts_with("Finished at "));
  for (std::size_t i = 1; i < start.busy.size(); ++i) CHECK(start.busy[i].cycle >= start.busy[i - 1].cycle);
  // Without the times of thread blocks the rounds of an SM are taken as equally long.
  const RunTime evenly = run_time(*make_schedule(many), device_of(many.machine));
  CHECK(build_filled_sms(many, evenly, w.cycles / 2).sms[0].round == 2);
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
  CHECK(page.filled.sides[0].now == Approx(page.filled.sides[1].now));
  CHECK(page.filled.longest == page.filled.sides[0].cycles);
  CHECK(page_row(Page::Compare).for_room(*on.session).question == "Ask: which SMs have nothing to do, and when?");
  on.send(Action::ShowWaves);
  CHECK(on.session->compare().filling() == Filling::Sms);
  CHECK(on.page().filled.sides.empty());
}
