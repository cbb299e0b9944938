#include "base/random.h"
#include "tests/support/catch.h"
#include "tests/unit/lab_judge/tiled_kernel.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

void check_right(const Problem& p, const TiledKernel& kernel) {
  const JudgeReport report = judged(p, kernel);
  INFO(sentence_of(p, report));
  CHECK(report.passed);
  CHECK(report.visits > 0);
  CHECK(report.visits_wrong == 0);
  CHECK(!report.first_wrong);
  CHECK(!report.diagnosis);
}

}  // namespace

TEST_CASE("right kernels pass, whatever their loops, units and max", "[unit]") {
  const std::vector<TiledKernel> kernels = {{},
                                            {.base = Base::Two},
                                            {.reverse = true},
                                            {.kv_outside = true},
                                            {.max_above = 3.5},
                                            {.base = Base::Two, .lag = 8},
                                            {.mistake = "upper-bound"},
                                            {.mistake = "tile-max"},
                                            {.by_rows = true},
                                            {.splits = 3},
                                            {.mark_o = false}};
  for (const auto& [mask, n_q, n_kv] : {std::tuple(MaskKind::None, 37, 41), std::tuple(MaskKind::Causal, 37, 41),
                                        std::tuple(MaskKind::CausalBottomRight, 41, 21)})
    for (const TiledKernel& kernel : kernels) {
      Problem p = lab_problem(n_q, n_kv, 16, 8, 8, mask);
      p.shape.batch = 2, p.shape.heads = 4, p.shape.kv_heads = 2;
      CAPTURE(int(mask), kernel.mistake, int(kernel.base), kernel.reverse, kernel.kv_outside, kernel.by_rows,
              kernel.splits);
      if (kernel.mistake == "tile-max" && mask != MaskKind::None) continue;  // hidden tiles have no max of their own
      check_right(p, kernel);
    }
}

TEST_CASE("right kernels pass at many seeds and sizes", "[unit]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const std::int64_t d : {1, 2, 33, 128}) {
      Problem p = lab_problem(20, 70, d, 16, 16, seed % 2 == 0 ? MaskKind::Causal : MaskKind::None);
      p.numerics.seed = seed;
      CAPTURE(seed, d);
      check_right(p, {.base = seed % 3 == 0 ? Base::Two : Base::E});
    }
  }
}

TEST_CASE("random right kernels pass, and no mistake of theirs does", "[unit]") {
  std::uint64_t drawn = 0;
  const auto pick = [&](std::int64_t least, std::int64_t most) {
    return least + std::int64_t(random_bits(5, 1, drawn++) % std::uint64_t(most - least + 1));
  };
  int mistakes = 0;
  for (int run = 0; run < 60; ++run) {
    Problem p = lab_problem(pick(1, 40), pick(1, 60), pick(1, 70), pick(1, 20), pick(1, 20), MaskKind(pick(0, 2)));
    p.numerics.seed = std::uint64_t(run);
    p.shape.kv_heads = pick(1, 2);
    p.shape.heads = p.shape.kv_heads * pick(1, 2);
    if (pick(0, 2) == 0) p.numerics.scale = 0.02 * double(pick(1, 40));
    TiledKernel kernel{.base = Base(pick(0, 1)), .reverse = pick(0, 1) == 1, .by_rows = pick(0, 1) == 1};
    kernel.splits = int(pick(1, 3));
    const ExposingInputs in = exposing_inputs(p, p.tiling.bc);
    const TiledKernel::Result right = kernel.run(p, in);
    const JudgeReport report = judged(p, in, right, kernel.base);
    CAPTURE(run, kernel.reverse, kernel.splits);
    INFO(sentence_of(p, report));
    CHECK(report.passed);
    for (const char* name :
         {"no-rescale-l", "no-rescale-o", "scale-twice", "tf32-products", "fp16-o", "m-not-updated"}) {
      TiledKernel wrong = kernel;
      wrong.mistake = name;
      const TiledKernel::Result made = wrong.run(p, in);
      if (made.visits == right.visits) continue;  // one tile needs no rescaling
      ++mistakes;
      const JudgeReport found = judged(p, in, made, kernel.base);
      CAPTURE(name);
      INFO(sentence_of(p, found));
      CHECK(!found.passed);
      REQUIRE(found.diagnosis);
      CHECK(found.diagnosis->name == name);
    }
  }
  CHECK(mistakes > 200);
}

TEST_CASE("the first wrong visit is named with row, quantity, numbers and line", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  TiledKernel::Result run = TiledKernel{}.run(p, in);
  const double right_l = run.visits[2].l[3], right_o = run.visits[5].o[4 * 8 + 6];
  SECTION("l") {
    run.visits[2].l[3] *= 1.001f;
    run.visits[5].o[4 * 8 + 6] += 1;
    const JudgeReport report = judged(p, in, run);
    REQUIRE(report.first_wrong);
    const WrongValue& w = *report.first_wrong;
    CHECK(!report.passed);
    CHECK(report.visits == 8);
    CHECK(report.visits_wrong == 2);
    CHECK(w.visit == 2);
    CHECK(w.q_tile == 0);
    CHECK(w.kv_tile == 2);
    CHECK(w.row == 3);
    CHECK(w.quantity == LabQuantity::L);
    CHECK(!w.column);
    CHECK(w.line == 20);
    CHECK(std::fabs(w.expected - right_l) < 1e-5 * right_l);
    CHECK(w.got == double(float(right_l) * 1.001f));
    REQUIRE(report.diagnosis);
    CHECK(report.diagnosis->name.empty());
    CHECK(report.diagnosis->sentence.find("1.001 times") != std::string::npos);
  }
  SECTION("o") {
    run.visits[5].o[4 * 8 + 6] += 1;
    const JudgeReport report = judged(p, in, run);
    REQUIRE(report.first_wrong);
    const WrongValue& w = *report.first_wrong;
    CHECK(w.visit == 5);
    CHECK(w.q_tile == 1);
    CHECK(w.kv_tile == 1);
    CHECK(w.row == 12);
    CHECK(w.quantity == LabQuantity::O);
    CHECK(w.column == 6);
    CHECK(w.line == 30);
    CHECK(std::fabs(w.expected - right_o) < 1e-4);
    CHECK(sentence_of(p, report).find("Wrong at visit 6, Q tile 1, KV tile 1, row 12, column 6: o must be ") == 0);
  }
  SECTION("m") {
    run.visits[1].m[7] += 0.01f;
    const JudgeReport report = judged(p, in, run);
    REQUIRE(report.first_wrong);
    CHECK(report.first_wrong->quantity == LabQuantity::M);
    CHECK(report.first_wrong->row == 7);
    CHECK(report.first_wrong->line == 10);
    CHECK(std::fabs(report.first_wrong->expected - double(run.visits[1].m[7]) + 0.01) < 1e-4);
  }
}

TEST_CASE("of rows marked one by one, in any order, the first row of the first wrong visit is named", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const JudgeReport report = judged(p, {.mistake = "no-rescale-l", .by_rows = true});
  REQUIRE(report.first_wrong);
  CHECK(report.visits == 8);
  CHECK(report.visits_wrong >= 2);
  CHECK(report.first_wrong->visit == 1);
  CHECK(report.first_wrong->row == 0);
  REQUIRE(report.diagnosis);
  CHECK(report.diagnosis->name == "no-rescale-l");
}

TEST_CASE("states that fit the other base alone get that as their diagnosis", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  for (const Base base : {Base::E, Base::Two}) {
    const TiledKernel::Result run = TiledKernel{.base = base}.run(p, in);
    const JudgeReport report = judged(p, in, run, base == Base::E ? Base::Two : Base::E);
    CHECK(!report.passed);
    REQUIRE(report.diagnosis);
    CHECK(report.diagnosis->name == "other-base");
  }
}

TEST_CASE("an m that is kept before scaling gets that as its diagnosis", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  TiledKernel::Result run = TiledKernel{}.run(p, in);
  for (LabVisit& visit : run.visits)
    for (float& m : visit.m) m /= float(p.scale_value());
  const JudgeReport report = judged(p, in, run);
  CHECK(!report.passed);
  REQUIRE(report.diagnosis);
  CHECK(report.diagnosis->name == "unscaled-m");
}

TEST_CASE("in bf16, P and O may be rounded; in fp32 they may not", "[unit]") {
  Problem p = lab_problem(24, 40, 16, 8, 8);
  for (const char* mistake : {"bf16-p", "bf16-output"}) {
    CAPTURE(mistake);
    p.numerics.dtype = DType::Bf16;
    CHECK(judged(p, {.mistake = mistake}).passed);
    CHECK(!judged(p, {.mistake = "no-rescale-o"}).passed);
    p.numerics.dtype = DType::Fp32;
    CHECK(!judged(p, {.mistake = mistake}).passed);
  }
}

TEST_CASE("a number that is not finite never passes", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()})
    for (int place = 0; place < 5; ++place) {
      CAPTURE(bad, place);
      TiledKernel::Result run = TiledKernel{}.run(p, in);
      if (place == 0) run.visits[1].m[2] = bad;
      if (place == 1) run.visits[1].l[2] = bad;
      if (place == 2) run.visits[1].o[2] = bad;
      if (place == 3) run.o[9] = bad;
      if (place == 4) run.l[9] = bad;
      const JudgeReport report = judged(p, in, run);
      CHECK(!report.passed);
      REQUIRE(report.first_wrong);
      CHECK(report.first_wrong->at_end == (place > 2));
    }
}

TEST_CASE("a second pass over the keys starts afresh", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  TiledKernel::Result run = TiledKernel{}.run(p, in);
  const std::vector<LabVisit> once = run.visits;
  run.visits.insert(run.visits.end(), once.begin(), once.end());
  const JudgeReport report = judged(p, in, run);
  CHECK(report.passed);
  CHECK(report.visits == 16);
}

TEST_CASE("a launch for each KV tile goes on with the state of the launches before", "[unit]") {
  const Problem p = lab_problem(16, 32, 8, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  TiledKernel::Result run = TiledKernel{.kv_outside = true}.run(p, in);
  for (std::size_t i = 0; i < run.visits.size(); ++i) run.visits[i].thread_block = std::int64_t(i);
  CHECK(judged(p, in, run).passed);
}

TEST_CASE("exposing inputs are a pure function, finite, with NaN behind the last row", "[unit]") {
  Problem p = lab_problem(10, 20, 8, 4, 4);
  const ExposingInputs a = exposing_inputs(p, 4), again = exposing_inputs(p, 4);
  CHECK(a.q.size() == (10 + 4) * 8);
  CHECK(a.k.size() == (20 + 4) * 8);
  CHECK(std::equal(a.k.begin(), a.k.begin() + 160, again.k.begin()));
  for (std::size_t i = 0; i < a.v.size(); ++i) CHECK(std::isnan(a.v[i]) == (i >= 160));
  p.numerics.seed = 8;
  CHECK(!std::equal(a.k.begin(), a.k.begin() + 160, exposing_inputs(p, 4).k.begin()));
}

TEST_CASE("exposing inputs make α matter in each visit", "[unit]") {
  const Problem p = lab_problem(24, 64, 32, 8, 16);
  const ExposingInputs in = exposing_inputs(p, 0);
  const TiledKernel::Result run = TiledKernel{}.run(p, in);
  for (std::int64_t row = 0; row < 24; ++row) {
    int grown = 0;
    for (const LabVisit& visit : run.visits)
      if (visit.q_tile == row / 8 && visit.kv_tile > 0) {
        const auto r = std::size_t(row % 8);
        const LabVisit& before = *(&visit - 1);
        grown += before.m[r] < visit.m[r] - 0.5f;
      }
    CAPTURE(row);
    CHECK((row % 3 == 2 ? grown == 0 : grown == 3));
  }
}
