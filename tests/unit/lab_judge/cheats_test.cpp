// Kernels that try to pass without computing attention, and runs that leave their outputs.
#include <algorithm>

#include "tests/support/catch.h"
#include "tests/unit/lab_judge/tiled_kernel.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

struct Played {
  Problem p = lab_problem(16, 32, 8, 8, 8);
  ExposingInputs in = exposing_inputs(p, 8);
  TiledKernel::Result run = TiledKernel{}.run(p, in);
};

}  // namespace

TEST_CASE("outputs that are not written fail", "[unit]") {
  Played played;
  played.run.o = unwritten(16 * 8);
  played.run.l = unwritten(16);
  const JudgeReport report = judged(played.p, played.in, played.run);
  CHECK(!report.passed);
  CHECK(report.visits_wrong == 0);
  REQUIRE(report.complaints.size() == 2);
  CHECK(report.complaints[0] == "128 of 128 values of O were not written.");
  REQUIRE(report.diagnosis);
  CHECK(report.diagnosis->name == "not-written");
}

TEST_CASE("one value that is not written fails", "[unit]") {
  Played played;
  played.run.o[77] = unwritten(1)[0];
  const JudgeReport report = judged(played.p, played.in, played.run);
  CHECK(!report.passed);
  REQUIRE(report.first_wrong);
  CHECK(report.first_wrong->row == 9);
  CHECK(report.first_wrong->column == 5);
}

TEST_CASE("all NaN fails", "[unit]") {
  Played played;
  for (float& value : played.run.o) value = std::numeric_limits<float>::quiet_NaN();
  CHECK(!judged(played.p, played.in, played.run).passed);
  for (LabVisit& visit : played.run.visits)
    for (std::vector<float>* values : {&visit.m, &visit.l, &visit.o})
      std::fill(values->begin(), values->end(), std::numeric_limits<float>::quiet_NaN());
  const JudgeReport report = judged(played.p, played.in, played.run);
  CHECK(report.visits_wrong == report.visits);
}

TEST_CASE("results copied from a reference fail, for visits are missing", "[unit]") {
  Played played;
  SECTION("all") {
    played.run.visits.clear();
    const JudgeReport report = judged(played.p, played.in, played.run);
    CHECK(!report.passed);
    REQUIRE(report.complaints.size() == 1);
    CHECK(report.complaints[0] == "No visit was marked, so nothing but the end can be judged.");
  }
  SECTION("one") {
    played.run.visits.pop_back();
    const JudgeReport report = judged(played.p, played.in, played.run);
    CHECK(!report.passed);
    REQUIRE(report.complaints.size() == 1);
    CHECK(report.complaints[0].find("8 rows: row 8 of batch entry 0, head 0 sees key 24") != std::string::npos);
  }
  SECTION("marks that hold nothing") {
    for (LabVisit& visit : played.run.visits) visit.m.clear(), visit.l.clear(), visit.o.clear();
    CHECK(!judged(played.p, played.in, played.run).passed);
  }
}

TEST_CASE("the final state marked at each visit fails", "[unit]") {
  Played played;
  for (LabVisit& visit : played.run.visits) {
    const LabVisit& last = played.run.visits[std::size_t(visit.q_tile * 4 + 3)];
    visit.m = last.m, visit.l = last.l, visit.o = last.o;
  }
  CHECK(judged(played.p, played.in, played.run).visits_wrong >= 3);
}

TEST_CASE("a huge m does not buy a wide bound", "[unit]") {
  Played played;
  for (LabVisit& visit : played.run.visits) std::fill(visit.m.begin(), visit.m.end(), 1e30f);
  const JudgeReport report = judged(played.p, played.in, played.run);
  CHECK(report.visits_wrong == report.visits);
}

TEST_CASE("only one row right fails", "[unit]") {
  Played played;
  for (std::size_t i = 8; i < 16 * 8; ++i) played.run.o[i] = 0;
  const JudgeReport report = judged(played.p, played.in, played.run);
  CHECK(!report.passed);
  REQUIRE(report.first_wrong);
  CHECK(report.first_wrong->row == 1);
}

// A kernel for one size: other sizes are computed as if they were that one.
TEST_CASE("sizes that are special-cased fail at the other sizes", "[unit]") {
  const Problem known = lab_problem(16, 32, 8, 8, 8);
  int failed = 0;
  Problem many = lab_problem(9, 17, 8, 8, 8);
  many.shape.batch = many.shape.heads = many.shape.kv_heads = 2;
  for (const Problem& p : {known, lab_problem(20, 26, 8, 8, 8), many, lab_problem(17, 7, 8, 8, 8)}) {
    const ExposingInputs in = exposing_inputs(p, 64);
    Problem assumed = p;
    assumed.shape.n_kv = std::min<std::int64_t>(p.shape.n_kv, 32), assumed.shape.heads = assumed.shape.kv_heads = 1;
    assumed.shape.batch = 1, assumed.shape.n_q = std::min<std::int64_t>(16, p.shape.n_q);
    const TiledKernel::Result run = TiledKernel{}.run(assumed, in);
    std::vector<float> o = unwritten(p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.d),
                       l = unwritten(p.shape.batch * p.shape.heads * p.shape.n_q);
    std::copy(run.o.begin(), run.o.end(), o.begin());
    std::copy(run.l.begin(), run.l.end(), l.begin());
    const bool passed = judged(p, in, {run.visits, o, l}).passed;
    failed += !passed;
    if (p.shape == known.shape) CHECK(passed);
  }
  CHECK(failed >= 2);
}

TEST_CASE("marks outside the problem are refused", "[unit]") {
  Played played;
  LabVisit outside = played.run.visits.back();
  SECTION("rows") { outside.first_row = 12; }
  SECTION("head") { outside.head = 1; }
  SECTION("key") { outside.first_key = -8; }
  SECTION("count of values") { outside.o.pop_back(); }
  played.run.visits.push_back(outside);
  const JudgeReport report = judged(played.p, played.in, played.run);
  CHECK(!report.passed);
  CHECK(report.complaints.size() == 1);
}

TEST_CASE("rows swapped at the end are named", "[unit]") {
  Played played;
  for (std::size_t x = 0; x < 8; ++x) std::swap(played.run.o[3 * 8 + x], played.run.o[5 * 8 + x]);
  const JudgeReport report = judged(played.p, played.in, played.run);
  REQUIRE(report.diagnosis);
  CHECK(report.diagnosis->name == "other-row");
  CHECK(report.diagnosis->sentence.find("row 5 of") != std::string::npos);
}
