// The pace of FA-1's thread blocks, which walk whole heads, compared with what was measured alone.
#include "core/chip/head_pace.h"

#include <cmath>

#include "base/divide.h"
#include "core/predict/attention_method.h"
#include "core/predict/launch_costs.h"
#include "measured/prediction_error.h"
#include "tests/support/catch.h"
#include "tests/unit/measured/measurement_samples.h"

using namespace tilewalk;

namespace {

// A launch whose thread blocks all fit at once, its mask at the bottom right.
struct HeadLaunch {
  std::int64_t d = 0, heads = 0, rows = 0, keys = 0;
  bool causal = false;

  double us(const DeviceModel& device) const {
    AttentionCall call;
    call.n = keys, call.d = d, call.heads = heads, call.causal = causal;
    Problem p = walked_by(method_of(Contender::FlashV1), call, device);
    p.shape.n_q = rows;
    const HeadPace* const pace = head_pace(p, device);
    REQUIRE(pace);
    const std::int64_t rounds = ceil_div(keys, p.tiling.bc), tiles = ceil_div(rows, p.tiling.br);
    std::int64_t visits = rounds * tiles;
    for (std::int64_t round = 0; causal && round < rounds; ++round)
      visits -= std::max<std::int64_t>(0, round * p.tiling.bc - (keys - rows)) / p.tiling.br;
    const int together = heads > device.sms ? 2 : 1;
    return kFirstLaunch * 1e6 + pace->first(p, device) + double(rounds) * pace->round(p, device, together) +
           double(visits) * pace->visit(p, device, together);
  }
};

// Errors on the launches of a file that `wanted` takes.
template <class Wanted>
std::vector<double> errors_on(const std::string& file, double worst, const Wanted& wanted) {
  const DeviceModel& device = device_of("h200");
  const auto samples =
      test::samples_by_row(file, 10, [](const auto& f) { return f.size() == 10 && f[1] == "flash_v1"; });
  std::vector<double> out;
  for (const auto& [f, us] : samples) {
    const HeadLaunch launch{std::stoll(f[3]), std::stoll(f[4]), std::stoll(f[5]), std::stoll(f[6]), f[7] == "1"};
    if (!wanted(launch)) continue;
    const double measured = us[us.size() / 2], modelled = launch.us(device);
    INFO(file << ", d " << launch.d << ", " << launch.heads << " heads, " << launch.rows << " rows, " << launch.keys
              << " keys, causal " << launch.causal << ": " << modelled << " us, measured " << measured);
    CHECK(std::abs(modelled / measured - 1) < worst);
    out.push_back(modelled / measured - 1);
  }
  return out;
}

}  // namespace

TEST_CASE("flash_v1's rounds and visits are those measured alone, with one and two blocks on an SM", "[unit]") {
  // From three rounds the two input sets exceed L2, as in calls.
  const Spread spread = spread_of(errors_on("pace_heads_h200_2026-11-29.csv", 0.12, [](const HeadLaunch& launch) {
    const std::int64_t built = built_d(Contender::FlashV1, launch.d),
                       keys = fast_tile(Contender::FlashV1, built, false).keys;
    return (launch.heads == 132 || (launch.heads == 264 && built < 256)) && launch.keys > 2 * keys;
  }));
  INFO("median " << spread.median << ", worst " << spread.worst << " of " << spread.points);
  CHECK(spread.points > 80);
  CHECK(spread.median < 0.02);
}

TEST_CASE("flash_v1's blocks are slower where few SMs have one, as measured alone", "[unit]") {
  const char* const file = "pace_few_heads_h200_2026-11-29.csv";
  const auto all = [](const HeadLaunch&) { return true; };
  const Spread spread = spread_of(errors_on(file, 0.14, all));
  INFO("median " << spread.median << ", worst " << spread.worst << " of " << spread.points);
  CHECK(spread.points == 800);
  CHECK(spread.median < 0.02);
}

TEST_CASE("flash_v1's measured pace is for its own builds and for Hopper alone", "[unit]") {
  AttentionCall call;
  call.n = 1024, call.heads = 16;
  const DeviceModel& card = device_of("h200");
  Problem p = walked_by(method_of(Contender::FlashV1), call, card);
  REQUIRE(head_pace(p, card));
  CHECK(head_pace(p, device_of("a100")) == nullptr);
  CHECK(head_pace(p, card)->visit(p, card, 1) > head_pace(p, card)->visit(p, device_of("h100"), 1));  // few heads
  CHECK(head_pace(p, card)->round(p, card, 1) < head_pace(p, card)->round(p, device_of("h100"), 1));
  p.tiling.bc = 128;
  CHECK(head_pace(p, card) == nullptr);
}
