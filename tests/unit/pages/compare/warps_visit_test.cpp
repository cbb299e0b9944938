// One tile visit of the warps, by the modelled lanes.
#include "pages/compare/blocks/warps_visit.h"

#include <algorithm>

#include "tests/support/h100_problem.h"
#include "tests/unit/pages/compare/compare_session.h"
#include "view/words/units.h"

using namespace tilewalk;
using test::Compare;

namespace {

WarpsModel warps_of(ScheduleKind kind) {
  Problem p = test::h100_problem(128);
  p.schedule = kind;
  p.machine.sram_bytes = 1 << 20;
  return build_warps_model(*make_schedule(p));
}

// The share of the visit in which a condition on that moment is true.
template <class Condition>
double share_of_visit(Condition condition) {
  int count = 0;
  for (int i = 0; i < 1000; ++i) count += condition((i + 0.5) / 1000);
  return count / 1000.0;
}

}  // namespace

TEST_CASE("in a visit of FA-3 one warpgroup multiplies while another does its softmax, and the producer loads") {
  const WarpsModel model = warps_of(ScheduleKind::FlashV3);
  const WarpsSide& side = model.sides[1];
  REQUIRE_FALSE(side.visit.work.empty());
  const int parts = int(side.rects.size());
  REQUIRE(parts == 2);
  const auto at = [&](int part, double t) { return warp_moment(side.visit, part, parts, t); };
  const auto multiplies = [](const WarpMoment& m) { return !m.product.label.empty(); };
  const auto softmax = [](const WarpMoment& m) { return m.other.doing == Doing::Exponentiate; };
  CHECK(at(0, 0).product.doing == Doing::Scores);  // a visit begins with its scores
  CHECK(share_of_visit([&](double t) { return multiplies(at(0, t)) && softmax(at(1, t)); }) > 0.1);
  CHECK(share_of_visit([&](double t) { return multiplies(at(1, t)) && softmax(at(0, t)); }) > 0.1);
  CHECK(share_of_visit([&](double t) { return multiplies(at(0, t)) && !multiplies(at(1, t)); }) > 0.05);
  for (const Doing load : {Doing::LoadK, Doing::LoadV})
    CHECK(share_of_visit([&](double t) { return !load_moment(side.visit, load, t).label.empty(); }) > 0.05);
  // Each part has one tile's scores and one product with V in a visit.
  for (int part = 0; part < parts; ++part)
    for (const Doing product : {Doing::Scores, Doing::Accumulate})
      CHECK(share_of_visit([&](double t) { return at(part, t).product.doing == product; }) > 0.02);
  CHECK(words_at(side, 0).starts_with("warpgroups: 0 QKᵀ "));
}

TEST_CASE("the warps of FA-1 and FA-2 do the same work at the same time, and its share grows from 0 to 1") {
  for (const auto& [kind, at] : {std::pair(ScheduleKind::FlashV1, 0), std::pair(ScheduleKind::FlashV2, 1)}) {
    const WarpsModel model = warps_of(kind);
    const WarpsSide& side = model.sides[std::size_t(at)];
    REQUIRE_FALSE(side.visit.work.empty());
    CHECK(words_at(side, 0).starts_with("all 4 warps: QKᵀ "));
    for (const Doing each : {Doing::Scores, Doing::Exponentiate, Doing::Accumulate}) {
      double last = 0;
      for (int i = 0; i < 1000; ++i) {
        const WarpMoment first = warp_moment(side.visit, 0, 4, i / 1000.0),
                         second = warp_moment(side.visit, 1, 4, i / 1000.0);
        const WarpWork& work = each == Doing::Exponentiate ? first.other : first.product;
        CHECK(first.product.share == second.product.share);
        if (work.doing != each) continue;
        CHECK(work.share >= last);
        last = work.share;
      }
      CHECK(last > 0.95);
    }
  }
}

TEST_CASE("what ping-pong gains has the model's cycles with and without it") {
  Problem p = test::h100_problem(128);
  p.schedule = ScheduleKind::FlashV3;
  const WarpsModel model = build_warps_model(*make_schedule(p));
  TimelineOptions options;
  options.group = group_of(p, State{});
  const std::vector<Removal> removals = what_it_removes(p, options);
  const auto of =
      std::find_if(removals.begin(), removals.end(), [](const Removal& r) { return r.option == LaneOption::PingPong; });
  REQUIRE(of != removals.end());
  const std::string& gain = model.sides[1].gain;
  INFO(gain);
  CHECK(test::names(gain, cycles_text(of->cycles_on) + " cycles"));
  CHECK(test::names(gain.substr(0, gain.find(". ")), " by the model: "));
  CHECK(test::names(gain, "Without overlap"));
  CHECK(model.sides[0].gain.empty());
  CHECK(warps_of(ScheduleKind::FlashV2).sides[1].gain.empty());
}

TEST_CASE("the visit of the warps plays once it is shown, rests at its end, and is held at a moment") {
  Compare on(ScheduleKind::FlashV3);
  for (const Command& command : on.session->opening_comparison(Filling::Warps)) on.send(command);
  while (on.session->busy()) on.send(Work{64});
  CHECK_FALSE(on.page().visit_t);
  for (const double now : {0.0, 0.1, 1.0, 3.0}) on.send(Tick{now});
  REQUIRE(on.page().visit_t);
  CHECK(*on.page().visit_t > 0.1);
  CHECK(on.session->is_in_motion());
  on.send(HoldMotion{0.5});
  on.send(Tick{4.0});
  CHECK(on.page().visit_t == std::optional(0.5));
  CHECK_FALSE(on.session->is_in_motion());
  on.send(Action::PlayPause);  // goes on
  on.send(Tick{5.0});
  on.send(Tick{30.0});
  CHECK_FALSE(on.page().visit_t);
  CHECK_FALSE(on.session->seconds_to_change(30));
  const ComparePage page = on.page();
  const WarpsModel& warps = *page.warps;
  CHECK(warps.figure == warps.sides[0].figure);
  CHECK(warps.headline.starts_with("FA-1's warps exchange " + warps.figure + " to add up O, at "));
  CHECK(warps.headline.ends_with(" barriers; FA-3's exchange none."));
  CHECK(warps.sides[1].barriers == "no barrier to add up O");  // ping-pong has others

  CHECK(page.compare.figure == warps.figure);
  CHECK(page.compare.headline == warps.headline);
  CHECK(page.compare.detail == warps.sentence);  // not ping-pong, which this page does not draw
  CHECK(page.lanes.sentence.empty());
  on.send(ShowPage{Page::Walk});
  CHECK_FALSE(on.session->compare().visit().open());
  Compare still(ScheduleKind::FlashV3);
  still.send(Action::ToggleMotion);
  for (const Command& command : still.session->opening_comparison(Filling::Warps)) still.send(command);
  for (const double now : {0.0, 0.1, 1.0}) still.send(Tick{now});
  CHECK_FALSE(still.page().visit_t);
}
