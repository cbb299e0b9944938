#include "pages/race/race_model.h"

#include <algorithm>
#include <cmath>

#include "measured/recorded_race.h"
#include "pages/race/race_controller.h"
#include "tests/support/catch.h"
#include "tests/unit/pages/race/small_race.h"
#include "view/words/naive_win.h"

using namespace tilewalk;
using test::race_row;
using test::races_with;
using test::small_race;

namespace {

const RaceTag* active(const RaceTags& row) {
  for (const RaceTag& tag : row.tags)
    if (tag.active) return &tag;
  return nullptr;
}

}  // namespace

TEST_CASE("the headline is what FA-3 wins over naive, with what the fastest of PyTorch wins") {
  Race race = small_race();
  race.rows = {race_row("naive", 1024, {12, 12, 12}), race_row("flash_v3", 1024, {3, 3, 3}),
               race_row("torch_flash", 1024, {6, 6, 6}), race_row("torch_cudnn", 1024, {4, 4, 4})};
  Races races = races_with(race);
  races.choice.n = 1024;
  const RaceModel m = build_race_model(races, false);
  CHECK(m.figure == "4.0×");
  CHECK(m.figure_words.find(": the fastest here, FA-3 by Tilewalk, takes ") != std::string::npos);
  CHECK(build_race_model(races, false, {Contender::TorchFlash})
            .figure_words.ends_with(" PyTorch's default, FLASH: 2.0×."));
  CHECK(m.figure_words.ends_with(" PyTorch cuDNN: 3.0×."));
  Call call;
  call.on_gpu = false, call.n_q = 1400;
  races.call = call;
  const RaceModel near = build_race_model(races, false);
  CHECK(near.figure_words.find(" with N 1,024, not 1,400;") != std::string::npos);
  CHECK(near.differs);
  CHECK(near.raced_with.empty());  // said once
  NaiveWin own{.fast = "FA-3 by Tilewalk", .fast_ms = 1, .naive_ms = 5, .kind = "predicted"};
  CHECK(build_race_model(races, false, {.win = [&] { return own; }}).figure ==
        near.figure);  // a race that ran here has its own
  races.call.reset();
  races.cpu = std::make_shared<const Race>([&] {
    race.rows[1] = race_row("flash_v3", 1024, {9, 9, 9});
    return race;
  }());
  const RaceModel slower = build_race_model(races, false);  // of PyTorch's kernels both are faster
  CHECK(slower.figure == "1.3×");
  CHECK(slower.figure_words.find(kFastestHere) == std::string::npos);
  CHECK(slower.figure_words.ends_with(" PyTorch cuDNN: 3.0×."));
}

TEST_CASE("each bar shows a row, to scale, with the ceiling on the same axis") {
  Races races = races_with(small_race());
  races.choice.metric = RaceMetric::Rate;
  races.choice.n = 1024;
  const RaceModel m = build_race_model(races, false);
  REQUIRE(m.bars.size() == 2);
  CHECK(m.bars[0].title == "Naive, OpenBLAS");
  CHECK(m.bars[1].best);
  CHECK_FALSE(m.bars[0].best);
  CHECK(m.bars[1].share == Approx(2 * m.bars[0].share));
  const double tflops = races.cpu->rows[1].tflops();
  CHECK(m.bars[1].share / m.peak_share == Approx(tflops / 0.5));
  CHECK(m.peak_share <= 1);
  CHECK(m.bars[1].detail.find("2.0× as fast as naive") != std::string::npos);
  CHECK(m.bars[1].detail.find("at the clock") == std::string::npos);
  CHECK(m.badge == "MEASURED HERE");
  CHECK(m.heading.find("A processor, 2 threads, 2026-01-02") != std::string::npos);
  CHECK(m.ceilings.find("500 GFLOP/s") != std::string::npos);
}

TEST_CASE("a row's text has its share at the clock of its own work, where that was measured") {
  Race race = small_race();
  race.rows[1].peaks_at_clock = {0.4};
  race.rows[1].flops_done = 1.5e9;  // in 5 ms: 0.3 TFLOP/s
  Races races = races_with(race);
  races.choice.n = 1024;
  const std::string detail = build_race_model(races, false).bars[1].detail;
  INFO(detail);
  CHECK(detail.find("75 % of multiply-adds straight after it (400 GFLOP/s)") != std::string::npos);
}

TEST_CASE("every metric shows that row's figure, and speed-ups start from naive's one") {
  Races races = races_with(small_race());
  races.choice.n = 1024;
  races.choice.metric = RaceMetric::VsNaive;
  RaceModel m = build_race_model(races, false);
  CHECK(m.bars[0].value == "1.0×");
  CHECK(m.bars[1].value == "2.0×");
  CHECK(m.peak_share == 0);
  races.choice.metric = RaceMetric::Time;
  m = build_race_model(races, false);
  CHECK(m.bars[0].value == "10.0 ms");
  CHECK(m.bars[0].share == 1);
  races.choice.metric = RaceMetric::Share;
  m = build_race_model(races, false);
  CHECK(m.bars[1].value == std::to_string(int(100 * races.cpu->rows[1].tflops() / 0.5 + 0.5)) + " %");
  // 4 N² d heads batch FLOPs at 0.5 TFLOP/s are this race's highest floor.
  const RaceRow& tiled = races.cpu->rows[1];
  const double floor_ms = tiled.flops() / 0.5e9;
  races.choice.metric = RaceMetric::OverFloor;
  m = build_race_model(races, false);
  CHECK(std::stod(m.bars[1].value) == Approx(tiled.median_ms() / floor_ms).epsilon(0.01));
  CHECK(std::stod(m.bars[0].value) == Approx(2 * tiled.median_ms() / floor_ms).epsilon(0.01));
  CHECK(m.bars[1].detail.find("Floors: ") != std::string::npos);
  CHECK(m.bars[1].detail.find("FLOPs ") != std::string::npos);
  CHECK(m.bars[1].detail.find(" times the highest") != std::string::npos);
  races.choice.metric = RaceMetric::Memory;
  races.choice.n = 2048;
  m = build_race_model(races, false);
  CHECK(m.bars[0].value == "9.00 GiB");
  CHECK(m.table_heads == std::vector<std::string>{"time", "× its floor", "floor", "extra memory"});
  for (const RaceLine& line : m.table) CHECK(line.cells.size() == m.table_heads.size());
}

TEST_CASE("each bar has its floor on its own axis: where it would end if it took that long") {
  Races races = races_with(small_race());
  races.choice.metric = RaceMetric::Rate;
  races.choice.n = 1024;
  RaceModel m = build_race_model(races, false);
  REQUIRE((m.bars[0].floor && m.bars[1].floor));
  CHECK(*m.bars[0].floor == Approx(m.peak_share));  // here products are the highest floor of both
  CHECK(*m.bars[1].floor == Approx(m.peak_share));
  CHECK_FALSE(m.floor_text.empty());
  for (const RaceMetric metric :
       {RaceMetric::Rate, RaceMetric::Time, RaceMetric::Share, RaceMetric::OverFloor, RaceMetric::VsNaive}) {
    INFO(int(metric));
    races.choice.metric = metric;
    m = build_race_model(races, false);
    const bool shorter = metric == RaceMetric::Time || metric == RaceMetric::OverFloor;
    for (std::size_t i = 0; i < 2; ++i) {
      const double over = *races.cpu->times_the_floor(races.cpu->rows[i]), ratio = *m.bars[i].floor / m.bars[i].share;
      CHECK((shorter ? 1 / ratio : ratio) == Approx(over));
      CHECK(*m.bars[i].floor <= 1.0001);
    }
  }
  races.choice.metric = RaceMetric::Memory;
  CHECK(build_race_model(races, false).floor_text.empty());
}

TEST_CASE("out of memory and a busy machine are shown instead of a figure") {
  Races races = races_with(small_race());
  races.choice.n = 2048;
  RaceModel m = build_race_model(races, false);
  CHECK_FALSE(m.bars[0].counts);
  CHECK(m.bars[0].share == 0);
  CHECK(m.bars[0].value.starts_with("2k: out of memory, "));
  CHECK(m.bars[0].no_memory);
  CHECK(m.bars[0].detail.find("want 9 GiB") != std::string::npos);
  CHECK(m.bars[1].best);
  races.choice.n = 4096;
  m = build_race_model(races, false);
  CHECK(m.bars[0].value == "not quiet");
  CHECK_FALSE(m.bars[0].no_memory);
  CHECK(m.bars[0].detail.find("15 %") != std::string::npos);
  REQUIRE(m.notes.size() == 1);
  CHECK(m.notes[0].find("1 of 7 rows is not reported") != std::string::npos);
}

TEST_CASE("a race without valid rows is described row by row, for any metric") {
  Race race = small_race();
  for (RaceRow& row : race.rows) row.own_share = {0.4};
  const bool memory_known = GENERATE(false, true);
  if (!memory_known)
    for (RaceRow& row : race.rows) row.extra_bytes.reset();
  Races races = races_with(race);
  races.choice.n = 1024;
  for (int metric = 0; metric <= int(RaceMetric::Memory); ++metric) {
    INFO("metric " << metric << (memory_known ? ", memory known" : ""));
    races.choice.metric = RaceMetric(metric);
    const RaceModel m = build_race_model(races, false);
    REQUIRE(m.metrics.tags.size() == (memory_known ? 2u : 1u));
    CHECK(m.metrics.tags.front().label == "Rate");
    REQUIRE(active(m.metrics));
    REQUIRE(m.bars.size() == 2);
    REQUIRE(m.table.size() == 2);
    for (const RaceLine& line : m.table) CHECK(line.cells.front() == "not quiet");
    if (active(m.metrics)->label == "Rate")
      for (const RaceBar& bar : m.bars) CHECK(bar.value == "not quiet");
  }
}

TEST_CASE("a missing choice is replaced by an existing one") {
  Races races = races_with(small_race());
  RaceModel m = build_race_model(races, false);
  CHECK(active(m.lengths)->choice.n == 1024);  // the others lack naive's figure
  races.choice.causal = true;
  races.choice.d = 128;
  races.choice.pass = "backward";
  m = build_race_model(races, false);
  CHECK(active(m.lengths)->choice.n == 1024);
  CHECK(active(m.pass)->label == "forward");
  CHECK(m.bars_title.find("d 64, 4 heads × batch 1, causal") != std::string::npos);
  CHECK(m.bars.size() == 1);
}

TEST_CASE("sizes that were not raced show the nearest, and the page says what is otherwise than the window's call") {
  Races races = races_with(small_race());
  races.choice.n = 1500;  // between 1,024 and 2,048, by ratio
  CHECK(active(build_race_model(races, false).lengths)->choice.n == 2048);
  races.choice.n = 1400;
  CHECK(active(build_race_model(races, false).lengths)->choice.n == 1024);
  CHECK_FALSE(build_race_model(races, false).differs);
  Call call;
  call.on_gpu = false, call.type = CallType::Fp32;
  call.n_q = 1400, call.heads = 12, call.batch = 2;
  races.call = call;
  CHECK(build_race_model(races, false).raced_with ==
        "Raced with N 1,024, not 1,400; 4 heads × batch 1, not 12 heads × batch 2.");
  call.n_q = 1024, call.heads = 4, call.batch = 1;
  races.call = call;
  CHECK_FALSE(build_race_model(races, false).differs);
}

TEST_CASE("while the race runs all bars grow on one axis of time, and each stops where its kernel is done") {
  Races races = races_with(small_race());
  races.choice.n = 1024;
  CHECK_FALSE(build_race_model(races, false).runs);
  races.seconds_run = 2.5;
  RaceModel m = build_race_model(races, false);
  REQUIRE(m.bars.size() == 2);
  CHECK(m.runs);
  CHECK(m.clock == "2.50 ms");
  CHECK(m.clock_words.starts_with("so far, shown × 1,000"));
  CHECK(m.bars[0].ran == Approx(0.25));  // of 10 ms
  CHECK(m.bars[1].ran == Approx(0.5));   // of 5 ms
  CHECK(m.bars[0].share == Approx(m.clock_at));
  CHECK(m.bars[1].share == Approx(m.clock_at));
  CHECK(m.axis.unit == "ms");
  races.seconds_run = 6;
  m = build_race_model(races, false);
  CHECK(m.bars[0].ran == Approx(0.6));
  CHECK(m.bars[1].ran == 1);
  CHECK(m.bars[1].value == "5.00 ms");
  CHECK(m.bars[0].share == Approx(m.clock_at));
  CHECK(m.bars[1].share == Approx(m.clock_at * 5 / 6));
  races.choice.metric = RaceMetric::Rate;  // a rate does not grow: the bars are times until the race is over
  CHECK(build_race_model(races, false).bars[1].share == Approx(m.bars[1].share));
  races.choice.metric = RaceMetric::Time;
  races.seconds_run = 11;
  CHECK_FALSE(build_race_model(races, false).runs);
}

TEST_CASE("a long race is slowed down less, so that its end is seen, and a short one more") {
  Race race = small_race();
  for (const auto& [ms, words] :
       {std::pair{100.0, "shown × 100."}, {0.5, "shown × 10,000."}, {20000.0, "shown × 0.1."}}) {
    race.rows[0].ms = {ms, ms, ms};
    race.rows[1].ms = {ms / 2, ms / 2, ms / 2};
    Races races = races_with(race);
    races.choice.n = 1024;
    races.seconds_run = 0.9;
    const RaceModel m = build_race_model(races, false);
    INFO(ms);
    CHECK(m.runs);
    CHECK(m.clock_words.find(words) != std::string::npos);
    races.seconds_run = kSecondsOfRun;
    CHECK_FALSE(build_race_model(races, false).runs);
  }
}

TEST_CASE("a contender that runs out of memory has a lane that says at which N, at that N and before it") {
  Races races = races_with(small_race());
  races.choice.n = 1024;
  const RaceModel before = build_race_model(races, false);
  REQUIRE(before.no_memory_later.size() == 1);
  CHECK(before.no_memory_later[0].title == before.bars[0].title);
  CHECK(before.no_memory_later[0].value == "2k: out of memory, its scores want 9 GiB of the 1 GiB that are free");
  races.choice.n = 2048;
  const RaceModel there = build_race_model(races, false);
  CHECK(there.no_memory_later.empty());
  CHECK(there.bars[0].no_memory);
  CHECK(there.bars[0].value == before.no_memory_later[0].value);
}

TEST_CASE("a page without a race says which key starts one, and a running race shows its progress") {
  Races races;
  races.choice.source = RaceSource::Cpu;
  CHECK(build_race_model(races, false).empty.find("Run it on this CPU") != std::string::npos);
  races.recorded_missing = "holds no race";
  races.choice.source = RaceSource::Recorded;
  CHECK(build_race_model(races, false).empty == "holds no race");
  races.running = true;
  races.fraction = 0.34;
  races.doing = "cpu_tiled · N 2048";
  CHECK(build_race_model(races, false).progress == "34 % · cpu_tiled · N 2048");
  races.stopping = true;
  CHECK(build_race_model(races, false).progress.find("Stopping") == 0);
}

TEST_CASE("each recorded row has its floor, the pencil method and the model, with the error") {
  Races races;
  Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race);
  races.recorded = std::make_shared<const Race>(std::move(*race));
  races.choice = {.source = RaceSource::Recorded, .n = 8192, .d = 64, .all = true};
  const RaceModel m = build_race_model(races, false);
  REQUIRE(m.table_heads == std::vector<std::string>{"time", "× its floor", "floor", "vs naive", "extra memory",
                                                    "on paper", "predicted", "error"});
  REQUIRE(m.table.size() == m.bars.size());
  bool modelled = false, not_modelled = false;
  for (const RaceLine& row : m.table) {
    CAPTURE(row.title);
    REQUIRE(row.cells.size() == m.table_heads.size());
    CHECK(row.cells[2] != "–");
    const bool torch = row.title.starts_with("PyTorch");
    (torch ? not_modelled : modelled) = true;
    CHECK((row.cells[6] == "–") == torch);
    CHECK((row.cells[7] == "–") == torch);
  }
  CHECK((modelled && not_modelled));
  CHECK(m.ceilings ==
        "Ceilings of the card: bf16 products 811 TFLOP/s, above d 128 825 TFLOP/s, copy 4275 GB/s");  // the roofline's
  const RaceModel here = build_race_model(races_with(small_race()), false);
  for (const char* head : {"on paper", "predicted", "error"})
    CHECK(std::count(here.table_heads.begin(), here.table_heads.end(), head) == 0);
  CHECK(here.table_note.find("the recorded race alone") != std::string::npos);
  CHECK(here.ceilings.starts_with("Ceilings of this run: "));
}

TEST_CASE("while the race runs a kernel has figures in the table and its curve only once it is done") {
  Races races = races_with(small_race());
  races.choice.n = 1024;
  const auto under_way = [&](double seconds) {
    races.seconds_run = seconds;
    const RaceModel m = build_race_model(races, false);
    REQUIRE(m.table.size() == 2);
    REQUIRE(m.curves.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) CHECK(m.table[i].under_way == m.curves[i].under_way);
    return std::pair{m.table[0].under_way, m.table[1].under_way};
  };
  CHECK(under_way(2.5) == std::pair{true, true});
  CHECK(under_way(6) == std::pair{true, false});  // of 10 ms and of 5 ms
  CHECK(under_way(11) == std::pair{false, false});
}
