// The ratio of a PyTorch kernel's time to that of the kernel here: at recorded lengths, between them, and on calls that
// were drawn and timed later, which it has not seen.
#include <algorithm>

#include "measured/prediction_error.h"
#include "measured/win_pair.h"
#include "tests/support/catch.h"
#include "tests/unit/measured/measurement_samples.h"

using namespace tilewalk;

namespace {

const RaceTimes& races() {
  static const RaceTimes kTimes = *load_race_times(std::string(TILEWALK_SOURCE_DIR));
  return kTimes;
}

std::optional<double> cudnn(std::int64_t n, std::int64_t d = 64, bool causal = false) {
  return recorded_ratio(races(), Contender::TorchCudnn, Contender::FlashV3, {.n = n, .d = d, .causal = causal});
}

}  // namespace

TEST_CASE("at a recorded length the ratio is the recorded one, between two of them it lies between theirs") {
  const RaceCell cell{.n = 4096, .d = 64, .heads = 32, .batch = 4};
  const double at = *races().ms_of(Contender::TorchCudnn, cell) / *races().ms_of(Contender::FlashV3, cell);
  CHECK(*cudnn(4096) == Approx(at));
  const auto [low, high] = std::minmax({*cudnn(2048), *cudnn(4096)});
  CHECK(low < high);
  CHECK(*cudnn(3000) > low);
  CHECK(*cudnn(3000) < high);
  CHECK(*cudnn(2) == *cudnn(100));  // below the first length: its ratio
  CHECK(*cudnn(1 << 20) == *cudnn(65536));
  CHECK(*cudnn(4096, 72) == *cudnn(4096, 64));  // the nearest head size
  CHECK(*cudnn(4096, 112) == *cudnn(4096, 128));
  CHECK(*cudnn(4096, 64, true) != *cudnn(4096, 64, false));
  CHECK_FALSE(recorded_ratio({}, Contender::TorchCudnn, Contender::FlashV3, {}));
}

TEST_CASE("where launches may set the time of the kernel here, no time of PyTorch's kernel is derived from it") {
  const auto rows_of = [](std::int64_t n, std::int64_t heads) {
    return prediction_rows({.n = n, .d = 64, .heads = heads}, *device_named("h200"), &races());
  };
  const std::vector<PredictionRow> small = rows_of(1024, 1), large = rows_of(8192, 64);
  for (const auto& [own, other] :
       {std::pair{Contender::FlashV2, Contender::TorchFlash}, std::pair{Contender::FlashV3, Contender::TorchCudnn}}) {
    INFO(word_of(other));
    REQUIRE(recorded_ratio(races(), other, own, find_row(small, own)->predicted.call));
    REQUIRE(find_row(small, own)->predicted.predicted_ms);
    REQUIRE(find_row(small, own)->by_processor());
    CHECK_FALSE(ms_by_ratio(small, other, &races()));
    REQUIRE_FALSE(find_row(large, own)->by_processor());
    CHECK(ms_by_ratio(large, other, &races()));
  }
}

TEST_CASE("on calls drawn later the ratio is nearer to the measured one than 1 is", "[unit]") {
  // kind, contender, d, heads, kv_heads, batch, n, causal, sample, ms
  const auto samples = test::samples_by_row("blind_calls_h200_seed80040_2026-11-28.csv", 10, [](const auto& row) {
    return row.size() == 10 && row[0] != "kind" && row[3] == row[4] && std::stoll(row[6]) >= 1024;
  });
  const auto median = [&](std::vector<std::string> row, const std::string& who) {
    row[1] = who;
    const auto at = std::find_if(samples.begin(), samples.end(), [&](const auto& each) {
      return each.first[1].starts_with(who) && std::equal(row.begin() + 2, row.end(), each.first.begin() + 2);
    });
    return at == samples.end() ? 0 : at->second[at->second.size() / 2];
  };
  for (const auto& [other, own, most] : {std::tuple{Contender::TorchCudnn, Contender::FlashV3, 0.10},
                                         std::tuple{Contender::TorchFlash, Contender::FlashV2, 0.09}}) {
    INFO(word_of(other));
    std::vector<double> by_ratio, as_equal;
    for (const auto& [row, all] : samples) {
      if (row[1] != word_of(other)) continue;
      const double beside = median(row, word_of(own));
      if (beside <= 0) continue;
      const double measured = all[all.size() / 2] / beside;
      const AttentionCall call{.n = std::stoll(row[6]), .d = std::stoll(row[2]), .causal = row[7] == "1"};
      by_ratio.push_back(*recorded_ratio(races(), other, own, call) / measured - 1);
      as_equal.push_back(1 / measured - 1);
    }
    const Spread with = spread_of(by_ratio), without = spread_of(as_equal);
    CHECK(with.points == 20);
    CHECK(with.median < most);
    CHECK(without.median > 1.5 * with.median);
  }
}
