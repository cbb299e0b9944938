// Each recognised mistake, by an answer that makes it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "session/hand/hand_facts.h"
#include "tests/unit/session/hand/hand_fixture.h"

using namespace tilewalk;
using tilewalk::test::AtHand;
using tilewalk::test::picture_problem;

namespace {

// Row 9 at KV tile 1 of the picture: its max grows there. In natural units.
struct Row9 {
  AtHand at{picture_problem()};
  double m_old = 0, m = 0, tile_max = 0, alpha = 0, l_old = 0, l = 0;
  std::vector<double> s, p;

  explicit Row9(Phase phase, const char* ask) {
    at.go(2, 1, Phase::Accumulate);
    const State& state = at.state();
    const Problem& problem = at.session->problem();
    m_old = display_score(problem, state.m_old[1]), m = display_score(problem, state.m[1]);
    tile_max = display_score(problem, state.tile_max[1]);
    alpha = state.alpha[1], l_old = state.l_old[1], l = state.l[1];
    for (int c = 0; c < 4; ++c) {
      s.push_back(display_score(problem, state.s[std::size_t(4 + c)]));
      p.push_back(state.p[std::size_t(4 + c)]);
    }
    at.go(2, 1, phase);
    at.give(std::string("by-hand 9 ask ") + ask);
  }
  double weights() const { return std::accumulate(p.begin(), p.end(), 0.0); }
};

}  // namespace

TEST_CASE("the facts of a number have its sources in the ledger, with their values") {
  Row9 row(Phase::Rescale, "alpha");
  HandValues values(row.at.session->walk().shared_schedule(), row.at.session->inputs());
  const HandFacts facts = facts_of(values, {row.at.session->cursor() - 1, {Quantity::Alpha, 9, -1}});
  REQUIRE(facts.sources.size() == 2);
  for (const auto& [source, value] : facts.sources) {
    CHECK(source.quantity == Quantity::M);
    CHECK(value == (source.before ? row.m_old : row.m));
  }
}

TEST_CASE("mistakes in a score") {
  Row9 row(Phase::Scores, "s");
  CHECK(row.at.mistake("s:9:6", row.s[2] * 2) == "forgot-scale");
  CHECK(row.at.mistake("s:9:6", row.s[2] / 2) == "scaled-by-d");
  CHECK(row.at.mistake("s:9:6", -row.s[2]) == "wrong-sign");
  CHECK(row.at.mistake("s:9:6", row.s[3]) == "another-column");
  const Inputs& inputs = row.at.session->inputs();
  const double without = row.s[2] - double(inputs.at({TensorId::Q}, 9, 3)) * double(inputs.at({TensorId::K}, 6, 3)) / 2;
  CHECK(row.at.mistake("s:9:6", without) == "missed-a-product");
  double added = 0;
  for (int x = 0; x < 4; ++x)
    added += (double(inputs.at({TensorId::Q}, 9, x)) + double(inputs.at({TensorId::K}, 6, x))) / 2;
  CHECK(row.at.mistake("s:9:6", added) == "added");
}

TEST_CASE("mistakes in the running max") {
  Row9 row(Phase::RowMax, "m");
  CHECK(row.at.mistake("m:9", row.m_old) == "old-max");
  CHECK(row.at.mistake("m:9", row.m * 2) == "forgot-scale");
  CHECK(row.at.mistake("m:9", *std::min_element(row.s.begin(), row.s.end())) == "least");
  CHECK(row.at.mistake("m:9", row.m_old + row.tile_max) == "added");
  CHECK(row.at.mistake("m:9", -row.m) == "wrong-sign");
  CHECK(row.at.mistake("m:9", display_score(row.at.session->problem(), row.at.state().m[3])) == "another-row");

  AtHand kept(picture_problem());  // row 8 keeps its max
  kept.go(2, 1, Phase::RowMax);
  const double best = display_score(kept.session->problem(), kept.state().tile_max[0]);
  kept.give("by-hand 8 ask m");
  CHECK(kept.mistake("m:8", best) == "tile-max");
}

TEST_CASE("a max over masked scores is diagnosed") {
  AtHand at(picture_problem());
  at.go(2, 2, Phase::Scores);  // the diagonal: row 8 may see only column 8
  std::vector<double> before;
  for (int c = 0; c < 4; ++c) before.push_back(display_score(at.session->problem(), at.state().s[std::size_t(c)]));
  at.go(2, 2, Phase::RowMax);
  at.give("by-hand 8 ask m");
  const double hidden = *std::max_element(before.begin(), before.end());
  if (hidden > display_score(at.session->problem(), at.state().m[0])) CHECK(at.mistake("m:8", hidden) == "masked");
}

TEST_CASE("mistakes in α") {
  Row9 row(Phase::Rescale, "alpha");
  CHECK(row.at.mistake("alpha:9", std::exp(row.m - row.m_old)) == "upside-down");
  CHECK(row.at.mistake("alpha:9", row.m_old - row.m) == "difference");
  CHECK(row.at.mistake("alpha:9", row.m - row.m_old) == "difference");
  CHECK(row.at.mistake("alpha:9", std::exp2(row.m_old - row.m)) == "other-base");
  CHECK(row.at.mistake("alpha:9", row.m_old / row.m) == "quotient");
  CHECK(row.at.mistake("alpha:9", 1) == "kept-one");
  CHECK(row.at.mistake("alpha:9", 0) == "zeroed");
  CHECK(row.at.mistake("alpha:9", std::exp(row.m)) == "no-max");
}

TEST_CASE("mistakes in a weight") {
  Row9 row(Phase::Exponentiate, "p");
  const double s = row.s[0];
  CHECK(row.at.mistake("p:9:4", std::exp(row.m - s)) == "upside-down");
  CHECK(row.at.mistake("p:9:4", std::exp(s)) == "no-max");
  CHECK(row.at.mistake("p:9:4", std::exp2(s - row.m)) == "other-base");
  CHECK(row.at.mistake("p:9:4", s - row.m) == "difference");
  CHECK(row.at.mistake("p:9:4", std::exp(s - row.m_old)) == "old-max");
  CHECK(row.at.mistake("p:9:4", row.p[0] / row.l) == "divided-early");
  CHECK(row.at.mistake("p:9:4", std::exp((s - row.m) * 2)) == "forgot-scale");
  CHECK(row.at.mistake("p:9:4", row.p[3]) == "another-column");

  AtHand kept(picture_problem());  // row 8 keeps a max that is not this tile's
  kept.go(2, 1, Phase::Exponentiate);
  const auto score = [&](float v) { return double(display_score(kept.session->problem(), v)); };
  const double own = std::exp(score(kept.state().s[0]) - score(kept.state().tile_max[0]));
  kept.give("by-hand 8 ask p");
  CHECK(kept.mistake("p:8:4", own) == "tile-max");
}

TEST_CASE("mistakes in ℓ") {
  Row9 row(Phase::RowSum, "l");
  CHECK(row.at.mistake("l:9", row.l_old + row.weights()) == "forget-rescale-l");
  CHECK(row.at.mistake("l:9", row.weights()) == "forgot-old-part");
  CHECK(row.at.mistake("l:9", row.alpha * row.l_old) == "forgot-new-part");
  CHECK(row.at.mistake("l:9", row.l_old) == "old-sum");
  CHECK(row.at.mistake("l:9", row.l_old / row.alpha + row.weights()) == "inverse-rescale");
  CHECK(row.at.mistake("l:9", row.alpha * (row.l_old + row.weights())) == "rescaled-all");
  CHECK(row.at.mistake("l:9", row.l - row.p[0]) == "missed-a-weight");

  AtHand edge(picture_problem());  // the diagonal: row 10 may not see column 11
  edge.go(2, 2, Phase::RowSum);
  const double l = edge.state().l[2];
  edge.give("by-hand 10 ask l");
  CHECK(edge.mistake("l:10", l + 1) == "masked");
}

TEST_CASE("mistakes in ℓ where the max was not subtracted") {
  Row9 row(Phase::RowSum, "l");
  double unsubtracted = 0;
  for (const double s : row.s) unsubtracted += std::exp(s);
  CHECK(row.at.mistake("l:9", row.alpha * row.l_old + unsubtracted) == "no-max");
}

TEST_CASE("mistakes in a row of O") {
  AtHand before(picture_problem());
  before.go(2, 1, Phase::RowMax);
  const double old = before.state().o[4];
  Row9 row(Phase::Accumulate, "o");
  const double now = row.at.state().o[4], part = now - row.alpha * old;
  CHECK(row.at.mistake("o:9:0", old + part) == "forget-rescale-o");
  CHECK(row.at.mistake("o:9:0", old / row.alpha + part) == "inverse-rescale");
  CHECK(row.at.mistake("o:9:0", part) == "forgot-old-part");
  CHECK(row.at.mistake("o:9:0", row.alpha * old) == "forgot-new-part");
  CHECK(row.at.mistake("o:9:0", now / row.l) == "divided-early");
  CHECK(row.at.mistake("o:9:0", row.alpha * (old + part)) == "rescaled-all");
}

TEST_CASE("mistakes in the last division") {
  AtHand at(picture_problem());
  at.go(2, 2, Phase::Accumulate);
  const double summed = at.state().o[4], l = at.state().l[1];
  at.go(Phase::Normalise, at.session->cursor() - 1);
  at.give("by-hand 9 ask o");
  CHECK(at.mistake("o:9:0", summed) == "forgot-division");
  CHECK(at.mistake("o:9:0", l / summed) == "inverse-division");
  CHECK(at.mistake("o:9:0", summed * l) == "multiplied");
  CHECK(at.mistake("o:9:0", summed / l / l) == "divided-twice");
}

TEST_CASE("the values of a classic mistake from the start of the walk are recognised where a pencil error is not") {
  std::vector<std::string> met;
  for (const Fault fault : all_faults()) {
    AtHand at(picture_problem());
    at.give("by-hand all ask m+alpha+l+o");
    for (std::int64_t k = 1; k <= at.session->schedule().step_count(); ++k) {
      at.give("go-to-step " + std::to_string(k));
      HandValues values(at.session->walk().shared_schedule(), at.session->inputs());
      for (const HandField& field : std::vector(at.hand().fields())) {
        if (field.stands()) continue;
        const HandKey key{field.made_at, field.place};
        const auto wrong = values.under(fault, key);
        if (wrong && std::isfinite(*wrong) && std::fabs(*wrong) < 1e6) {
          at.give("answer-field " + text_of(field.place) + " " + AtHand::format_exactly(*wrong));
          if (!at.field(text_of(field.place)).stands()) {
            CAPTURE(name_of(fault), k, text_of(field.place));
            CHECK(at.field(text_of(field.place)).mistake != "");
            met.push_back(at.field(text_of(field.place)).mistake);
          }
        }
        if (!at.field(text_of(field.place)).stands()) at.give("show-field " + text_of(field.place));
      }
    }
  }
  for (const Fault fault : {Fault::TileMax, Fault::NoMax, Fault::MaskOffByOne, Fault::SkipDiagonal,
                            Fault::ForgetRescaleL, Fault::ForgetRescaleO, Fault::InverseRescale}) {
    CAPTURE(name_of(fault));
    CHECK(std::find(met.begin(), met.end(), name_of(fault)) != met.end());
  }
}

TEST_CASE("mistakes in FA-1's factors and its division at every visit") {
  Problem p = picture_problem();
  p.schedule = ScheduleKind::FlashV1;
  AtHand at(p);
  at.go(2, 1, Phase::Normalise);
  const State end = at.state();
  const auto score = [&](float v) { return double(display_score(p, v)); };
  at.go(2, 1, Phase::LoadQ);
  const double o_old = at.state().o[4];
  const double part = double(end.beta[1]) * double(end.tile_l[1]);
  at.go(2, 1, Phase::Rescale);
  at.give("by-hand 9 ask m+alpha+beta+l");
  at.give("show-field m:9");
  CHECK(at.mistake("alpha:9", std::exp(score(end.m[1]) - score(end.m_old[1]))) == "upside-down");
  at.give("show-field alpha:9");
  at.give("show-field beta:9");
  CHECK(at.mistake("l:9", double(end.l_old[1]) + part) == "forget-rescale-l");
  at.give("show-field l:9; step-forward; step-forward; by-hand 9 ask o");
  const double joined = double(end.alpha[1]) * double(end.l_old[1]) * o_old + double(end.beta[1]) * double(end.pv[4]);
  CHECK(at.mistake("o:9:0", joined) == "forgot-division");
  CHECK(at.mistake("o:9:0", joined / double(end.l_old[1])) == "divided-by-old");
}

TEST_CASE("mistakes in the backward pass") {
  Problem p = picture_problem();
  p.schedule = ScheduleKind::Backward;
  p.machine.sram_bytes = 8192;
  AtHand at(p);
  at.go(2, 1, Phase::GradS);
  const State end = at.state();
  const double weight = end.p[6], dp = end.dp[6], d = end.D[1];
  at.give("by-hand 9 ask ds");
  CHECK(at.mistake("ds:9:6", weight * dp) == "forgot-d");
  CHECK(at.mistake("ds:9:6", dp - d) == "forgot-p");
  CHECK(at.mistake("ds:9:6", weight * (d - dp)) == "upside-down");
  CHECK(at.mistake("ds:9:6", weight * (dp + d)) == "added");
  at.go(2, 1, Phase::Exponentiate);
  at.give("by-hand 9 ask p");
  const double s = display_score(p, end.s[6]), l = display_score(p, end.lse[1]);
  CHECK(at.mistake("p:9:6", std::exp(l - s)) == "upside-down");
  CHECK(at.mistake("p:9:6", std::exp(s)) == "no-max");
}

TEST_CASE("an answer without a known mistake gets its direction and never the number") {
  Row9 row(Phase::Rescale, "alpha");
  row.at.give("answer-field alpha:9 0.7");
  CHECK(row.at.field("alpha:9").mistake.empty());
  CHECK(row.at.field("alpha:9").diagnosis == "Too large, but close. Two digits must be right.");
  row.at.give("answer-field alpha:9 0.3");
  CHECK(row.at.field("alpha:9").diagnosis == "Too small, by about half or twice.");
  CHECK(how_far_off(-1, 2) == "Not below 0.");
  CHECK(how_far_off(9, 2) == "Too large, by far.");
}
