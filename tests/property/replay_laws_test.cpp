// Laws of the replay, on random problems.
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "core/witness/reference.h"
#include "tests/property/replays.h"
#include "tests/support/catch.h"
#include "tests/support/online_softmax.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

TEST_CASE("a cold seek equals any walk, byte for byte", "[property]") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    Replay wanderer = replay_of(p);
    Draw draw(seed + 77);
    const std::int64_t last = wanderer.schedule().step_count();
    std::int64_t at = 0;
    for (int hop = 0; hop < 25; ++hop) {
      const std::int64_t kind = draw.upto(0, 3);
      at = kind == 0   ? draw.upto(0, last)
           : kind == 1 ? std::min(last, at + 1)
           : kind == 2 ? std::max<std::int64_t>(0, at - 1)
                       : std::max<std::int64_t>(0, at - 9);
      const State warm = wanderer.at(at);
      const State cold = replay_of(p).at(at);
      INFO("cursor " << at);
      REQUIRE(warm == cold);
      REQUIRE(warm.cursor == at);
    }
  }
}

TEST_CASE("a step forward and back is the identity", "[property]") {
  for (std::uint64_t seed = 200; seed < 260; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    Replay replay = replay_of(p);
    const std::int64_t last = std::min<std::int64_t>(replay.schedule().step_count(), 120);
    std::vector<State> forward;
    for (std::int64_t k = 0; k <= last; ++k) forward.push_back(replay.at(k));
    bool same = true;
    for (std::int64_t k = last; k >= 0; --k) same &= replay.at(k) == forward[std::size_t(k)];
    REQUIRE(same);
  }
}

TEST_CASE("working in slices gives the same state as working at once", "[property]") {
  for (std::uint64_t seed = 300; seed < 340; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    Replay sliced = replay_of(p), whole = replay_of(p);
    const std::int64_t target = sliced.schedule().step_count() * 3 / 4;
    sliced.begin(target);
    int slices = 0;
    while (!sliced.work(1)) {
      ++slices;
      REQUIRE(slices < 100000);
    }
    REQUIRE(sliced.progress() == 1.0);
    REQUIRE(sliced.state() == whole.at(target));
  }
}

TEST_CASE("a state shown early is complete except for the sums still being replayed", "[property]") {
  int shown = 0;
  for (std::uint64_t seed = 300; seed < 360; ++seed) {
    Problem p = random_problem(seed);
    p.schedule = seed % 2 ? ScheduleKind::Backward : ScheduleKind::BackwardV1;
    p.tiling.splits = 1;
    p.machine.sram_bytes = 1 << 20;
    INFO(as_text(p));
    Replay replay = replay_of(p);
    replay.begin(replay.schedule().step_count() * 3 / 4);
    std::optional<State> early;
    while (!replay.work(1))
      if (const State* state = replay.early_state()) early = *state;
    REQUIRE(replay.early_state() == nullptr);
    if (!early) continue;
    ++shown;
    REQUIRE(early->sums_pending);
    REQUIRE((early->dk.empty() && early->dv.empty()));
    State whole = replay.state();
    REQUIRE_FALSE(whole.sums_pending);
    whole.dk.clear();
    whole.dv.clear();
    whole.sums_pending = true;
    REQUIRE(*early == whole);
  }
  REQUIRE(shown > 10);
}

namespace {

int last_visits(const Schedule& s) { return s.problem().schedule == ScheduleKind::Standard ? 2 : s.visit_section(); }

// A backward pass walks KV tile by KV tile: compares each visit, and each final gradient, with a seek.
struct AgainstBackward : VisitSink {
  Replay& cold;
  bool equal = true;
  std::int64_t visits = 0, q_tiles = 0, kv_tiles = 0;
  explicit AgainstBackward(Replay& r) : cold(r) {}
  const State& after(const VisitState& v, int section) {
    return cold.at(cold.schedule().end_step_of_visit(section, v.tile()));
  }
  bool on_visit(const VisitState& v) override {
    ++visits;
    if (cold.schedule().problem().schedule == ScheduleKind::BackwardStandard) {
      equal &= same_bits(v.dv, after(v, 0).dv) && same_bits(v.p, cold.state().p);
      equal &= same_bits(v.dp, after(v, 1).dp);
      equal &= same_bits(v.dq, after(v, 3).dq) && same_bits(v.ds, cold.state().ds);
      equal &= same_bits(v.dk, after(v, 4).dk) && same_bits(v.ds, cold.state().ds);
      return true;
    }
    const State& state = after(v, 1);
    equal &=
        same_bits(v.s, state.s) && same_bits(v.p, state.p) && same_bits(v.dp, state.dp) && same_bits(v.ds, state.ds);
    equal &= same_bits(v.dq, state.dq) && same_bits(v.dk, state.dk) && same_bits(v.dv, state.dv);
    return true;
  }
  bool on_kv_gradients(const KvTileId& id, const std::vector<float>& dk, const std::vector<float>& dv) override {
    const auto [b, h, j] = id;
    const Schedule& s = cold.schedule();
    const std::int64_t head = h * s.problem().shape.head_group();
    const bool standard = s.problem().schedule == ScheduleKind::BackwardStandard;
    equal &= same_bits(dv, cold.at(s.end_step_of_group(standard ? 0 : 1, {.batch = b, .head = head, .group = j})).dv);
    equal &= same_bits(dk, cold.at(s.end_step_of_group(standard ? 4 : 1, {.batch = b, .head = head, .group = j})).dk);
    ++kv_tiles;
    return true;
  }
  bool on_q_gradient(const QTileId& id, const std::vector<float>& dq) override {
    const auto [b, h, i] = id;
    const Schedule& s = cold.schedule();
    equal &= same_bits(dq, cold.at(s.end_step_of_group(s.problem().schedule == ScheduleKind::BackwardStandard ? 3 : 2,
                                                       {.batch = b, .head = h, .group = i}))
                               .dq);
    ++q_tiles;
    return true;
  }
};

struct Against : VisitSink {
  Replay& cold;
  bool equal = true;
  std::int64_t visits = 0;
  explicit Against(Replay& r) : cold(r) {}
  bool on_visit(const VisitState& v) override {
    const Schedule& s = cold.schedule();
    const int section = last_visits(s);
    const State& state = cold.at(s.end_step_of_visit(section, v.tile()));
    equal &= same_bits(v.m, state.m) && same_bits(v.l, state.l) && same_bits(v.o, state.o) && same_bits(v.p, state.p);
    if (s.problem().schedule != ScheduleKind::Standard)
      equal &= same_bits(v.alpha, state.alpha) && same_bits(v.s, state.s);
    ++visits;
    return true;
  }
  bool on_q_tile(const QTileId& id, const std::vector<float>& o, const std::vector<float>& lse) override {
    const auto [b, h, i] = id;
    const Schedule& s = cold.schedule();
    const bool left_in_place =
        s.kv_outside(s.section_count() - 1);  // flash_v1 in fp32: O is final after the last visit
    if (left_in_place && s.visited(i).count() == 0) return true;
    const TileRange range = s.visited(i);
    const std::int64_t last = s.problem().tiling.order == KvOrder::Reverse ? range.begin : range.end - 1;
    const State& state =
        cold.at(left_in_place
                    ? s.end_step_of_visit(s.section_count() - 1, {.batch = b, .head = h, .q_tile = i, .kv_tile = last})
                    : s.end_step_of_group(s.section_count() - 1, {.batch = b, .head = h, .group = i}));
    equal &= same_bits(o, state.o);
    if (!state.lse.empty()) equal &= same_bits(lse, state.lse);
    return true;
  }
};

}  // namespace

TEST_CASE("walking visit by visit gives the same states as seeking", "[property]") {
  for (std::uint64_t seed = 400; seed < 520; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    Replay walker = replay_of(p), seeker = replay_of(p);
    if (is_backward(p.schedule)) {
      AgainstBackward against(seeker);
      REQUIRE(walker.walk(against));
      REQUIRE(against.equal);
      REQUIRE(against.visits == walker.schedule().visit_counts().visited());
      REQUIRE(against.q_tiles == p.shape.batch * p.shape.heads * p.q_tiles());
      REQUIRE(against.kv_tiles == p.shape.batch * p.shape.kv_heads * p.kv_tiles());
      const std::int64_t i = p.q_tiles() / 2;
      REQUIRE(walker.walk_q_tile({.head = p.shape.heads - 1, .q_tile = i}, against));
      REQUIRE(against.equal);
      REQUIRE(against.visits == walker.schedule().visit_counts().visited() + walker.schedule().visited(i).count());
      continue;
    }
    Against against(seeker);
    REQUIRE(walker.walk(against));
    REQUIRE(against.equal);
    REQUIRE(against.visits == walker.schedule().visit_counts().visited());
  }
}

namespace {

// Everything that a walk passes to its sink, as one row of numbers a visit or result.
struct Handed : VisitSink {
  std::vector<std::vector<float>> all;
  std::int64_t visits = 0;
  bool put(const std::vector<const std::vector<float>*>& parts) {
    all.emplace_back();
    for (const std::vector<float>* part : parts) all.back().insert(all.back().end(), part->begin(), part->end());
    return true;
  }
  bool on_visit(const VisitState& v) override {
    ++visits;
    return put({&v.m, &v.l, &v.alpha, &v.s, &v.p, &v.o, &v.dp, &v.ds, &v.dq, &v.dk, &v.dv});
  }
  bool on_q_tile(const QTileId&, const std::vector<float>& o, const std::vector<float>& lse) override {
    return put({&o, &lse});
  }
  bool on_kv_gradients(const KvTileId&, const std::vector<float>& dk, const std::vector<float>& dv) override {
    return put({&dk, &dv});
  }
  bool on_q_gradient(const QTileId&, const std::vector<float>& dq) override { return put({&dq}); }
};

// Runs both to their end and compares them; the first in slices of `each` visits, none of which may use more.
void require_the_same_in_slices(Replay& replay, std::int64_t each, const std::function<void()>& begin,
                                const std::function<void(VisitSink&)>& walk) {
  Handed sliced, whole;
  begin();
  for (int slices = 1;; ++slices) {
    const std::int64_t before = sliced.visits;
    std::int64_t left = each;
    const Slice slice = replay.walk_on(sliced, left);
    REQUIRE(sliced.visits - before <= each);
    if (slice == Slice::Whole) break;
    REQUIRE(slice == Slice::More);
    REQUIRE(left == 0);
    REQUIRE(slices < 100000);
  }
  walk(whole);
  REQUIRE(sliced.all.size() == whole.all.size());
  bool equal = true;
  for (std::size_t i = 0; i < whole.all.size(); ++i) equal &= same_bits(sliced.all[i], whole.all[i]);
  REQUIRE(equal);
}

}  // namespace

TEST_CASE("a walk in slices gives the same states as a walk at once, with at most the allowed visits a slice",
          "[property]") {
  for (std::uint64_t seed = 520; seed < 580; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const std::int64_t each = 1 + std::int64_t(seed % 3), head = p.shape.heads - 1, i = p.q_tiles() / 2,
                       kv_head = p.shape.kv_heads - 1, j = p.kv_tiles() / 2;
    Replay replay = replay_of(p), other = replay_of(p);
    require_the_same_in_slices(
        replay, each, [&] { replay.begin_q_tile({.head = head, .q_tile = i}); },
        [&](VisitSink& sink) { REQUIRE(other.walk_q_tile({.head = head, .q_tile = i}, sink)); });
    if (!is_backward(p.schedule)) continue;
    Handed in_part;  // a walk that is abandoned half-way has no effect
    std::int64_t one = 1;
    replay.begin_kv_tile({.kv_head = kv_head, .kv_tile = j});
    replay.walk_on(in_part, one);
    require_the_same_in_slices(
        replay, each, [&] { replay.begin_kv_tile({.kv_head = kv_head, .kv_tile = j}); },
        [&](VisitSink& sink) { REQUIRE(other.walk_kv_tile({.kv_head = kv_head, .kv_tile = j}, sink)); });
  }
}

TEST_CASE("flash_v2 in vector lanes equals the scalar online softmax in every bit", "[property]") {
  for (std::uint64_t seed = 600; seed < 720; ++seed) {
    Problem p = random_problem(seed);
    p.schedule = ScheduleKind::FlashV2;
    p.numerics.dtype = DType::Fp32;
    p.machine.sram_bytes = 1 << 20;
    INFO(as_text(p));
    Replay replay = replay_of(p);
    const Schedule& schedule = replay.schedule();
    const Inputs inputs(p);
    const std::int64_t head = p.shape.heads - 1, q_tile = p.q_tiles() / 2, kv_head = p.shape.kv_head_of(head);
    std::vector<OnlineSoftmax> rows(std::size_t(p.q_tile_rows(q_tile)), OnlineSoftmax(p.shape.d));
    const TileRange range = schedule.visited(q_tile);
    for (std::int64_t v = 0; v < range.count(); ++v) {
      const std::int64_t j = p.tiling.order == KvOrder::Forward ? range.begin + v : range.end - 1 - v,
                         cols = p.kv_tile_cols(j);
      std::vector<float> scratch;
      const float* values = inputs.rows({TensorId::V, 0, kv_head}, j * p.tiling.bc, cols, scratch);
      const State& state = replay.at(schedule.end_step_of_visit(0, {.head = head, .q_tile = q_tile, .kv_tile = j}));
      bool equal = true;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].absorb(state.s.data() + std::int64_t(r) * cols, cols, values, p.shape.d);
        equal &= std::memcmp(&rows[r].m, &state.m[r], 4) == 0 && std::memcmp(&rows[r].l, &state.l[r], 4) == 0;
        equal &=
            std::memcmp(rows[r].O.data(), state.o.data() + r * std::size_t(p.shape.d), std::size_t(p.shape.d) * 4) == 0;
      }
      REQUIRE(equal);
    }
  }
}

TEST_CASE("merging two softmax states equals processing both parts in one walk", "[property]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Draw draw(seed + 31);
    const std::int64_t d = draw.upto(1, 8), left = draw.upto(0, 9), right = draw.upto(0, 9);
    std::vector<float> s, v;
    for (std::int64_t j = 0; j < left + right; ++j) {
      s.push_back(draw.upto(0, 5) == 0 ? -INFINITY : float(draw.upto(-4000, 4000)) / 100.0f);
      for (std::int64_t x = 0; x < d; ++x) v.push_back(float(draw.upto(-300, 300)) / 100.0f);
    }
    OnlineSoftmax a(d), b(d), both(d);
    a.absorb(s.data(), left, v.data(), d);
    b.absorb(s.data() + left, right, v.data() + left * d, d);
    both.absorb(s.data(), left, v.data(), d);
    both.absorb(s.data() + left, right, v.data() + left * d, d);
    const OnlineSoftmax merged = merge(a, b);
    REQUIRE(merged.m == both.m);
    REQUIRE(std::fabs(merged.l - both.l) <= 1e-5f * both.l);
    for (std::int64_t x = 0; x < d; ++x)
      REQUIRE(std::fabs(merged.O[std::size_t(x)] - both.O[std::size_t(x)]) <= 1e-5f * (3.0f * both.l + 1e-6f));
  }
}

namespace {

struct Errors : VisitSink {
  const Inputs& inputs;
  double worst = 0, worst_lse = 0;
  bool finite = true;
  explicit Errors(const Inputs& in) : inputs(in) {}
  bool on_visit(const VisitState&) override { return true; }
  bool wants_scores() const override { return false; }
  bool on_q_tile(const QTileId& id, const std::vector<float>& o, const std::vector<float>& lse) override {
    const auto [b, h, i] = id;
    const Problem& p = inputs.problem();
    for (std::size_t r = 0; r < lse.size(); ++r) {
      const ReferenceRow want = reference_row(inputs, {b, h, i * p.tiling.br + std::int64_t(r)});
      const double got_lse = double(lse[r]) * (p.numerics.base == Base::E ? 0.6931471805599453 : 1.0);
      if (std::isinf(want.lse))
        finite &= std::isinf(got_lse) && got_lse > 0;
      else
        worst_lse = std::max(worst_lse, std::fabs(got_lse - want.lse) / (1 + std::fabs(want.lse)));
      for (std::int64_t x = 0; x < p.shape.d; ++x) {
        const double error = std::fabs(double(o[r * std::size_t(p.shape.d) + std::size_t(x)]) - want.o[std::size_t(x)]);
        finite &= error == error;
        worst = std::max(worst, error / (1 + std::fabs(want.o[std::size_t(x)])));
      }
    }
    return true;
  }
};

}  // namespace

TEST_CASE("outputs agree with float64 attention within the precision of the dtype", "[property]") {
  for (std::uint64_t seed = 800; seed < 960; ++seed) {
    const Problem p = random_problem(seed);
    if (is_backward(p.schedule)) continue;   // backward_laws_test
    if (p.numerics.narrow_scores) continue;  // its errors are those of large scores: verdict_laws_test
    INFO(as_text(p));
    Replay replay = replay_of(p);
    const Inputs inputs(p);
    Errors errors(inputs);
    REQUIRE(replay.walk(errors));
    REQUIRE(errors.finite);
    REQUIRE(errors.worst < (p.numerics.dtype == DType::Fp32 ? 2e-5 : p.numerics.dtype == DType::Fp16 ? 2e-3 : 2e-2));
    REQUIRE(errors.worst_lse < 2e-5);
  }
}
