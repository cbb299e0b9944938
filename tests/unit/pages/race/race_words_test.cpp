// Sentences of the race's page about the limit of each contender; figures computed by hand for a GPU with round
// numbers.
#include <algorithm>

#include "pages/race/race_model.h"
#include "tests/support/catch.h"
#include "view/words/race_row_text.h"

using namespace tilewalk;

namespace {

// 1 TB/s, 100 TFLOP/s; 100 multiprocessors at 1 GHz do 1.6e12 exponentials a second.
Race round_race() {
  Race race;
  race.recorded = true;
  race.provenance = {{"card, driver, top clock", "A card, 1.0, 1000 MHz"},
                     {"bf16 product 8192^3, TFLOP/s", "100"},
                     {kMultiprocessorsKey, "100"},
                     {kCopyKey, "1000"}};
  return race;
}

struct RacedRow {
  const char* rung;
  std::int64_t n, d, heads;
  double ms;
};

RaceRow raced(const RacedRow& a) {
  RaceRow row;
  row.rung = row.contender = a.rung;
  row.n = a.n, row.d = a.d, row.heads = a.heads, row.batch = 1;
  row.ms = {a.ms, a.ms, a.ms};
  return row;
}

RaceModel raced_page(const RacedRow& a) {
  Race race = round_race();
  race.rows = {raced(a)};
  Races controller;
  controller.recorded = std::make_shared<const Race>(std::move(race));
  controller.choice = {.source = RaceSource::Recorded, .n = a.n, .d = a.d};
  return build_race_model(controller, false);
}

// Its times and its floor: "1.16× bytes of S 8.59 ms".
std::string over_floor(const RaceModel& m) {
  const auto at = std::find(m.table_heads.begin(), m.table_heads.end(), "× its floor");
  REQUIRE(at != m.table_heads.end());
  const auto column = std::size_t(at - m.table_heads.begin());
  return m.table.front().cells[column] + " " + m.table.front().cells[column + 1];
}

}  // namespace

TEST_CASE("the highest floor is given with its parts and its time") {
  // For 16 heads of 8192 rows, d 64: S is 2 GiB and four transfers of it take 8.59 ms, FLOPs take 2.75 ms, exponentials
  // 0.67 ms, all tensors 67 µs. At d 8 FLOPs take 0.34 ms. 1024 heads of 128 rows: 67 µs for bytes, 43 µs for FLOPs.
  const auto [asked, words, cell] = GENERATE(table<RacedRow, std::string, std::string>(
      {{{"naive", 8192, 64, 16, 10},
        "Naive, cuBLAS, 10.0 ms: S and P, 2.00 GiB each, cross HBM 4 times in all: 8.59 ms of it.",
        "1.16× bytes of S"},
       {{"naive", 1024, 64, 64, 0.5},
        "Naive, cuBLAS, 0.500 ms: products at the 100 TFLOP/s of this run: 0.172 ms of it. S and P, 128 MiB each, set "
        "no "
        "floor: the L2 cache may serve a part of their bytes.",
        "2.91× products"},
       {{"flash_v3", 8192, 64, 16, 4.125},
        "FA-3 by Tilewalk, 4.12 ms: products at the 100 TFLOP/s of this run: 2.75 ms of it.",
        "1.50× products"},
       {{"flash_v2", 8192, 8, 16, 1},
        "FA-2 by Tilewalk, 1.00 ms: exponentials, 16 a cycle and SM at 1 GHz: 0.671 ms of it.",
        "1.49× exponentials"},
       {{"flash_v2", 128, 64, 1024, 0.1},
        "FA-2 by Tilewalk, 0.100 ms: all tensors, 64.0 MiB, cross HBM once: 67.1 µs of it.",
        "1.49× bytes"}}));
  const RaceModel m = raced_page(asked);
  REQUIRE(m.reasons.size() == 1);
  CHECK(m.reasons.front() == words);
  CHECK(over_floor(m).starts_with(cell));
}

TEST_CASE("the bytes of a backward pass include all gradients once") {
  Race race = round_race();
  RaceRow row = raced({"flash_v2", 128, 64, 1024, 1});
  row.pass = "backward";
  CHECK(highest_floor_text(race, row) == "all tensors, 128 MiB, cross HBM once: 0.134 ms of it");
}

TEST_CASE("a sentence says that FA-1 leaves multiprocessors idle where it has fewer heads, and only there") {
  const RaceModel few = raced_page({"flash_v1", 8192, 64, 16, 20});
  REQUIRE(few.reasons.size() == 1);
  CHECK(few.reasons.front() ==
        "FA-1 by Tilewalk, 20.0 ms: FA-1 has one thread block a head: 16 thread blocks on 100 SMs, so 84 have nothing "
        "to do.");
  const std::string why = "FA-1 has one thread block a head: 16 thread blocks on 100 SMs, so 84 have nothing to do";
  CHECK(few.bars.front().detail.find(why) != std::string::npos);

  const RaceModel enough = raced_page({"flash_v1", 8192, 64, 100, 40});
  REQUIRE(enough.reasons.size() == 1);
  CHECK(enough.reasons.front() == "FA-1 by Tilewalk, 40.0 ms: products at the 100 TFLOP/s of this run: 17.2 ms of it.");
  CHECK(enough.bars.front().detail.find("nothing to do") == std::string::npos);

  CHECK(raced_page({"flash_v2", 8192, 64, 16, 20}).reasons.front().find("thread block") == std::string::npos);
}

TEST_CASE("other packages' kernels, rows without a figure and rows below their floor get no reason") {
  CHECK(raced_page({"torch_flash", 8192, 64, 16, 4}).reasons.empty());
  const RaceModel below = raced_page({"flash_v3", 8192, 64, 16, 2});  // its floor is 2.75 ms
  CHECK(below.reasons == std::vector<std::string>{"The ceiling is what one large product reaches, not the chip's own "
                                                  "limit: a row may pass it."});
  Race race = round_race();
  race.rows = {raced({"flash_v2", 8192, 64, 16, 4}), raced({"flash_v3", 8192, 64, 16, 4})};
  race.rows[0].ms = {4, 40, 400};
  Races controller;
  controller.recorded = std::make_shared<const Race>(std::move(race));
  controller.choice.source = RaceSource::Recorded;
  const RaceModel m = build_race_model(controller, false);
  REQUIRE(m.bars.size() == 2);
  REQUIRE(m.reasons.size() == 1);
  CHECK(m.reasons.front().starts_with("FA-3 by Tilewalk"));
}

TEST_CASE("a race without recorded rates has no floor") {
  Race race = round_race();
  race.provenance.clear();
  const RaceRow row = raced({"naive", 8192, 64, 16, 10});
  CHECK(highest_floor_text(race, row).empty());
  CHECK(std::string(highest_floor_word(race, row)).empty());
  CHECK(why_slow(race, raced({"flash_v1", 8192, 64, 16, 10})).empty());
}
