// The pencil method for short and small calls, by hand on two calls, and compared with the model on many.
#include "core/predict/paper_waves.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/predict/pencil_method.h"
#include "core/predict/predict.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const DeviceModel& h200() { return device_of("h200"); }

Prediction of(Contender who, const AttentionCall& call) { return predict(method_of(who), call, h200()); }

double miss(std::optional<double> paper, std::optional<double> model) { return std::abs(*paper / *model - 1); }

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

TEST_CASE("a small causal call of FA-3 takes the waves that lesson 15 counts", "[unit]") {
  const AttentionCall call{.n = 1024, .d = 64, .heads = 12, .batch = 4, .causal = true};
  const Prediction naive = of(Contender::Naive, call), fast = of(Contender::FlashV3, call);
  REQUIRE(fast.waves);
  CHECK(fast.waves->q_tiles == 16);
  CHECK(fast.waves->blocks == 768);
  CHECK(fast.waves->places == 264);
  CHECK(fast.waves->share == Approx(17.0 / 32));
  CHECK(fast.waves->waves == 2);
  const double line = 264.0 * 64 * 1024 * (1 / 16.0 + 5 / 128.0) / (132 * 1.755e9);
  CHECK(fast.waves->wave_s == Approx(line).epsilon(0.001));
  CHECK(*fast.paper_short_ms == Approx((5e-6 + 2 * (line + 2e-6)) * 1e3).epsilon(0.001));
  CHECK(*naive.paper_short_ms == Approx(*naive.pencil_ms * 1.6 + 0.015));
  const double win = *naive.predicted_ms / *fast.predicted_ms;
  CHECK(std::abs(*naive.paper_short_ms / *fast.paper_short_ms / win - 1) < 0.10);
  CHECK(*naive.pencil_ms / *fast.pencil_ms / win - 1 > 0.15);  // by the lines alone
}

TEST_CASE("waves are whole without a mask, halves with one, never below one, 0.7 where blocks are alone", "[unit]") {
  const auto waves = [](Contender who, const AttentionCall& call) { return of(who, call).waves->waves; };
  CHECK(waves(Contender::FlashV3, {.n = 1024, .d = 64, .heads = 48}) == 3);
  CHECK(waves(Contender::FlashV2, {.n = 2048, .d = 128, .heads = 16, .causal = true}) == 1);
  CHECK(waves(Contender::FlashV2, {.n = 2048, .d = 128, .heads = 8}) == 0.7);
  CHECK(waves(Contender::FlashV3, {.n = 2048, .d = 128, .heads = 8, .causal = true}) == 1);
  CHECK_FALSE(of(Contender::Eager, {.n = 2048, .d = 128, .heads = 8}).paper_short_ms);
  CHECK_FALSE(of(Contender::Naive, {.n = 2047, .d = 128, .heads = 8}).paper_short_ms);
  CHECK_FALSE(of(Contender::FlashV2Backward, {.n = 2048, .d = 128, .heads = 8}).waves);
}

TEST_CASE("by waves paper is near the model on short and small calls, where the lines are not", "[unit]") {
  // FA-2 divides its tiles along the keys where heads are few, and paper counts neither that, nor blocks that begin
  // beside a neighbour's visits, nor that no block of a single wave waits for one before it.
  for (const auto& [who, most_far, worst] : {std::tuple{Contender::FlashV2, 12, 0.51}, {Contender::FlashV3, 1, 0.33}}) {
    std::vector<double> waves, lines;
    for (const bool causal : {false, true})
      for (const std::int64_t d : {64, 128})
        for (const std::int64_t n : {512, 1024, 2048, 4096, 16384})
          for (const std::int64_t heads : {8, 16, 48, 96, 512}) {
            const Prediction p = of(who, {.n = n, .d = d, .heads = heads, .causal = causal});
            waves.push_back(miss(p.paper_short_ms, p.predicted_ms));
            lines.push_back(miss(p.pencil_ms, p.predicted_ms));
          }
    const auto far = [](double off) { return off > 0.25; };
    CAPTURE(word_of(who));
    CHECK(median_of(waves) < 0.05);
    CHECK(median_of(lines) > 0.08);
    CHECK(std::count_if(waves.begin(), waves.end(), far) <= most_far);
    CHECK(std::count_if(lines.begin(), lines.end(), far) >= 25);
    CHECK(*std::max_element(waves.begin(), waves.end()) < worst);
  }
}

TEST_CASE("for long rows and many heads waves give the lines", "[unit]") {
  for (const Contender who : {Contender::FlashV2, Contender::FlashV3}) {
    const Prediction p = of(who, {.n = 16384, .d = 64, .heads = 64});
    CHECK(*p.paper_short_ms == Approx(*p.pencil_ms).epsilon(0.05));
  }
}
