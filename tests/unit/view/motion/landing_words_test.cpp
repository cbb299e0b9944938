#include "view/motion/landing_words.h"

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"
#include "view/sentence/sentence.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

namespace {

struct SpokenStep {
  std::string sentence;
  Motion motion;
  std::vector<LandingWords> words;

  std::string visible_at(double t) const {
    std::string out = sentence;
    for (const LandingWords& each : words)
      if (t < each.lands) {
        const std::size_t begin = t < each.begins ? each.clause : each.begin;
        std::fill(out.begin() + long(begin), out.begin() + long(each.end), '_');
      }
    return out.substr(0, out.find('_'));
  }
};

SpokenStep step_after(Walk& walk, std::int64_t cursor) {
  const State before = walk.at(cursor - 1), after = walk.at(cursor);
  SpokenStep out{step_sentence(*walk.schedule, after), build_motion(*walk.schedule, before, after), {}};
  out.words = landing_words(walk.schedule->problem(), after, out.motion, out.sentence);
  return out;
}

}  // namespace

TEST_CASE("a sentence tells a result when the number has landed, not before") {
  Walk walk(picture());
  const auto said = [&](Phase phase, double t) {
    return step_after(walk, walk.after(phase, 2, 1).cursor).visible_at(t);
  };
  for (const auto& [phase, begins, result] :
       {std::tuple{Phase::Scores,
                   "Q tile 2 times K tile 1 transposed, times 0.500, gives 4×4 scores. Row 9, column 6: ", "0.92."},
        {Phase::Rescale,
         "Row 9: 0.92 beats the running max 0.51. The weights added up so far subtracted only 0.51 and are too large, "
         "so O, and then ℓ, shrink by α = e^(0.51−0.92) = ",
         "0.66."},
        {Phase::Exponentiate, "Each score becomes e^(S − m). Row 9, column 7: e^(0.17−0.92) = ", "0.47."},
        {Phase::RowSum, "Row 9: ℓ new = α × ℓ old + the sum of the row of P = 0.66 × 2.50 + ", "1.98 = 3.63."},
        {Phase::Accumulate, "P times V tile 1 is added to O tile 2. Row 9 of O then starts with ",
         "0.91, not yet divided by ℓ."},
        {Phase::RowMax, "Row 9: this tile's best score ", "0.92 beats the running max 0.51, so m becomes 0.92."}}) {
    const SpokenStep step = step_after(walk, walk.after(phase, 2, 1).cursor);
    CHECK(step.visible_at(step.words.at(0).begins) == begins);
    CHECK(said(phase, 1) == begins + std::string(result));
  }
}

TEST_CASE("a clause that names a cell begins when the picture is at that cell") {
  Walk walk(picture());
  for (const auto& [phase, before] :
       {std::pair{Phase::Scores, "Q tile 2 times K tile 1 transposed, times 0.500, gives 4×4 scores. "},
        {Phase::Exponentiate, "Each score becomes e^(S − m). "}}) {
    const SpokenStep step = step_after(walk, walk.after(phase, 2, 1).cursor);
    const LandingWords& words = step.words.at(0);
    REQUIRE(words.begins > 0);
    REQUIRE(words.begins < words.lands);
    CHECK(step.visible_at(0.99 * words.begins) == before);
    CHECK(step.visible_at(words.begins) != before);
  }
}

TEST_CASE("in every schedule the words that wait are there once their number has landed, and all are at t = 1") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    int waiting = 0;
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const SpokenStep step = step_after(walk, k);
      INFO(name_of(kind) << ", step " << k << ": " << step.sentence);
      for (const LandingWords& each : step.words) {
        REQUIRE(each.begin < each.end);
        REQUIRE(each.end <= step.sentence.size());
        if (step.sentence.compare(each.begin, 9, "Every row") == 0) continue;  // no number
        // The box in the place of the number is as wide as the number.
        REQUIRE(each.number_end > each.begin);
        REQUIRE(each.number_end <= each.end);
        const std::string number = step.sentence.substr(each.begin, each.number_end - each.begin);
        CHECK(number.find_first_not_of("−0123456789./") == std::string::npos);
        REQUIRE(step.sentence[each.begin - 1] == ' ');
        CHECK((each.begins == 0 || each.clause < each.begin));  // else "L = " would have no box after it
        waiting += each.lands > 0;
      }
      CHECK(step.visible_at(1) == step.sentence);
      if (step.motion.values.empty()) CHECK(step.words.empty());
    }
    CHECK(waiting > 4);
  }
}

TEST_CASE("what a sentence says of every row waits for the last of them") {
  Walk walk(picture(ScheduleKind::Standard));
  for (const auto& [phase, words] : {std::pair{Phase::RowMax, "Every row has its own max now."},
                                     {Phase::Divide, "Every row of P now adds up to 1."}}) {
    const SpokenStep step = step_after(walk, walk.after(phase).cursor);
    const MovingValues& v = step.motion.values.back();
    CHECK(step.visible_at(v.span.begin).find(words) == std::string::npos);
    CHECK(step.visible_at(0.99 * v.span.end).find(words) == std::string::npos);
    CHECK(step.visible_at(v.span.end).find(words) != std::string::npos);
  }
}
