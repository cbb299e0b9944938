// The page of the roofline: a guess before the answers, and no figure that contradicts another.
#include "view/predict/roofline_page.h"

#include "measured/held_against.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct Asked {
  MessageLine messages;
  RooflineDesk desk{messages, [] { return load_race_times(TILEWALK_SOURCE_DIR); }};
  Asked() { desk.read_times(); }
  RooflinePage page() { return build_roofline_page(desk, cache); }
  RooflineCache cache;
};

bool shows(const RooflinePage& page, RooflineHue hue) {
  for (const RooflinePoint& point : page.points)
    if (point.hue == hue) return true;
  return false;
}

}  // namespace

TEST_CASE("the answers stay hidden until they are asked for", "[unit]") {
  Asked asked;
  const RooflinePage before = asked.page();
  CHECK(shows(before, RooflineHue::Naive));
  CHECK_FALSE(shows(before, RooflineHue::Tiled2));
  CHECK_FALSE(shows(before, RooflineHue::Tiled3));
  CHECK(before.wins.empty());
  CHECK(before.rows.empty());
  CHECK(before.answer.empty());
  CHECK(before.sentence.empty());
  asked.desk.carry_out(GuessWin{3});
  CHECK(shows(asked.page(), RooflineHue::Guess));
  asked.desk.carry_out(Action::RevealWin);
  const RooflinePage after = asked.page();
  CHECK(shows(after, RooflineHue::Tiled3));
  CHECK(after.wins.size() == 2);
  CHECK(after.rows.size() == 5);
  CHECK(after.answer.find("Your 3×") != std::string::npos);
  asked.desk.carry_out(ChooseRoofline{.n = 4096});  // another question
  CHECK_FALSE(asked.desk.revealed());
  CHECK_FALSE(asked.desk.guess());
}

TEST_CASE("a guess is held against the recording where there is one", "[unit]") {
  Asked asked;
  const AttentionCall call = asked.desk.call();
  const double right =
      *asked.desk.times()->ms_of("naive", cell_of(call)) / *asked.desk.times()->ms_of("flash_v3", cell_of(call));
  CHECK(*win_of(held_rows(call, device_of({.device = "h200"}), asked.desk.times())) == Approx(right));
  asked.desk.carry_out(GuessWin{right});
  asked.desk.carry_out(Action::RevealWin);
  REQUIRE(asked.desk.misses().size() == 1);
  CHECK(asked.desk.misses()[0] == Approx(0).margin(1e-12));
  asked.desk.carry_out(ChooseRoofline{.device = "a100"});  // FA-3 does not run there
  const Prediction naive = predict(*method_named("naive"), asked.desk.call(), device_of({.device = "a100"}));
  const Prediction two = predict(*method_named("flash_v2"), asked.desk.call(), device_of({.device = "a100"}));
  CHECK(*win_of(held_rows(asked.desk.call(), device_of({.device = "a100"}), asked.desk.times())) ==
        Approx(*naive.predicted_ms / *two.predicted_ms));
}

TEST_CASE("the win over N follows card, d and mask", "[unit]") {
  Asked kept;
  for (const ChooseRoofline& choice : {ChooseRoofline{}, ChooseRoofline{.device = "a100"}, ChooseRoofline{.d = 128},
                                       ChooseRoofline{.causal = true}, ChooseRoofline{.n = 2048}}) {
    kept.desk.carry_out(choice);
    kept.desk.carry_out(Action::RevealWin);
    RooflineCache none;
    const RooflinePage seen = kept.page(), afresh = build_roofline_page(kept.desk, none);
    CAPTURE(kept.desk.device(), kept.desk.call().d);
    REQUIRE_FALSE(afresh.wins.empty());
    REQUIRE(seen.wins.size() == afresh.wins.size());
    for (std::size_t i = 0; i < seen.wins.size(); ++i) {
      REQUIRE(seen.wins[i].modelled.size() == afresh.wins[i].modelled.size());
      for (std::size_t k = 0; k < seen.wins[i].modelled.size(); ++k)
        CHECK(seen.wins[i].modelled[k].y == afresh.wins[i].modelled[k].y);
      CHECK(seen.wins[i].recorded.size() == afresh.wins[i].recorded.size());
    }
  }
}

TEST_CASE("places in the plots are inside them, and roofs meet at the ridge", "[unit]") {
  for (const char* device : {"h200", "b200", "rtx4090"})
    for (const std::int64_t d : {64, 128})
      for (const std::int64_t n : {512, 65536}) {
        Asked asked;
        asked.desk.carry_out(ChooseRoofline{.device = device, .n = n, .d = d});
        asked.desk.carry_out(Action::RevealWin);
        const RooflinePage page = asked.page();
        INFO(device << " d " << d << " n " << n);
        REQUIRE(page.roofs.size() >= 2);
        CHECK(page.roofs[0].to_x == page.roofs[1].from_x);
        CHECK(page.roofs[0].to_y == page.roofs[1].from_y);
        for (const RooflinePoint& point : page.points) {
          REQUIRE(point.predicted);
          CHECK((point.predicted->x >= 0 && point.predicted->x <= 1));
          CHECK((point.predicted->y > 0 && point.predicted->y < 1));
        }
        for (const WinCurve& curve : page.wins)
          for (const PlotPoint& point : curve.modelled) CHECK((point.y > 0 && point.y <= 1));
      }
}

TEST_CASE("what cannot be chosen is refused and changes nothing", "[unit]") {
  Asked asked;
  asked.desk.carry_out(ChooseRoofline{.device = "h300"});
  asked.desk.carry_out(ChooseRoofline{.n = 1000});
  asked.desk.carry_out(ChooseRoofline{.d = 80});
  asked.desk.carry_out(GuessWin{-1});
  CHECK(asked.desk.device() == "h200");
  CHECK(asked.desk.call().n == 8192);
  CHECK(asked.desk.call().d == 64);
  CHECK_FALSE(asked.desk.guess());
  CHECK(asked.messages.message());
}
