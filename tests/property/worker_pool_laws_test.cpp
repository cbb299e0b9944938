// Laws of the replay by several workers and over rows too wide to be shown whole.
#include <algorithm>
#include <limits>

#include "core/fields/validate.h"
#include "core/values/exact_math.h"
#include "tests/property/replays.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

// Three workers, one after the other, the last first: nothing may depend on their order.
class LastToFirst final : public WorkerPool {
 public:
  int size() const override { return 3; }
  void run(const std::function<void(int)>& part) override {
    for (int hand = 2; hand >= 0; --hand) part(hand);
    ++runs;
  }
  int runs = 0;
};

}  // namespace

TEST_CASE("several workers compute the same state as one, byte for byte", "[property]") {
  const auto workers = std::make_shared<LastToFirst>();
  int shared = 0;
  for (std::uint64_t seed = 400; seed < 520; ++seed) {
    Problem p = random_problem(seed);
    if (seed % 2 == 0)
      p.tiling.br = 16 * (2 + std::int64_t(seed / 2 % 3)) + std::int64_t(seed % 5), p.shape.n_q = 3 * p.tiling.br - 7;
    p.machine.sram_bytes = 1 << 24;
    if (!validate(p).empty()) continue;
    INFO(as_text(p));
    Replay one = replay_of(p), several(make_schedule(p), Inputs(p), workers);
    Draw draw(seed);
    const std::int64_t last = one.schedule().step_count();
    const int runs = workers->runs;
    for (int hop = 0; hop < 12; ++hop) {
      const std::int64_t at = hop == 0 ? last : draw.upto(0, last);
      INFO("cursor " << at);
      several.begin(at);
      while (!several.work(1 + hop % 4)) {
      }
      REQUIRE(several.state() == one.at(at));
    }
    shared += workers->runs > runs;
  }
  REQUIRE(shared > 50);
}

namespace {

class KeepVisit final : public VisitSink {
 public:
  explicit KeepVisit(std::int64_t kv_tile) : wanted(kv_tile) {}
  bool on_visit(const VisitState& v) override {
    if (v.kv_tile == wanted) kept = v;
    return v.kv_tile < wanted;
  }
  std::int64_t wanted;
  VisitState kept;
};

}  // namespace

TEST_CASE("a row of standard attention too wide to be shown whole equals plain arithmetic", "[property]") {
  Problem p;
  p.schedule = ScheduleKind::Standard;
  p.shape.n_q = 64, p.shape.n_kv = 70000, p.shape.d = 4, p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 24;
  REQUIRE(validate(p).empty());
  Replay replay = replay_of(p);
  const Schedule& schedule = replay.schedule();
  // the second: backwards, while the row's quotients are still stored
  const std::int64_t visits[] = {p.kv_tiles() - 1, 700};
  for (const std::int64_t visit : visits) {
    const State& state = replay.at(schedule.end_step_of_visit(2, {.q_tile = 0, .kv_tile = visit}));
    for (const std::int64_t row : {0, 37, 63}) {
      std::vector<float> q(4), s(std::size_t(p.shape.n_kv)), o(4, 0.0f);
      for (std::int64_t x = 0; x < 4; ++x) q[std::size_t(x)] = replay.inputs().at({TensorId::Q}, row, x);
      float m = -std::numeric_limits<float>::infinity(), l = 0;
      for (std::int64_t j = 0; j < p.shape.n_kv; ++j) {
        float dot = 0;
        for (std::int64_t x = 0; x < 4; ++x)
          dot = exact::fma32(q[std::size_t(x)], replay.inputs().at({TensorId::K}, j, x), dot);
        s[std::size_t(j)] = dot * p.score_factor();
        m = std::max(m, s[std::size_t(j)]);
      }
      for (const float score : s) l += exact::exp2f_exact(score - m);
      for (std::int64_t j = 0; j < std::min(p.shape.n_kv, (visit + 1) * p.tiling.bc); ++j)
        for (std::int64_t x = 0; x < 4; ++x)
          o[std::size_t(x)] = exact::fma32(exact::exp2f_exact(s[std::size_t(j)] - m) / l,
                                           replay.inputs().at({TensorId::V}, j, x), o[std::size_t(x)]);
      if (visit == 700) {
        KeepVisit walked(visit);
        replay.walk_q_tile({.q_tile = 0}, walked);
        REQUIRE(same_bits(walked.kept.o, state.o));
        REQUIRE(same_bits(walked.kept.p, state.p));
        for (std::int64_t j = 0; j < 64; ++j)
          REQUIRE(walked.kept.s[std::size_t(row * 64 + j)] == s[std::size_t(visit * 64 + j)]);
      }
      REQUIRE(state.m[std::size_t(row)] == m);
      REQUIRE(state.l[std::size_t(row)] == l);
      REQUIRE(same_bits(std::vector<float>(state.o.begin() + row * 4, state.o.begin() + row * 4 + 4), o));
    }
  }
}
