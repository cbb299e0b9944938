// The times of two compared walks, where one of them has the tiles of PyTorch's cuDNN.
#include "view/words/call_times.h"

#include <algorithm>

#include "core/predict/attention_method.h"
#include "core/schedules/registry.h"
#include "dispatch/cudnn_kernels.h"
#include "pages/compare/compare_model.h"
#include "tests/support/compared.h"
#include "tests/unit/view/view_fixture.h"
#include "view/pipes/pipes_model.h"
#include "view/words/in_step_model.h"
#include "view/words/predict_words.h"
#include "view/words/verdict.h"
#include "view/words/walk_times.h"

using namespace tilewalk;

namespace {

const RaceTimes& recorded() {
  static const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR, "h200");
  REQUIRE(times);
  return *times;
}

Comparison with_tiles(std::int64_t br, AttentionCall call) {
  const DeviceModel& device = device_of("h200");
  Problem p = walked_by(method_of(Contender::FlashV3), call, device);
  p.tiling.br = p.tiling.bc = br;
  if (br == 192) p.tiling.bc = 128;
  p.machine.sram_bytes = 1 << 20;
  return test::compared(walked_by(method_of(Contender::Naive), call, device), p);
}

}  // namespace

TEST_CASE("a walk with cuDNN's tiles has cuDNN's recorded time, one with Tilewalk's tiles that of Tilewalk") {
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  for (const auto& [br, who] : {std::pair(128, Contender::TorchCudnn), std::pair(192, Contender::FlashV3)}) {
    const Comparison c = with_tiles(br, call);
    INFO(word_of(who));
    CHECK(has_cudnn_tiles(c.right) == (who == Contender::TorchCudnn));
    CHECK(timed_kernel(c.right) == who);
    const std::optional<CallTimes> times = call_times(c, &recorded());
    REQUIRE(times);
    CHECK(times->recorded);
    CHECK(times->ms[1] == recorded().ms_of(who, cell_of(call)));
    CHECK(timed_walk(c.right, 2, &recorded()).recorded_ms == times->ms[1]);
    const std::string said = words_with_times(c, &recorded(), std::nullopt).headline;
    CHECK(said.starts_with(who == Contender::TorchCudnn ? "FA-3 by cuDNN takes" : "FA-3 takes"));
    CHECK(times->by(0).empty());
    CHECK(times->by(1) == (who == Contender::TorchCudnn ? " by cuDNN" : ""));
  }
}

TEST_CASE("beside a schedule's name stands whose kernel was timed, on the pipes, the last card and in the table") {
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const Comparison c = with_tiles(128, call);
  const std::optional<CallTimes> times = call_times(c, &recorded());
  REQUIRE(times);
  const auto naive = make_schedule(c.left), tiled = make_schedule(c.right);
  const PipesModel pipes = build_pipes_model(*naive, 0, *tiled, 0, times);
  CHECK(pipes.time_text.find("FA-3 by cuDNN 2.34 ms") != std::string::npos);
  WalkTimesCache cache;
  const WalkTimes card = walk_times(c.right, ScheduleKind::FlashV2, &recorded(), cache);
  REQUIRE(card.bars.size() == 2);
  CHECK(card.bars.front().label == "FA-3 by cuDNN");
  const CompareModel table = build_compare_model(c, words_with_times(c, &recorded(), std::nullopt), &recorded());
  const auto timed = std::find_if(table.lines.begin(), table.lines.end(),
                                  [](const CompareLine& line) { return line.title == "recorded time"; });
  REQUIRE(timed != table.lines.end());
  CHECK(timed->right_variant == "cuDNN");
  CHECK(timed->left_variant.empty());
}

TEST_CASE("a walk with cuDNN's tiles has no time beside naive where no race recorded cuDNN") {
  const AttentionCall call{.n = 3000, .d = 64, .heads = 32, .batch = 2};
  CHECK(call_times(with_tiles(192, call), &recorded()));
  CHECK_FALSE(call_times(with_tiles(128, call), &recorded()));
  CHECK_FALSE(call_times(with_tiles(128, call), nullptr));
}

TEST_CASE("the times of a finished walk are compared once, and their factor is written as everywhere") {
  WalkTimesCache cache;
  for (const Contender who : {Contender::FlashV3, Contender::FlashV1}) {  // FA-1's one thread block is far slower
    const Problem p = walked_by(method_of(who), {.n = 16384, .heads = 1}, device_of("h200"));
    const WalkTimes times = walk_times(p, ScheduleKind::FlashV2, nullptr, cache);
    REQUIRE((cache.of == p && cache.comparison));
    const std::optional<CallTimes> pair = call_times(*cache.comparison, nullptr);
    REQUIRE(pair);
    INFO(word_of(who) << ": " << times.ratio);
    CHECK(times.slower == (who == Contender::FlashV1));
    CHECK(times.ratio == times_text_of(std::max(pair->ms[0], pair->ms[1]) / std::min(pair->ms[0], pair->ms[1])));
    CHECK((times.ratio.find('.') == std::string::npos) == times.slower);
  }
}

TEST_CASE("beside a schedule without lanes modelled time is no pace, and the label says why") {
  const Problem naive = test::picture(ScheduleKind::Standard), tiled = test::picture(ScheduleKind::FlashV2);
  CHECK(pace_text(Pace::Time, tiled, tiled) == "in step by modelled time");
  for (const auto& [pinned, now] : {std::pair(naive, tiled), std::pair(tiled, naive)}) {
    CHECK(pace_text(Pace::Time, pinned, now) == "in step by tile: Naive has no lanes");
    CHECK(pace_tip(Pace::Time, pinned, now).starts_with("Without lanes there is no modelled cycle"));
  }
}
