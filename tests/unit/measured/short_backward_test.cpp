// Backward passes of short rows, compared with calls whose kernels were measured alone.
#include <cmath>
#include <map>
#include <vector>

#include "core/problem/shares_plan.h"
#include "measured/prediction_error.h"
#include "tests/support/catch.h"
#include "tests/unit/measured/measurement_samples.h"

using namespace tilewalk;

TEST_CASE("backward passes of short rows take what their kernels take alone", "[unit]") {
  const auto samples = test::samples_by_row("short_backward_h200_2026-11-29.csv", 10, [](const auto& f) {
    return f.size() == 10 && f[2] == "call" && std::stoll(f[5]) <= fast::kShortBackwardRows;
  });
  std::map<bool, std::vector<double>> errors;  // by whether heads are many
  for (const auto& [f, us] : samples) {
    AttentionCall call;
    call.d = std::stoll(f[3]), call.heads = std::stoll(f[4]), call.n = std::stoll(f[5]), call.causal = f[7] == "1";
    const bool v2 = f[1] == "flash_v2", many = call.heads * call.n > 400000;
    // In a build that the kernel did not have yet.
    if (!v2 && fast::backward_build(Contender::FlashV3Backward, {call.heads, 1, call.n, call.n, call.d, call.causal},
                                    device_of("h200").sms)
                   .all_keys)
      continue;
    const Prediction row =
        predict(method_of(v2 ? Contender::FlashV2Backward : Contender::FlashV3Backward), call, device_of("h200"));
    REQUIRE(row.predicted_ms);
    const double error = *row.predicted_ms * 1e3 / us[us.size() / 2] - 1;
    INFO(f[1] << ", d " << f[3] << ", " << f[4] << " heads, n " << f[5] << ", causal " << f[7] << ": " << error);
    CHECK(std::abs(error) < (many ? 0.05 : 0.14));  // many: without a pace of short rows up to 13 %
    errors[many].push_back(error);
  }
  CHECK(errors[true].size() == 70);
  CHECK(errors[false].size() == 70);
  CHECK(spread_of(errors[true]).median < 0.015);
  CHECK(spread_of(errors[false]).median < 0.06);
}

TEST_CASE("short backward calls of few keys and few heads were predicted before they were timed", "[unit]") {
  const auto predicted = test::samples_by_row("predicted_backward_h200_seed80103_2026-11-30.csv", 8,
                                              [](const auto& f) { return f.size() == 8 && f[0] == "flash_v3"; });
  std::map<std::vector<std::string>, std::map<std::string, double>> ms_of_call;
  for (const auto& [f, ms] : test::samples_by_row("backward_h200_seed80103_2026-11-30.csv", 12,
                                                  [](const auto& f) { return f.size() == 12 && f[0] == "backward"; }))
    ms_of_call[{f.begin() + 3, f.end()}][f[1]] = ms[ms.size() / 2];
  CHECK(ms_of_call.size() == 20);
  std::vector<double> errors;
  for (const auto& [call, ms] : ms_of_call) {  // d, heads, heads of K and V, batch, N of Q, of K, causal
    INFO("d " << call[0] << ", " << call[1] << " heads, batch " << call[3] << ", " << call[4] << " rows");
    const auto found = predicted.find({"flash_v3", call[0], call[1], call[2], call[3], call[4]});
    REQUIRE(found != predicted.end());
    errors.push_back(found->second.front() / ms.at("flash_v3") - 1);
    CHECK(ms.at("flash_v3") < 0.75 * ms.at("torch_cudnn"));
  }
  CHECK(spread_of(errors).median < 0.035);
  CHECK(spread_of(errors).worst < 0.09);
}
