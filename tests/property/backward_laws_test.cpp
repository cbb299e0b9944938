// Laws of the backward passes: gradients compared with float64 and with finite differences, properties that the
// schedules share, and a plain scalar reference for every bit.
#include <cmath>
#include <cstring>
#include <map>

#include "core/fields/validate.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "core/values/exact_math.h"
#include "core/witness/formulas.h"
#include "core/witness/reference.h"
#include "tests/property/replays.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference_gradients.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

constexpr ScheduleKind kBackward[] = {ScheduleKind::Backward, ScheduleKind::BackwardV1, ScheduleKind::BackwardStandard};

Problem backward_problem(std::uint64_t seed) {
  Problem p = random_problem(seed);
  p.schedule = kBackward[seed % 3];
  p.tiling.splits = 1;
  p.machine.sram_bytes = 1 << 20;
  return p;
}

// Every gradient of a walk, by (batch, head) and by (batch, KV head).
struct Gradients : VisitSink {
  const Problem p;
  std::vector<float> dq, dk, dv;
  explicit Gradients(const Problem& problem) : p(problem) {
    dq.resize(std::size_t(p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.d), NAN);
    dk.resize(std::size_t(p.shape.batch * p.shape.kv_heads * p.shape.n_kv * p.shape.d), NAN);
    dv = dk;
    Replay replay(make_schedule(p), Inputs(p));
    replay.walk(*this);
  }
  bool wants_scores() const override { return false; }
  bool on_visit(const VisitState&) override { return true; }
  bool on_q_gradient(const QTileId& id, const std::vector<float>& rows) override {
    const auto [b, h, i] = id;
    std::copy(rows.begin(), rows.end(),
              dq.begin() + ((b * p.shape.heads + h) * p.shape.n_q + i * p.tiling.br) * p.shape.d);
    return true;
  }
  bool on_kv_gradients(const KvTileId& id, const std::vector<float>& k, const std::vector<float>& v) override {
    const auto [b, h, j] = id;
    const std::int64_t at = ((b * p.shape.kv_heads + h) * p.shape.n_kv + j * p.tiling.bc) * p.shape.d;
    std::copy(k.begin(), k.end(), dk.begin() + at);
    std::copy(v.begin(), v.end(), dv.begin() + at);
    return true;
  }
};

// The largest difference, relative to one more than the largest value. NaN if any value is.
double error_of(const float* got, const std::vector<double>& want) {
  double worst = 0, largest = 0;
  for (std::size_t n = 0; n < want.size(); ++n) {
    const double error = std::fabs(double(got[n]) - want[n]);
    if (!(error == error)) return NAN;
    worst = std::max(worst, error);
    largest = std::max(largest, std::fabs(want[n]));
  }
  return worst / (1 + largest);
}

double worst_error(const Problem& p) {
  const Gradients got(p);
  const Inputs inputs(p);
  double worst = 0;
  for (std::int64_t b = 0; b < p.shape.batch; ++b)
    for (std::int64_t h = 0; h < p.shape.kv_heads; ++h) {
      const ReferenceGradients want = reference_gradients(inputs, b, h);
      const std::int64_t kv = (b * p.shape.kv_heads + h) * p.shape.n_kv * p.shape.d,
                         q = (b * p.shape.heads + h * p.shape.head_group()) * p.shape.n_q * p.shape.d;
      for (const double error : {error_of(got.dq.data() + q, want.dq), error_of(got.dk.data() + kv, want.dk),
                                 error_of(got.dv.data() + kv, want.dv)})
        if (!(error <= worst)) worst = error;
    }
  return worst;
}

}  // namespace

TEST_CASE("gradients agree with float64 within the precision of the dtype", "[property]") {
  for (std::uint64_t seed = 1000; seed < 1240; ++seed) {
    const Problem p = backward_problem(seed);
    INFO(as_text(p));
    REQUIRE(worst_error(p) < (p.numerics.dtype == DType::Fp32 ? 2e-5 : p.numerics.dtype == DType::Fp16 ? 4e-3 : 4e-2));
  }
}

TEST_CASE("the float64 gradients equal finite differences", "[property]") {
  for (std::uint64_t seed = 1300; seed < 1312; ++seed) {
    Problem p = backward_problem(seed);
    p.numerics.dtype = DType::Fp32;
    p.numerics.distribution = Distribution::Uniform;
    p.shape.n_q = 1 + p.shape.n_q % 6;
    p.shape.n_kv = 1 + p.shape.n_kv % 6;
    p.shape.d = 1 + p.shape.d % 4;
    p.numerics.scale.reset();
    INFO(as_text(p));
    const Inputs inputs(p);
    // sum(dO o O) over the query heads that share a KV head, with all else unchanged.
    auto loss = [&](const Inputs& in, std::int64_t b, std::int64_t kv_head) {
      double sum = 0;
      for (std::int64_t h = kv_head * p.shape.head_group(); h < (kv_head + 1) * p.shape.head_group(); ++h)
        for (std::int64_t i = 0; i < p.shape.n_q; ++i) {
          const ReferenceRow row = reference_row(in, {b, h, i});
          for (std::int64_t x = 0; x < p.shape.d; ++x)
            sum += row.o[std::size_t(x)] * double(in.at({TensorId::dO, b, h}, i, x));
        }
      return sum;
    };
    const std::int64_t b = p.shape.batch - 1, kv_head = p.shape.kv_heads - 1,
                       first_head = kv_head * p.shape.head_group();
    const ReferenceGradients want = reference_gradients(inputs, b, kv_head);
    auto slope = [&](TensorId id, std::int64_t head, std::int64_t row, std::int64_t col) {
      const float here = inputs.at({id, b, head}, row, col), up = here + 0x1p-9f, down = here - 0x1p-9f;
      const double rise = loss(Inputs(p, {}, {{id, b, head, row, col, up}}), b, kv_head) -
                          loss(Inputs(p, {}, {{id, b, head, row, col, down}}), b, kv_head);
      return rise / (double(up) - double(down));
    };
    for (std::int64_t x = 0; x < p.shape.d; ++x) {
      for (std::int64_t j = 0; j < p.shape.n_kv; ++j) {
        REQUIRE(std::fabs(slope(TensorId::K, kv_head, j, x) - want.dk[std::size_t(j * p.shape.d + x)]) < 1e-4);
        REQUIRE(std::fabs(slope(TensorId::V, kv_head, j, x) - want.dv[std::size_t(j * p.shape.d + x)]) < 1e-4);
      }
      for (std::int64_t h = 0; h < p.shape.head_group(); ++h)
        for (std::int64_t i = 0; i < p.shape.n_q; ++i)
          REQUIRE(std::fabs(slope(TensorId::Q, first_head + h, i, x) -
                            want.dq[std::size_t((h * p.shape.n_q + i) * p.shape.d + x)]) < 1e-4);
    }
  }
}

namespace {

// Results of the forward pass: O, L, and m and l after a Q tile's last visit.
struct Forward : VisitSink {
  const Problem p;
  std::vector<float> o, lse, m, l;
  explicit Forward(Problem problem, ScheduleKind kind) : p((problem.schedule = kind, problem)) {
    const std::size_t rows = std::size_t(p.shape.batch * p.shape.heads * p.shape.n_q);
    o.resize(rows * std::size_t(p.shape.d));
    lse.assign(rows, INFINITY);
    m.assign(rows, -INFINITY);
    l.assign(rows, 0.0f);
    Replay replay(make_schedule(p), Inputs(p));
    replay.walk(*this);
  }
  std::int64_t row(std::int64_t b, std::int64_t h, std::int64_t i) const {
    return (b * p.shape.heads + h) * p.shape.n_q + i * p.tiling.br;
  }
  bool wants_scores() const override { return false; }
  bool on_visit(const VisitState& v) override {
    std::copy(v.m.begin(), v.m.end(), m.begin() + row(v.batch, v.head, v.q_tile));
    std::copy(v.l.begin(), v.l.end(), l.begin() + row(v.batch, v.head, v.q_tile));
    return true;
  }
  bool on_q_tile(const QTileId& id, const std::vector<float>& rows, const std::vector<float>& logs) override {
    const auto [b, h, i] = id;
    std::copy(rows.begin(), rows.end(), o.begin() + row(b, h, i) * p.shape.d);
    std::copy(logs.begin(), logs.end(), lse.begin() + row(b, h, i));
    return true;
  }
};

// The backward pass row by row and column by column in plain scalar code, in the order of kernels/README.md.
struct Scalar {
  const Problem& p;
  Tensor q, k, v, d_o;
  std::vector<float> dq, dk, dv;
  Forward left;

  explicit Scalar(const Problem& problem)
      : p(problem),
        left(problem, p.schedule == ScheduleKind::Backward     ? ScheduleKind::FlashV2
                      : p.schedule == ScheduleKind::BackwardV1 ? ScheduleKind::FlashV1
                                                               : ScheduleKind::Standard) {
    const Inputs inputs(p);
    q = inputs.whole(TensorId::Q), k = inputs.whole(TensorId::K), v = inputs.whole(TensorId::V),
    d_o = inputs.whole(TensorId::dO);
    dq.resize(q.values.size()), dk.resize(k.values.size()), dv.resize(v.values.size());
    std::vector<float> D(left.lse.size(), 0.0f);
    for (std::int64_t b = 0; b < p.shape.batch; ++b)
      for (std::int64_t h = 0; h < p.shape.heads; ++h)
        for (std::int64_t i = 0; i < p.shape.n_q; ++i) {
          float& sum = D[std::size_t((b * p.shape.heads + h) * p.shape.n_q + i)];
          if (p.schedule == ScheduleKind::BackwardStandard)
            for (std::int64_t j = 0; j < p.shape.n_kv; ++j)
              sum = std::fma(weight(b, h, i, j), chain(d_o.row(b, h, i), v.row(b, p.shape.kv_head_of(h), j)), sum);
          else
            sum = chain(d_o.row(b, h, i), left.o.data() + ((b * p.shape.heads + h) * p.shape.n_q + i) * p.shape.d);
        }
    const auto schedule = make_schedule(p);
    for (std::int64_t b = 0; b < p.shape.batch; ++b)
      for (std::int64_t h = 0; h < p.shape.heads; ++h)
        for (std::int64_t n = 0; n < p.kv_tiles(); ++n)
          for (std::int64_t i = 0; i < p.q_tiles(); ++i) {
            const std::int64_t j = p.tiling.order == KvOrder::Reverse ? p.kv_tiles() - 1 - n : n;
            if (schedule->tile_class(i, j) != TileClass::Skipped) visit(b, h, i, j, D);
          }
    const float g = p.numerics.base == Base::E ? float(p.scale_value()) : float(p.scale_value() * 0.6931471805599453);
    for (float& x : dq) x = round_to(p.numerics.dtype, x * g);
    for (float& x : dk) x = round_to(p.numerics.dtype, x * g);
    for (float& x : dv) x = round_to(p.numerics.dtype, x);
  }

  float chain(const float* a, const float* b) const {
    float sum = 0;
    for (std::int64_t x = 0; x < p.shape.d; ++x) sum = std::fma(a[x], b[x], sum);
    return sum;
  }

  float weight(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
    if (!p.shape.band().allows(i, j)) return 0;
    const std::size_t row = std::size_t((b * p.shape.heads + h) * p.shape.n_q + i);
    const float s = chain(q.row(b, h, i), k.row(b, p.shape.kv_head_of(h), j)) * p.score_factor();
    if (p.schedule == ScheduleKind::Backward) return exact::exp2f_exact(s - left.lse[row]);
    const float share = exact::exp2f_exact(s - left.m[row]) / left.l[row];
    return p.schedule == ScheduleKind::BackwardStandard ? round_to(p.numerics.dtype, share) : share;
  }

  void visit(std::int64_t b, std::int64_t h, std::int64_t q_tile, std::int64_t kv_tile, const std::vector<float>& D) {
    const std::int64_t kv = p.shape.kv_head_of(h);
    for (std::int64_t i = q_tile * p.tiling.br; i < std::min(p.shape.n_q, (q_tile + 1) * p.tiling.br); ++i)
      for (std::int64_t j = kv_tile * p.tiling.bc; j < std::min(p.shape.n_kv, (kv_tile + 1) * p.tiling.bc); ++j) {
        const float share = weight(b, h, i, j), rounded = round_to(p.numerics.dtype, share);
        const float ds =
            round_to(p.numerics.dtype, share * (chain(d_o.row(b, h, i), v.row(b, kv, j)) -
                                                D[std::size_t((b * p.shape.heads + h) * p.shape.n_q + i)]));
        for (std::int64_t x = 0; x < p.shape.d; ++x) {
          const std::size_t at_q = std::size_t(((b * p.shape.heads + h) * p.shape.n_q + i) * p.shape.d + x),
                            at_kv = std::size_t(((b * p.shape.kv_heads + kv) * p.shape.n_kv + j) * p.shape.d + x);
          dv[at_kv] = std::fma(rounded, d_o.values[at_q], dv[at_kv]);
          dk[at_kv] = std::fma(ds, q.values[at_q], dk[at_kv]);
          dq[at_q] = std::fma(ds, k.values[at_kv], dq[at_q]);
        }
      }
  }
};

}  // namespace

TEST_CASE("the backward passes in vector lanes equal plain scalar code in every bit", "[property]") {
  for (std::uint64_t seed = 1400; seed < 1490; ++seed) {
    const Problem p = backward_problem(seed);
    INFO(as_text(p));
    const Gradients lanes(p);
    const Scalar scalar(p);
    REQUIRE(test::same_bits(lanes.dq, scalar.dq));
    REQUIRE(test::same_bits(lanes.dk, scalar.dk));
    REQUIRE(test::same_bits(lanes.dv, scalar.dv));
  }
}

TEST_CASE("a column that no row sees has gradients of zero, and they are stored", "[property]") {
  std::int64_t unseen = 0;
  for (std::uint64_t seed = 1500; seed < 1560; ++seed) {
    Problem p = backward_problem(seed);
    p.schedule = seed % 2 == 0 ? ScheduleKind::Backward : ScheduleKind::BackwardV1;
    INFO(as_text(p));
    const Gradients got(p);
    for (std::int64_t j = 0; j < p.shape.n_kv; ++j) {
      bool seen = false;
      for (std::int64_t i = 0; i < p.shape.n_q; ++i) seen |= p.shape.band().allows(i, j);
      if (seen) continue;
      ++unseen;
      for (std::int64_t x = 0; x < p.shape.d; ++x)
        REQUIRE((got.dk[std::size_t(j * p.shape.d + x)] == 0.0f && got.dv[std::size_t(j * p.shape.d + x)] == 0.0f));
    }
  }
  REQUIRE(unseen > 20);
}

TEST_CASE("a mask one column too wide, or skipped diagonals, change the gradients", "[property]") {
  for (const Fault fault : {Fault::MaskOffByOne, Fault::SkipDiagonal})
    for (const ScheduleKind kind : {ScheduleKind::Backward, ScheduleKind::BackwardV1}) {
      Problem p;
      p.schedule = kind;
      p.shape.mask.kind = MaskKind::Causal;
      p.machine.sram_bytes = 4096;
      REQUIRE(worst_error(p) < 1e-5);
      p.fault = fault;
      REQUIRE(validate(p).empty());
      REQUIRE(worst_error(p) > 1e-2);
    }
}

namespace {

bool differ(const std::vector<float>& a, const std::vector<float>& b) { return !test::same_bits(a, b); }

}  // namespace

TEST_CASE("inside a visit each quantity appears and changes only at its own phase", "[property]") {
  std::int64_t changes = 0;
  for (std::uint64_t seed = 1600; seed < 1640; ++seed) {
    Problem p = backward_problem(seed);
    p.schedule = seed % 2 == 0 ? ScheduleKind::Backward : ScheduleKind::BackwardV1;
    const bool v1 = p.schedule == ScheduleKind::BackwardV1;
    INFO(as_text(p));
    Replay replay(make_schedule(p), Inputs(p));
    const Schedule& schedule = replay.schedule();
    const std::int64_t j = p.kv_tiles() / 2,
                       first = schedule.first_step_of_group(1, {.head = p.shape.heads - 1, .group = j}),
                       end = schedule.end_step_of_group(1, {.head = p.shape.heads - 1, .group = j});
    std::map<Phase, int> place;
    State before = replay.at(first + 1);
    for (std::int64_t k = first + 1; k + 1 < end; ++k) {
      const State now = replay.at(k + 1);
      const Phase phase = now.step.phase;
      INFO("step " << k << " " << name_of(phase));
      const int at = now.step.phase_in_visit;
      place[phase] = at;
      auto since = [&](Phase from) { return place.count(from) && at >= place[from]; };
      REQUIRE(now.s.empty() == (phase == Phase::LoadRows));
      REQUIRE(now.p.empty() == !since(Phase::Exponentiate));
      REQUIRE(now.dp.empty() == !since(Phase::GradP));
      REQUIRE(now.ds.empty() == !since(Phase::GradS));
      REQUIRE(now.D.empty() == (v1 && !since(Phase::RowDot)));
      REQUIRE(now.o.empty() == !v1);
      REQUIRE((now.lse.empty() == v1 && now.m.empty() == !v1 && now.l.empty() == !v1));
      if (phase != Phase::GradV) REQUIRE_FALSE(differ(now.dv, before.dv));
      if (phase != Phase::GradK) REQUIRE_FALSE(differ(now.dk, before.dk));
      if (phase != Phase::GradQ && phase != Phase::LoadRows) REQUIRE_FALSE(differ(now.dq, before.dq));
      changes += (phase == Phase::GradV && differ(now.dv, before.dv)) +
                 (phase == Phase::GradK && differ(now.dk, before.dk)) +
                 (phase == Phase::GradQ && differ(now.dq, before.dq));
      before = now;
    }
  }
  REQUIRE(changes > 300);
}

TEST_CASE("far seeks back and forth along one KV tile equal cold seeks", "[property]") {
  for (const ScheduleKind kind : kBackward) {
    Problem p;
    p.schedule = kind;
    p.shape.heads = 2;
    p.shape.n_q = 100;
    p.shape.n_kv = 5;
    p.tiling.br = 1;
    p.tiling.bc = 2;
    p.machine.sram_bytes = 1 << 20;
    Replay wanderer(make_schedule(p), Inputs(p));
    const Schedule& schedule = wanderer.schedule();
    const int section = kind == ScheduleKind::BackwardStandard ? 4 : 1;
    for (const std::int64_t visit : {190, 130, 64, 63, 65, 127, 128, 10, 129, 199, 0, 199}) {
      const std::int64_t k =
          schedule.end_step_of_visit(section, {.head = visit / 100, .q_tile = visit % 100, .kv_tile = 1});
      INFO(name_of(kind) << " visit " << visit);
      const State warm = wanderer.at(k);
      REQUIRE(warm.step.visit == visit);
      REQUIRE(warm == Replay(make_schedule(p), Inputs(p)).at(k));
    }
  }
}
