#include <cmath>
#include <set>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "tests/unit/session/hand/hand_fixture.h"

using namespace tilewalk;
using tilewalk::test::AtHand;
using tilewalk::test::picture_problem;

TEST_CASE("H asks for the step's result, for the row with the most to explain") {
  AtHand at(picture_problem());
  at.go(2, 1, Phase::RowMax);
  CHECK_FALSE(at.hand().on());
  at.give("work-by-hand");
  REQUIRE(at.hand().fields().size() == 1);
  CHECK(at.hand().fields()[0].place == HandPlace{Quantity::M, 9});
  CHECK(at.hand().hidden(Quantity::M, 9));
  CHECK_FALSE(at.hand().hidden(Quantity::M, 8));
  CHECK_FALSE(at.hand().hidden(Quantity::TileMax, 9));
  CHECK(std::isnan(at.hand().seen().state().m[1]));
  CHECK_FALSE(std::isnan(at.hand().seen().state().m_old[1]));
  at.give("answer-field m:9 \"0,92\"");
  CHECK(at.field("m:9").state == HandState::Right);
  CHECK(at.field("m:9").answer == "0.92");
  CHECK(at.hand().all_right());
  CHECK_FALSE(at.hand().hides());
  at.give("work-by-hand");
  CHECK_FALSE(at.hand().on());
  CHECK(at.hand().fields().empty());
}

TEST_CASE("a jump to the end of a visit asks for all its results") {
  AtHand at(picture_problem());
  at.go(2, 0, Phase::Accumulate);
  at.give("work-by-hand; tile-forward");
  std::set<Quantity> asked;
  for (const HandField& field : at.hand().fields()) asked.insert(field.place.quantity);
  CHECK(asked == std::set{Quantity::S, Quantity::M, Quantity::Alpha, Quantity::P, Quantity::L, Quantity::O});
}

TEST_CASE("m, α and ℓ of one row are asked together, and an answer moves to the next") {
  AtHand at(picture_problem());
  at.go(2, 1, Phase::RowMax);
  at.give("by-hand 9 ask m+alpha+l");
  REQUIRE(at.hand().fields().size() == 3);
  CHECK(at.hand().fields()[1].place.quantity == Quantity::Alpha);
  at.give("focus-field on m:9; answer-field m:9 0.92");
  REQUIRE(at.hand().focused());
  CHECK(at.hand().focused()->place == HandPlace{Quantity::Alpha, 9});
  at.give("answer-field alpha:9 1.51");
  CHECK(at.field("alpha:9").state == HandState::Wrong);
  CHECK(at.field("alpha:9").mistake == "upside-down");
  CHECK(at.field("alpha:9").diagnosis ==
        "1.51 is e^(0.92 − 0.51), the ratio upside down. What was summed against 0.51 is too large when measured "
        "against 0.92: it must shrink.");
  CHECK(at.hand().tries_wrong() == 1);
  at.give("answer-field alpha:9 0.66");
  CHECK(at.field("alpha:9").state == HandState::Right);
  at.give("show-field l:9");
  CHECK(at.field("l:9").state == HandState::Shown);
  CHECK(at.hand().shown() == 1);
  CHECK(at.hand().all_right());
  CHECK_FALSE(at.hand().focused());
}

TEST_CASE("an answer computed from the printed numbers stands, and its slips are named") {
  AtHand at(picture_problem());
  at.go(2, 1, Phase::Accumulate);
  at.give("by-hand 9 ask o");
  for (const char* part : {"-0.06", "-0.063"}) {  // the sum of P × V alone, of the printed numbers
    at.give("answer-field o:9:1 " + std::string(part));
    CHECK(at.field("o:9:1").mistake == "forgot-old-part");
  }
  at.give("answer-field o:9:1 -0.71");  // 0.66 × −0.98 + …: −0.7097; of all digits −0.704
  CHECK(at.field("o:9:1").state == HandState::Right);
  at.go(2, 2, Phase::Accumulate);
  at.give("answer-field o:9:2 0.45");
  CHECK(at.field("o:9:2").state == HandState::Wrong);
  at.give("answer-field o:9:2 0.3999");
  CHECK(at.field("o:9:2").state == HandState::Right);
}

TEST_CASE("an open question hides the values computed from it at later steps, until it is right, shown or H is off") {
  AtHand at(picture_problem());
  at.go(2, 0, Phase::RowMax);
  at.give("by-hand 9 ask m");
  at.give("tile-forward");
  CHECK(at.hand().hidden(Quantity::M, 9));
  CHECK(at.hand().hidden(Quantity::Alpha, 9));
  CHECK(at.hand().hidden(Quantity::P, 9, 2));
  CHECK(at.hand().hidden(Quantity::L, 9));
  CHECK(at.hand().hidden(Quantity::O, 9, 0));
  CHECK_FALSE(at.hand().hidden(Quantity::S, 9, 2));
  CHECK_FALSE(at.hand().hidden(Quantity::M, 10));
  at.go(2, 1, Phase::Scores);
  CHECK(at.hand().hidden(Quantity::M, 9));  // its value before this visit
  CHECK(at.hand().hidden(Quantity::O, 9));
  at.go(2, 2, Phase::Accumulate);
  CHECK(at.hand().hidden(Quantity::L, 9));
  at.go(3, 0, Phase::Accumulate);
  CHECK_FALSE(at.hand().hidden(Quantity::L, 12));
  at.go(2, 0, Phase::RowMax);
  at.give("show-field m:9; step-forward; step-forward");
  CHECK_FALSE(at.hand().hides());
}

TEST_CASE("an answer that depends on an open question names that question, without its numbers") {
  AtHand at(picture_problem());
  at.go(2, 1, Phase::RowMax);
  at.give("by-hand 9 ask m+alpha+l; answer-field alpha:9 1.51");
  CHECK(at.field("alpha:9").diagnosis == "Not that. Settle m new first: this number is made of it.");
  at.give("hint-field alpha:9; hint-field alpha:9");
  CHECK(at.field("alpha:9").hint == "e^(0.51 − ?).");
}

TEST_CASE("there are three hints, and the last is nearly the answer") {
  AtHand at(picture_problem());
  at.go(2, 1, Phase::Rescale);
  at.give("by-hand 9 ask alpha; hint-field alpha:9");
  CHECK(at.field("alpha:9").hint == "α = e^(m old − m new). It is never above 1.");
  at.give("hint-field alpha:9");
  CHECK(at.field("alpha:9").hint == "e^(0.51 − 0.92).");
  at.give("hint-field alpha:9; hint-field alpha:9");
  CHECK(at.field("alpha:9").hint == "It lies between 0.6 and 0.7.");
  CHECK(at.field("alpha:9").hints == 3);
}

TEST_CASE("text that is not a number is reported and does not count as a try") {
  AtHand at(picture_problem());
  at.go(2, 1, Phase::RowMax);
  at.give("by-hand 9; answer-field m:9 abc");
  CHECK(at.field("m:9").state == HandState::Open);
  CHECK(at.field("m:9").diagnosis == "\"abc\" is not a number.");
  CHECK(at.hand().tries_wrong() == 0);
}

TEST_CASE("a problem that is too large is refused with field, value, rule and a preset that fits") {
  Problem large = picture_problem();
  large.shape.d = 64;
  large.machine.sram_bytes = 1 << 16;
  AtHand at(large);
  at.give("work-by-hand");
  CHECK_FALSE(at.hand().on());
  REQUIRE(at.session->message());
  CHECK(at.session->message()->text ==
        "d = 64: is too large for a pencil: work by hand supports up to 8. Open the preset \"paper\", which fits");
}

TEST_CASE("a walk with a fault is not asked by hand") {
  AtHand at(picture_problem());
  at.give("by-hand one; set-fault tile-max");
  CHECK_FALSE(at.hand().on());
  at.give("work-by-hand");
  CHECK_FALSE(at.hand().on());
  at.give("set-fault none; work-by-hand");
  CHECK(at.hand().on());
}

TEST_CASE("in base 2 exact fractions are accepted and shown") {
  Problem small;
  small.shape = {.n_q = 8, .n_kv = 8, .d = 2, .mask = {MaskKind::Causal}};
  small.numerics.base = Base::Two;
  small.numerics.scale = 1.0;
  small.numerics.distribution = Distribution::Integers;
  AtHand at(small);
  at.go(1, 0, Phase::RowSum);
  at.give("by-hand all ask l");
  REQUIRE(at.hand().fields().size() == 4);
  for (const HandField& field : std::vector(at.hand().fields())) {
    const double right = *number_at(small, at.state(), field.place);
    at.give("answer-field " + text_of(field.place) + " " + AtHand::format_exactly(right));
    CHECK(at.field(text_of(field.place)).answer == format_value(small, right));
  }
  at.go(1, 1, Phase::RowSum);
  for (const HandField& field : std::vector(at.hand().fields())) {
    const double right = *number_at(small, at.state(), field.place);
    at.give("answer-field " + text_of(field.place) + " \"" + format_value(small, right) + "\"");
    INFO(format_value(small, right));
    CHECK(at.field(text_of(field.place)).state == HandState::Right);
  }
}

// Every question, in every schedule, is about a number that the screen prints, and the right answer is accepted.
TEST_CASE("in every schedule each question can be answered, step by step") {
  for (const ScheduleKind kind : all_schedules()) {
    Problem p = picture_problem();
    p.schedule = kind;
    p.machine.sram_bytes = 8192;
    if (schedule_row(kind).settings.splits) p.tiling.splits = 2;
    AtHand at(p);
    CAPTURE(name_of(kind));
    at.give("by-hand one");
    std::set<Quantity> met;
    int asked = 0;
    for (std::int64_t k = 1; k <= at.session->schedule().step_count(); ++k) {
      at.give("go-to-step " + std::to_string(k));
      CAPTURE(k, name_of(at.state().step.phase));
      HandValues values(at.session->walk().shared_schedule(), at.session->inputs());
      for (const HandField& field : std::vector(at.hand().fields())) {
        met.insert(field.place.quantity);
        if (field.stands()) continue;
        ++asked;
        const double right = *values.right({field.made_at, field.place});
        CAPTURE(text_of(field.place), right);
        CHECK(at.hand().hidden(field.place));
        at.give("focus-field on " + text_of(field.place));
        CHECK(at.hand().prompt().find("not a number") == std::string::npos);
        CHECK(at.hand().prompt().find("NaN") == std::string::npos);
        at.give("answer-field " + text_of(field.place) + " " + AtHand::format_exactly(right));
        CHECK(at.field(text_of(field.place)).stands());
      }
      CHECK_FALSE(at.hand().hides());
    }
    CHECK(asked > 40);
    const auto has = [&](Quantity quantity) { return met.count(quantity) > 0; };
    CHECK(has(schedule_row(kind).family.backward ? Quantity::DQ : Quantity::O));
    CHECK(has(Quantity::Follow) == schedule_row(kind).settings.rescale_threshold);
    CHECK(has(Quantity::Weight) == schedule_row(kind).settings.splits);
  }
}
