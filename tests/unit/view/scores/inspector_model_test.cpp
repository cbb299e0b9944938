#include "view/scores/inspector_model.h"

#include "tests/unit/view/view_fixture.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("a cell shows its value, its inputs and its uses") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Exponentiate);
  const InspectorModel m = build_inspector_model(*walk.schedule, walk.replay.inputs(), state, 11, 6);
  CHECK(m.place == "row 11, column 6 · Q tile 2 × KV tile 1 (full)");
  CHECK(m.value == "S = " + signed_number(display_score(walk.problem, state.s[3 * 4 + 2]), 4));
  CHECK(m.from.empty());  // the products are listed instead
  CHECK(m.working.front() == "S = Q[11] · K[6], scaled");
  CHECK(m.goes.front() == "weight P = " + signed_number(state.p[3 * 4 + 2], 4) + " for V[6] in O[11]");
}

TEST_CASE("where there are too many products to list, their number is given") {
  Problem p = picture();
  p.shape.d = 16;
  Walk walk(p);
  const InspectorModel m =
      build_inspector_model(*walk.schedule, walk.replay.inputs(), walk.after(Phase::Scores), 11, 6);
  CHECK(m.working.empty());
  REQUIRE(m.from.size() == 1);
  CHECK(m.from.front() == "from Q[11] · K[6], 16 products, times 0.2500");
}

TEST_CASE("skipped, masked and pending cells say so instead of a value") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Exponentiate);
  const auto value = [&](std::int64_t row, std::int64_t col) {
    return build_inspector_model(*walk.schedule, walk.replay.inputs(), state, row, col).value;
  };
  CHECK(value(0, 15).find("skipped") == 0);
  CHECK(value(0, 1).find("S = −∞: row 0 may not see column 1") == 0);
  CHECK(value(15, 0) == "not computed yet");
}

TEST_CASE("a finished element of O is compared with float64") {
  Walk walk(picture());
  const InspectorModel m =
      build_output_inspector(*walk.schedule, walk.replay.inputs(), walk.after(Phase::Normalise), 9, 1);
  REQUIRE(m.from.size() == 2);
  CHECK(m.from[1].find("float64 says") == 0);
}

TEST_CASE("the cell's value comes first, and S after it") {
  Walk walk(picture(ScheduleKind::Backward));
  const State& state = walk.after(Phase::GradS);
  const std::size_t at = 3 * 4 + 2;
  const InspectorModel m = build_inspector_model(*walk.schedule, walk.replay.inputs(), state, 11, 6, Quantity::DS);
  CHECK(m.value == "dS = " + signed_number(state.ds[at], 4));
  REQUIRE_FALSE(m.from.empty());
  CHECK(m.from.front() == "S = " + signed_number(display_score(walk.problem, state.s[at]), 4));
  for (const std::string& line : m.goes) CHECK_FALSE(line.starts_with("dS"));
}

TEST_CASE("in naive attention's softmax pass a score's story has the current value, divided only once it is") {
  Walk walk(picture(ScheduleKind::Standard));
  const auto told = [&](Phase phase) {
    std::string text;
    for (const std::string& line :
         build_inspector_model(*walk.schedule, walk.replay.inputs(), walk.after(phase), 9, 6, Quantity::P).working)
      text += line + "\n";
    return text;
  };
  CHECK(told(Phase::RowSum).find("/ ℓ") == std::string::npos);
  CHECK(told(Phase::RowSum).find("P = e^(S − m) = e^(") != std::string::npos);
  CHECK(told(Phase::Divide).find("/ ℓ = ") != std::string::npos);
  CHECK(told(Phase::Divide).find("read from HBM") != std::string::npos);
}
