// The page of the race with the race that is shipped: its labels, and which of its kernels are shown.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/problem/device_model.h"
#include "measured/race_times.h"
#include "measured/recorded_race.h"
#include "pages/race/race_model.h"
#include "pages/which/recorded_call.h"
#include "tests/support/catch.h"
#include "view/words/naive_win.h"
#include "view/words/predict_words.h"

using namespace tilewalk;

TEST_CASE("the shipped race is labelled as recorded, with card, driver and date") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  const RaceModel m = build_race_model(races, false);
  CHECK(m.badge == "RECORDED");
  for (const char* part : {"NVIDIA H200", "580.159.04", "2026-11-28", "PyTorch"})
    CHECK(m.heading.find(part) != std::string::npos);
  CHECK(m.bars.size() == 4);
  CHECK(races.choice.metric == RaceMetric::Time);  // who is done first
  races.choice.n = 65536;
  const RaceModel longest = build_race_model(races, false);
  CHECK(longest.figure == "68.1 ms");  // what can be had comes first
  CHECK(longest.figure_words ==
        "by FA-3 by Tilewalk, recorded. Naive cannot run: its workspace takes 256 GiB, the card has 140 GiB.");
  races.choice.n = 0;
  CHECK(m.curves.size() == m.bars.size());
  races.choice.all = true;
  const RaceModel all = build_race_model(races, false);
  CHECK(all.bars.size() >= 6);
  CHECK(all.curves.size() >= all.bars.size());
  CHECK(m.sources.size() == 2);  // no GPU here
  CHECK(build_race_model(races, true).sources.size() == 3);
}

TEST_CASE("a time of a build that was replaced since has its day beside it") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  const auto notes = [&](std::int64_t d) {
    races.choice.n = 8192, races.choice.d = d;
    return build_race_model(races, false).notes;
  };
  CHECK(notes(256) ==
        std::vector<std::string>{"FA-2 by Tilewalk was recorded on 2026-11-23, by a build that was replaced since."});
  CHECK(notes(64).empty());
}

TEST_CASE("of many kernels the winner, the best of PyTorch and naive are shown, until all are asked for") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  races.choice = {.source = RaceSource::Recorded, .metric = RaceMetric::Rate, .n = 8192, .d = 64};
  const RaceModel few = build_race_model(races, false);
  races.choice.all = true;
  const RaceModel all = build_race_model(races, false);
  REQUIRE(all.bars.size() > 4);
  CHECK(few.kernels.label == "all " + std::to_string(all.bars.size()) + " kernels");
  CHECK(few.kernels.choice == ChooseRace{.all = true});
  CHECK(all.kernels.choice == ChooseRace{.all = false});
  REQUIRE(few.bars.size() == 4);
  CHECK(few.table.size() == 4);
  CHECK(few.curves.size() == 4);
  const auto best = [](const RaceModel& m) {
    return std::find_if(m.bars.begin(), m.bars.end(), [](const RaceBar& bar) { return bar.best; })->title;
  };
  CHECK(best(few) == best(all));
  CHECK(few.figure == all.figure);
  CHECK(few.figure_words == all.figure_words);  // names the best of PyTorch too
  CHECK(few.bars[0].title.starts_with("Naive"));
  CHECK(few.bars[1].title.starts_with("FA-2"));
  CHECK(few.bars[3].title.starts_with("PyTorch"));
  for (const RaceBar& bar : all.bars)
    if (bar.title.starts_with("PyTorch"))
      CHECK(bar.share <= few.bars[3].share / few.bars[0].share * all.bars[0].share + 1e-9);
}

namespace {

// The page with the shipped race and a call of so many rows; bf16, d 64, no mask.
RaceModel page_of_call(std::int64_t n, std::int64_t batch, const std::string& device = kRecordedOn, bool all = false) {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  Call call;
  call.device = device, call.n_q = n, call.d = 64, call.heads = 32, call.batch = batch, call.type = CallType::Bf16;
  races.call = call;
  races.choice.n = n, races.choice.d = 64, races.choice.all = all;
  static const RaceTimes times = *load_race_times(TILEWALK_SOURCE_DIR);
  const AttentionCall modelled{.n = n, .d = 64, .heads = 32, .batch = batch};
  const DeviceModel card = *device_named(device);
  const RaceTimes* const own = device == kRecordedOn ? &times : nullptr;
  const std::vector<PredictionRow> rows = prediction_rows(modelled, card, own);
  return build_race_model(
      races, false, {{}, [&] { return call_win(rows, {}, own); }, [&] { return race_of_call(rows, own, &card); }});
}

const RaceBar& bar_of(const RaceModel& m, const std::string& title) {
  const auto at = std::find_if(m.bars.begin(), m.bars.end(), [&](const RaceBar& bar) { return bar.title == title; });
  REQUIRE(at != m.bars.end());
  return *at;
}

}  // namespace

TEST_CASE("a call that was not raced has hollow bars of its own predicted times, and one line names a recorded race") {
  const RaceModel m = page_of_call(3000, 2);
  CHECK(m.marked_n == "3,000");  // on the axis too
  CHECK(m.sources.front().label == "Predicted");
  CHECK(m.sources.front().active);
  CHECK(page_of_call(8192, 2).sources.front().label == "Recorded");
  CHECK(m.predicted);
  CHECK(m.badge == "PREDICTED");
  CHECK(m.bars_title.starts_with("N 3,000, d 64, 32 heads × batch 2, no mask: predicted time"));
  const auto rows = prediction_rows({.n = 3000, .d = 64, .heads = 32, .batch = 2}, *device_named(kRecordedOn), nullptr);
  const double fast = *find_row(rows, Contender::FlashV3)->predicted.predicted_ms,
               naive = *find_row(rows, Contender::Naive)->predicted.predicted_ms;
  for (const RaceBar& bar : m.bars) CHECK(bar.predicted);
  const RaceBar &third = bar_of(m, "FA-3 by Tilewalk"), &slow = bar_of(m, "Naive, cuBLAS");
  CHECK(third.share / slow.share == Approx(fast / naive));  // the bars are what the figure says
  CHECK(m.figure == times_text_of(naive / fast));
  CHECK(m.figure_words.find("raced") == std::string::npos);
  CHECK(m.raced_with.empty());
  CHECK_FALSE(m.differs);
  CHECK(m.beside ==
        "Recorded near it: N 5,000, d 64, batch 3, 32 heads: 5.4×. Naive at your call: with rows of 3,000 its three "
        "kernels do not reach the memory's rate: a row begins at a multiple of 16 bytes, not of 32, so QKᵀ moves 2.05 "
        "TB/s, not 3.5 as with N 3,008.");
  CHECK(m.beside_in_room == "Predicted; nearest recorded: 5.4× at N 5,000.");  // the rest after the answer
  CHECK(m.floor_text == "its floor, by the ceilings of the card: 811 TFLOP/s, 4.28 TB/s");
  CHECK(m.curves_peak_text == "ceiling of the card, 811 TFLOP/s");
  CHECK(m.reasons.back() == "FA-3 by Tilewalk, 0.298 ms: products at the 811 TFLOP/s of the card: 0.182 ms of it.");
  CHECK(bar_of(m, "PyTorch cuDNN").detail.find("recorded ratio") != std::string::npos);
  for (const RaceTag& length : m.lengths.tags) CHECK_FALSE(length.active);
  REQUIRE(m.table.size() == m.bars.size());
  CHECK(m.table_heads.front() == "predicted");
  for (const RaceLine& line : m.table) CHECK(line.cells.size() == m.table_heads.size());
  int marks = 0;
  for (const RaceCurve& curve : m.curves) {
    marks += curve.predicted.has_value();
    CHECK_FALSE(curve.recorded_at_call);
  }
  CHECK(marks == 4);
}

TEST_CASE("the race and PyTorch's choice name the same recorded call beside one that was not recorded") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  for (const std::int64_t n : {700, 3000, 9001, 20000, 65536}) {
    Call call;
    call.n_q = n, call.d = 64, call.batch = 2, call.heads = 32;
    const RecordedCallTimes at = recorded_times_of(call, &*times);
    INFO("N " << n);
    REQUIRE_FALSE(at.backends.empty());
    CHECK_FALSE(at.very_call);
    CHECK(page_of_call(n, 2).beside.starts_with(
        fmt::format("Recorded near it: N {}, d {}, batch {}, {} heads: ", format_count(at.cell.n), at.cell.d,
                    at.cell.batch, at.cell.heads)));
  }
}

TEST_CASE("the curves' marks at the call say for each kernel whether its time there is recorded, as its bar does") {
  for (const std::int64_t batch : {2, 32}) {
    const RaceModel m = page_of_call(512, batch);
    int recorded = 0;
    for (const RaceCurve& curve : m.curves) {
      REQUIRE(curve.predicted);
      CHECK(curve.recorded_at_call == !bar_of(m, curve.title).predicted);
      recorded += curve.recorded_at_call;
    }
    CHECK(recorded == (batch == 32 ? int(m.curves.size()) : 0));
  }
}

TEST_CASE("a raced call has filled bars and no predicted ones") {
  const RaceModel m = page_of_call(8192, 2);
  CHECK_FALSE(m.predicted);
  CHECK(m.badge == "RECORDED");
  CHECK(m.beside.empty());
  for (const RaceBar& bar : m.bars) CHECK_FALSE(bar.predicted);
  // The longer race without memory has another batch than the bars.
  REQUIRE(m.no_memory_later.size() == 1);
  CHECK(m.no_memory_later[0].value.starts_with("64k, 32 heads × batch 1: out of memory, its workspace takes 256 GiB"));
}

TEST_CASE("where naive has no memory for the call, the figure is the time that can be had") {
  const RaceModel m = page_of_call(65536, 2);
  CHECK(m.predicted);
  CHECK(m.figure.ends_with(" ms"));
  CHECK(m.figure_words ==
        "by FA-3 by Tilewalk, predicted. Naive cannot run: its scores take 512 GiB, more than the H200 has.");
  CHECK(m.beside == "Recorded near it: N 65,536, d 64, batch 1, 32 heads: naive out of memory.");
  CHECK(bar_of(m, "Naive, cuBLAS").no_memory);
}

TEST_CASE("another GPU's bars have no ceiling and no mark on the curves of the card that was raced") {
  const RaceModel m = page_of_call(3000, 2, "h100");
  CHECK(m.predicted);
  CHECK(m.beside.starts_with("Recorded beside it: GPU H200, N 4,096"));
  CHECK(m.peak_share == 0);
  for (const RaceBar& bar : m.bars) CHECK_FALSE(bar.floor);
  for (const RaceCurve& curve : m.curves) CHECK_FALSE(curve.predicted);
}

TEST_CASE(
    "a call shorter or longer than the raced ones has its marks beside the curves, on an axis that reaches them") {
  for (const std::int64_t n : {std::int64_t(512), std::int64_t(700)}) {
    const RaceModel m = page_of_call(n, 2);
    REQUIRE(m.predicted);
    int marks = 0;
    for (const RaceCurve& curve : m.curves) {
      if (!curve.predicted) continue;
      ++marks;
      CHECK(curve.predicted->x == Approx(0).margin(1e-9));
      for (const RacePoint& point : curve.points) CHECK(point.x > curve.predicted->x);
    }
    CHECK(marks == 4);
    CHECK(m.x_ticks.front() > 0);
  }
}

TEST_CASE("the backward race has the speed-up over FA-2, says that naive was not measured, and has no empty column") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  races.recorded = std::make_shared<const Race>(std::move(*race));
  races.choice = {.source = RaceSource::Recorded, .pass = "backward", .n = 8192, .d = 64};
  const RaceModel m = build_race_model(races, false);
  const RaceBar &fast = bar_of(m, "FA-3 by Tilewalk"), &slow = bar_of(m, "FA-2 by Tilewalk");
  CHECK(m.figure == times_text_of(slow.share / fast.share));
  CHECK(m.figure_words.starts_with("as fast as FA-2 by Tilewalk, recorded: "));
  CHECK(m.figure_words.ends_with("Naive's backward pass was not measured."));
  CHECK(m.table_heads ==
        std::vector<std::string>{"time", "× its floor", "floor", "extra memory", "predicted", "error"});
  for (const RaceLine& line : m.table) CHECK(line.cells.size() == m.table_heads.size());
  CHECK(m.table_note.find("On paper") == std::string::npos);
}

TEST_CASE("below the table and in FA-2's tooltip is that its instruction does not reach the rate of its floor") {
  const RaceModel m = page_of_call(8192, 2);
  const std::string words = "its instruction, reaches 62 % of the rate of its floor, which FA-3's reaches";
  CHECK(m.table_note.find("FA-2 by Tilewalk: mma.sync, " + words) != std::string::npos);
  CHECK(bar_of(m, "FA-2 by Tilewalk").detail.ends_with("Mma.sync, " + words));
  CHECK(bar_of(m, "FA-3 by Tilewalk").detail.find("mma.sync") == std::string::npos);
}
