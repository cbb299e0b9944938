// The operations of naive and eager, modelled one by one, compared with what each took alone.
#include <string>
#include <vector>

#include "core/predict/operation_rates.h"
#include "core/predict/operations.h"
#include "measured/prediction_error.h"
#include "tests/support/catch.h"
#include "tests/unit/measured/measurement_samples.h"

using namespace tilewalk;

namespace {

struct TimedOperation {
  std::string part;  // "qk", "softmax", "pv"
  AttentionCall call;
  double us = 0;  // the median
};

std::vector<TimedOperation> timed_alone(const std::string& file, const std::string& contender) {
  const auto samples =
      test::samples_by_row(file, 10, [&](const auto& f) { return f[0] == "operation" && f[1] == contender; });
  std::vector<TimedOperation> out;
  for (const auto& [f, us] : samples) {
    const AttentionCall call{
        .n = std::stoll(f[6]), .d = std::stoll(f[3]), .heads = std::stoll(f[4]), .causal = f[7] == "1"};
    out.push_back({f[2], call, us[us.size() / 2]});
  }
  return out;
}

bool is_odd(std::int64_t n) { return loads_single_numbers(n, rows_at(n, DType::Bf16)); }

}  // namespace

TEST_CASE("products of rows that begin inside 16 bytes take as long as alone", "[unit]") {
  for (const std::string part : {"qk", "pv"}) {
    std::vector<double> errors, few;
    for (const char* file : {"operations_alignment_h200_2026-11-24.csv", "operations_large_h200_2026-11-24.csv"}) {
      for (const TimedOperation& timed : timed_alone(file, "naive")) {
        if (timed.part != part || !is_odd(timed.call.n)) continue;
        const std::vector<Operation> ops = naive_operations(timed.call, device_of("h200"));
        const double error = 1e6 * ops[part == "qk" ? 0 : 2].seconds / timed.us - 1;
        INFO(part << ", n " << timed.call.n << ", d " << timed.call.d << ", " << timed.call.heads
                  << " heads: " << timed.us << " us, error " << error);
        CHECK(std::abs(error) < 0.35);
        (timed.call.heads <= 4 ? few : errors).push_back(error);
      }
    }
    const Spread many = spread_of(errors), some = spread_of(few);
    INFO(part << ": median " << many.median << ", worst " << many.worst << " of " << many.points << "; few heads "
              << some.median << ", worst " << some.worst << " of " << some.points);
    CHECK(many.points > 70);
    CHECK(many.median < 0.04);
    CHECK(many.worst < 0.25);
    CHECK(some.median < 0.12);
  }
}

TEST_CASE("naive's softmax in three passes takes as long as alone", "[unit]") {
  std::vector<double> errors;
  for (const char* file : {"operations_alignment_h200_2026-11-24.csv", "operations_large_h200_2026-11-24.csv"}) {
    for (const TimedOperation& timed : timed_alone(file, "naive")) {
      if (timed.part != "softmax" || timed.call.heads <= 4) continue;
      if (!has_loops(timed.call.n, timed.call.causal, rows_at(timed.call.n, DType::Bf16))) continue;
      const double error = 1e6 * naive_operations(timed.call, device_of("h200"))[1].seconds / timed.us - 1;
      INFO("n " << timed.call.n << ", " << timed.call.heads << " heads: " << timed.us << " us, error " << error);
      CHECK(std::abs(error) < 0.13);
      errors.push_back(error);
    }
  }
  const Spread all = spread_of(errors);
  INFO("median " << all.median << ", worst " << all.worst << " of " << all.points);
  CHECK(all.points > 60);
  CHECK(all.median < 0.02);
}

TEST_CASE("reads beyond an unrolled loop cost a row more than the next loop does", "[unit]") {
  const double l2 = double(device_of("h200").l2_bytes);
  const auto row = [&](std::int64_t n) { return passes_row(n, l2).in_l2_s; };
  CHECK(row(2 * 1024 - 2) > row(2 * 1024 + 2));
  CHECK(row(3 * 1024 - 2) > row(2 * 1024 + 2));
  CHECK_FALSE(has_loops(1022, false, RowsAt::Bytes4));
  CHECK_FALSE(has_loops(2050, true, RowsAt::Bytes4));
  CHECK_FALSE(has_loops(2048, false, RowsAt::Bytes32));
}

TEST_CASE("rows leave a smaller L2 at a shorter length", "[unit]") {
  const double l2 = double(device_of("h200").l2_bytes);
  CHECK(passes_row(9 * 1024, l2).again_s == 0);
  CHECK(passes_row(20 * 1024, l2).again_s > passes_row(16 * 1024, l2).again_s);
  CHECK(passes_row(16 * 1024, l2 / 2).again_s == Approx(passes_row(32 * 1024, l2).again_s / 2));
  CHECK(passes_row(16 * 1024, l2 / 2).in_l2_s == passes_row(16 * 1024, l2).in_l2_s);
}

TEST_CASE("rows of query heads that share K and V fill tiles together", "[unit]") {
  const auto weighted = [](std::int64_t heads, std::int64_t group) {
    return single_weighted_s({1030, 64, heads, group}, RowsAt::Bytes4, 132);
  };
  // 32 heads of nine tiles need two waves on 264 places; four heads of K and V, 65 tiles each, need one.
  CHECK(weighted(32, 1) == weighted(30, 1));
  CHECK(weighted(4, 8) < weighted(32, 1));
  CHECK(single_scores_s({1030, 64, 40, 8}, RowsAt::Bytes4, 132) <
        single_scores_s({1030, 64, 320}, RowsAt::Bytes4, 132));
}

TEST_CASE("cuBLAS uses its slow product of odd rows around multiples of 2^32 scores", "[unit]") {
  const auto samples = test::samples_by_row("operations_wraps_h200_2026-11-28.csv", 10,
                                            [](const auto& f) { return f[0] == "operation"; });
  std::vector<double> errors;
  int wrong = 0;
  for (const auto& [f, us] : samples) {
    const std::int64_t d = std::stoll(f[3]), heads = std::stoll(f[4]), n = std::stoll(f[5]);
    const double measured = us[us.size() / 2] * 1e-6,
                 model = single_scores_s({n, d, heads}, rows_at(n, DType::Bf16), 132);
    INFO("d " << d << ", n " << n << ", " << heads << " heads: " << model << " s, measured " << measured);
    // Another kernel takes half as long or twice.
    if (model < 0.7 * measured || model > 1.4 * measured) ++wrong;
    errors.push_back(model / measured - 1);
  }
  CHECK(errors.size() == 219);
  CHECK(wrong <= 4);  // where the kernel changes: 9,729 and 20,481 rows change a little later and earlier
  CHECK(spread_of(errors).median < 0.05);
}

TEST_CASE("P V of rows at 4 bytes feels a slower memory", "[unit]") {
  const AttentionCall pairs{.n = 9234, .d = 64, .heads = 25}, odd{.n = 9233, .d = 64, .heads = 25};
  const auto slower = [](const AttentionCall& call) {
    return naive_operations(call, device_of("h100"))[2].seconds / naive_operations(call, device_of("h200"))[2].seconds;
  };
  CHECK(slower(pairs) > 1.04);  // 2.6 TB/s on an H200
  CHECK(slower(odd) < 1.02);    // 1.2
}

TEST_CASE("every wave of tiles of an odd product takes as long as a full one", "[unit]") {
  const RowsAt at = rows_at(4097, DType::Bf16);
  const auto seconds = [&](std::int64_t heads) { return single_weighted_s({4097, 128, heads}, at, 132); };
  CHECK(seconds(8) == seconds(5));  // 264 and 165 tiles on 264 places
  CHECK(seconds(9) == Approx(2 * seconds(8)));
  CHECK(seconds(4) < 0.8 * seconds(5));  // a tile alone on its SM
  CHECK(single_scores_s({4096 * 8 + 1, 64, 2}, RowsAt::Bytes2, 132) > 0);
}

// The same operation on a card with less memory bandwidth: an H100 copies 0.71 of what an H200 does.
TEST_CASE("the softmax alone is slower on an H100 by what its memory is felt", "[unit]") {
  for (const std::string device : {"h100", "h200"}) {
    std::vector<double> errors;
    for (const TimedOperation& timed : timed_alone("launches_" + device + "_2026-11-27.csv", "eager")) {
      if (timed.part != "softmax" || timed.call.scores() < 3e7 || is_odd(timed.call.n)) continue;
      constexpr double kOneLaunch = 3.07;  // beside the operation
      const std::vector<Operation> ops = eager_operations(timed.call, device_of(device));
      errors.push_back(1e6 * ops[2].seconds / (timed.us - kOneLaunch) - 1);
      INFO(device << ", n " << timed.call.n << ", " << timed.call.heads << " heads: " << timed.us << " us, error "
                  << errors.back());
      CHECK(std::abs(errors.back()) < 0.12);
    }
    CHECK(errors.size() >= 8);
    CHECK(spread_of(errors).median < 0.06);
  }
}

// A masked softmax of naive reads half of S: what it asks of memory is three quarters, on every card.
TEST_CASE("a masked softmax asks for half of the scores", "[unit]") {
  const AttentionCall full{.n = 4096, .d = 64, .heads = 32}, masked{.n = 4096, .d = 64, .heads = 32, .causal = true};
  for (const char* device : {"h100", "h200"}) {
    const Operation all = naive_operations(full, device_of(device))[1];
    const Operation half = naive_operations(masked, device_of(device))[1];
    CHECK(half.bytes / all.bytes == Approx(0.75).epsilon(0.001));
    CHECK(half.seconds < all.seconds);
  }
  const DeviceModel& h100 = device_of("h100");
  const double reached = naive_operations(masked, h100)[1].bytes_per_s / h100.reached_bytes_per_s();
  CHECK(reached > 0.9);
  CHECK(reached < 1);
}
