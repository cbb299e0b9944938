// Sentences about results that are not finite name the cause: fp16's range, scores or sums beyond fp32's, a fault.
#include "trace/not_finite.h"

#include <cmath>
#include <set>

#include "core/fields/validate.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

// Which of O, L, dQ, dK and dV have a value that is not finite after a walk.
struct NotFinite : VisitSink {
  std::set<TensorId> found;
  bool wants_scores() const override { return false; }
  bool on_visit(const VisitState&) override { return true; }
  bool on_q_tile(const QTileId&, const std::vector<float>& o, const std::vector<float>& lse) override {
    look(TensorId::O, o);
    for (const float x : lse)
      if (std::isnan(x)) found.insert(TensorId::L);
    return true;
  }
  bool on_kv_gradients(const KvTileId&, const std::vector<float>& dk, const std::vector<float>& dv) override {
    return look(TensorId::dK, dk), look(TensorId::dV, dv), true;
  }
  bool on_q_gradient(const QTileId&, const std::vector<float>& dq) override { return look(TensorId::dQ, dq), true; }
  void look(TensorId id, const std::vector<float>& values) {
    if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); })) found.insert(id);
  }
};

struct Case {
  Problem problem{};
  FileInputs files{};

  Case(ScheduleKind kind, DType dtype) {
    problem.schedule = kind;
    problem.numerics.dtype = dtype;
    problem.machine.sram_bytes = 1 << 20;
  }
  std::shared_ptr<const Tensor> scaled(TensorId id, float by) const {
    Tensor t = Inputs(problem).whole(id);
    for (float& x : t.values) x *= by;
    return std::make_shared<const Tensor>(std::move(t));
  }
  // Those of these results that are not finite.
  std::vector<std::string> why(const std::vector<TensorId>& results) const {
    REQUIRE(validate(problem).empty());
    const Inputs inputs(problem, files);
    NotFinite sink;
    if (is_backward(problem.schedule)) {
      const Problem forward = forward_of(problem);
      Replay(make_schedule(forward), inputs.under(forward)).walk(sink);
    }
    Replay(make_schedule(problem), inputs).walk(sink);
    std::vector<TensorId> found;
    for (const TensorId id : {TensorId::O, TensorId::L, TensorId::dQ, TensorId::dK, TensorId::dV})
      if (sink.found.contains(id)) found.push_back(id);
    CHECK(listed(found) == listed(results));
    return why_not_finite(inputs, found);
  }
};

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("gradients beyond fp16's range are attributed to fp16, not to the softmax") {
  for (const ScheduleKind kind : {ScheduleKind::Backward, ScheduleKind::BackwardV1, ScheduleKind::BackwardStandard}) {
    Case c(kind, DType::Fp16);
    c.problem.shape.d = 16;
    c.files.d_o = c.scaled(TensorId::dO, 5000);
    c.files.v = c.scaled(TensorId::V, 20);
    CHECK(c.why({TensorId::dQ, TensorId::dK}) ==
          Words{"dQ and dK are not finite: values of dS pass 65,504, the largest number of fp16. Use bf16 or fp32, or "
                "make dO, V or the scale smaller"});
  }
}

TEST_CASE("a gradient that fits while it is summed but not when it is stored says so") {
  Case c(ScheduleKind::Backward, DType::Fp16);
  c.problem.shape.n_q = 64;  // four times as many queries as keys, each with a dO of 20,000
  Tensor d_o = Inputs(c.problem).whole(TensorId::dO);
  std::fill(d_o.values.begin(), d_o.values.end(), 20000.0f);
  c.files.d_o = std::make_shared<const Tensor>(d_o);
  c.files.v = c.scaled(TensorId::V, 0.01f);
  const Words words = c.why({TensorId::dV});
  CHECK(words == Words{"dV is not finite: it passes 65,504, the largest number of fp16. Use bf16 or fp32, or make dO "
                       "smaller"});
}

TEST_CASE("scores beyond fp32's range are reported as scores, for every result at once") {
  Case c(ScheduleKind::Backward, DType::Fp32);
  c.files.q = c.scaled(TensorId::Q, 1e25f), c.files.k = c.scaled(TensorId::K, 1e25f);
  CHECK(c.why({TensorId::O, TensorId::L, TensorId::dQ, TensorId::dK, TensorId::dV}) ==
        Words{"O, L, dQ, dK and dV are not finite: scores pass 3.4e38, the largest number of fp32. Make Q, K or the "
              "scale smaller"});
  c.problem.schedule = ScheduleKind::Standard;
  CHECK(c.why({TensorId::O, TensorId::L}).front().starts_with("O and L are not finite: scores pass 3.4e38"));
}

TEST_CASE("sums beyond fp32's range are reported as sums, with the results that they make infinite") {
  Case c(ScheduleKind::FlashV2, DType::Fp32);
  c.files.v = c.scaled(TensorId::V, 1e38f);
  CHECK(c.why({TensorId::O}) ==
        Words{"O is not finite: sums of P V pass 3.4e38, the largest number of fp32. Make V smaller"});
  c.problem.schedule = ScheduleKind::Backward;
  const Words words = c.why({TensorId::O, TensorId::dQ, TensorId::dK});
  REQUIRE(words.size() == 2);
  CHECK(words[1] == "dQ and dK are not finite: O of the forward pass is not");
  Case dp(ScheduleKind::Backward, DType::Bf16);
  dp.files.v = dp.scaled(TensorId::V, 1e20f), dp.files.d_o = dp.scaled(TensorId::dO, 1e20f);
  CHECK(dp.why({TensorId::dQ, TensorId::dK}).front().find("values of dP pass 3.4e38, the largest number of fp32") !=
        std::string::npos);
}

TEST_CASE("a fault that makes a result infinite is named") {
  Case c(ScheduleKind::FlashV2, DType::Fp16);
  c.problem.fault = Fault::NoMax;
  c.files.q = c.scaled(TensorId::Q, 20);
  CHECK(c.why({TensorId::O}) ==
        Words{"O is not finite: values of P pass 65,504, the largest number of fp16. The mistake does it: subtracts no "
              "max"});
}

TEST_CASE("lists of results read as English") {
  CHECK(listed({TensorId::O}) == "O");
  CHECK(listed({TensorId::dQ, TensorId::dK}) == "dQ and dK");
  CHECK(listed({TensorId::O, TensorId::dQ, TensorId::dV}) == "O, dQ and dV");
}
