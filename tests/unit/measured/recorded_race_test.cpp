#include "measured/recorded_race.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const std::string kGoodRace =
    "# date: 2026-01-01\npass,contender,dtype,d,heads,batch,n,causal,sample,ms\n"
    "forward,flash_v2 128x64,bf16,64,2,1,1000,1,0,2.0\nforward,flash_v2 128x64,bf16,64,2,1,1000,1,1,4.0\n"
    "forward,\"flash_v2 128x64, no overlap\",bf16,64,2,1,1000,1,0,9.0\n"
    "forward,flash_v2 64x64,bf16,64,2,1,1000,1,0,7.0\n"
    "forward,naive cuBLAS and softmax,bf16,64,2,1,1000,1,0,12.0\n";

Race shipped(const std::string& file) {
  Result<Race> race = load_recorded_race(std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/" + file);
  INFO((race ? std::string() : text_of(race.issues())));
  REQUIRE(race.ok());
  return std::move(*race);
}

}  // namespace

TEST_CASE("samples of a cell are collected under their contender, and variants stay out of the race") {
  const Result<Race> race = parse_recorded_race(kGoodRace, "r.csv");
  REQUIRE(race.ok());
  REQUIRE(race->rows.size() == 2);
  const RaceRow& row = race->rows[0];
  CHECK(row.rung == "flash_v2");
  CHECK(row.median_ms() == 3.0);
  CHECK(row.smallest_ms() == 2.0);
  CHECK(row.largest_ms() == 4.0);
  CHECK(row.tflops() == Approx(0.5 * 4 * 1000.0 * 1000 * 64 * 2 / 3e9));
  REQUIRE(race->beside(row, Contender::Naive));
  CHECK(race->beside(row, Contender::Naive)->median_ms() == 12.0);
  CHECK(race->beside(row, Contender::TorchFlash) == nullptr);
  CHECK(race->provenance.at("date") == "2026-01-01");
}

TEST_CASE("a damaged race is refused with its line") {
  const auto refused = [](const std::string& from, const std::string& to, const std::string& names) {
    std::string text = kGoodRace;
    text.replace(text.find(from), from.size(), to);
    const Result<Race> race = parse_recorded_race(text, "r.csv");
    REQUIRE_FALSE(race.ok());
    CHECK(text_of(race.issues()).find(names) != std::string::npos);
  };
  refused("contender", "who", "line 2");
  refused("1000,1,0,2.0", "1000,1,0,-2.0", "line 3");
  refused("1000,1,0,2.0", "1000,1,0", "line 3");
  refused("1000,1,1,4.0", "1000,7,1,4.0", "line 4");
  refused("1000,1,0,2.0", "0,1,0,2.0", "n, heads and batch must be from 1 to 2^32");
  refused("2,1,1000,1,0,2.0", "9999999999,1,1000,1,0,2.0", "n, heads and batch must be from 1 to 2^32");
  refused("64,2,1,1000,1,0,2.0", "0,2,1,1000,1,0,2.0", "d must be from 1 to 1,024");
  refused("bf16,64,2,1,1000,1,0,2.0", "fp99,64,2,1,1000,1,0,2.0", "dtype must be fp32, bf16 or fp16");
  refused("forward,flash_v2 128x64,bf16", "sideways,flash_v2 128x64,bf16", "pass must be forward or backward");
  refused("1000,1,0,2.0", "1000,1,0,1e30", "at most 1e9");
  refused("64,2,1,1000,1,0,2.0", "64,4294967296,4294967296,1000,1,0,2.0", "needs more FLOPs than 2^63");
}

TEST_CASE("a row has times or a reason without times, in either order") {
  const std::string head = "pass,contender,dtype,d,heads,batch,n,causal,sample,ms\n";
  const std::string row = "forward,naive,fp16,64,1,1,8,0";
  const std::string times = row + ",0,2.0\n", remark = "# row " + row + ": refused no room\n";
  for (const std::string& text : {head + times + remark, remark + head + times}) {
    const Result<Race> race = parse_recorded_race(text, "r.csv");
    REQUIRE_FALSE(race.ok());
    CHECK(text_of(race.issues()).find("has times for a row that was not run") != std::string::npos);
  }
  CHECK(parse_recorded_race(head + times, "r.csv").ok());
  CHECK(parse_recorded_race(remark + head, "r.csv").ok());
}

TEST_CASE("in the shipped race flash_v2 is never slower than PyTorch's FLASH, and flash_v3 beats cuDNN from 2k on") {
  const Race race = shipped("fast_forward_h200_2026-11-23.csv");
  int pairs = 0, steps = 0;
  for (const RaceRow& row : race.rows) {
    if (row.n > 16384) continue;  // fewer samples; they show which sizes still fit
    INFO(row.rung << " N " << row.n << " d " << row.d << (row.causal ? " causal" : ""));
    REQUIRE(row.ms.size() == 25);
    if (row.rung == "flash_v2") {
      REQUIRE(race.beside(row, Contender::TorchFlash));
      CHECK(row.median_ms() <= race.beside(row, Contender::TorchFlash)->median_ms());
      ++pairs;
    }
    if (row.rung == "flash_v3" && row.n >= 2048) {
      REQUIRE(race.beside(row, Contender::TorchCudnn));
      CHECK(row.median_ms() <= race.beside(row, Contender::TorchCudnn)->median_ms());
      ++pairs;
    }
    if (row.rung == "flash_v1") {  // must show the gain of FA-2's changes
      REQUIRE(race.beside(row, Contender::FlashV2));
      CHECK(row.median_ms() > 1.5 * race.beside(row, Contender::FlashV2)->median_ms());
      ++steps;
    }
  }
  CHECK(pairs == 36);
  CHECK(steps == 20);
}

TEST_CASE("at head size 256 every kernel ran, flash_v3 beats cuDNN from 2k on and the backward pass beats FLASH") {
  const Race forward = shipped("head_256_forward_h200_2026-11-23.csv");
  int cells = 0;
  for (const RaceRow& row : forward.rows) {
    INFO(row.rung << " N " << row.n << (row.causal ? " causal" : ""));
    REQUIRE(row.d == 256);
    REQUIRE(row.ms.size() == 25);
    if (row.rung != "flash_v3") continue;
    for (const Contender who : {Contender::Naive, Contender::FlashV1, Contender::FlashV2})
      CHECK(forward.beside(row, who));
    REQUIRE(forward.beside(row, Contender::TorchCudnn));
    if (row.n >= 2048) CHECK(row.median_ms() <= forward.beside(row, Contender::TorchCudnn)->median_ms());
    ++cells;
  }
  CHECK(cells == 10);
  const Race backward = shipped("head_256_backward_h200_2026-11-23.csv");
  for (const RaceRow& row : backward.rows) {
    if (row.rung != "flash_v2") continue;
    REQUIRE(backward.beside(row, Contender::TorchFlash));
    CHECK(row.median_ms() <= backward.beside(row, Contender::TorchFlash)->median_ms());
    ++cells;
  }
  CHECK(cells == 20);
}

TEST_CASE("in the shipped race flash_v2's backward pass is never slower than 0.9 of PyTorch's FLASH") {
  const Race race = shipped("fast_backward_h200_2026-11-23.csv");
  int pairs = 0;
  for (const RaceRow& row : race.rows) {
    if (row.rung != "flash_v2") continue;
    INFO("N " << row.n << " d " << row.d << (row.causal ? " causal" : ""));
    REQUIRE(race.beside(row, Contender::TorchFlash));
    CHECK(0.9 * row.median_ms() <= race.beside(row, Contender::TorchFlash)->median_ms());
    ++pairs;
  }
  CHECK(pairs == 20);
}

TEST_CASE(
    "a race of more rows than are read, letters that do not show and too many remarks are refused with the limit") {
  const auto refusal = [](const std::string& text) {
    const Result<Race> race = parse_recorded_race(text, "r.csv");
    return race ? "accepted" : text_of(race.issues());
  };
  const std::string head = "pass,contender,dtype,d,heads,batch,n,causal,sample,ms\n";
  std::string rows = head, remarks;
  for (int n = 1; n <= 40'000; ++n) rows += "forward,naive,bf16,64,2,1," + std::to_string(n) + ",1,0,2.0\n";
  for (int i = 0; i < 2000; ++i) remarks += "# key " + std::to_string(i) + ": x\n";
  CHECK(refusal(rows).find("4,096 rows") != std::string::npos);
  CHECK(refusal(remarks + kGoodRace).find("1,000 remarks") != std::string::npos);
  CHECK(refusal(head + std::string(1'000'000, ',')).find("must have 10 fields") != std::string::npos);
  CHECK(refusal("# date: \x1b[2J\n" + kGoodRace).find("line 1") != std::string::npos);
}

TEST_CASE(
    "the shipped race has head size 256 in both passes, and no row is faster than its floors, but for two that pass "
    "the product rate") {
  const Race race = *load_shipped_race(TILEWALK_SOURCE_DIR);
  int forward = 0, backward = 0;
  for (const RaceRow& row : race.rows) {
    INFO(row.contender << " " << row.pass << " N " << row.n << " d " << row.d << (row.causal ? " causal" : ""));
    if (row.d == 256) ++(row.pass == "forward" ? forward : backward);
    if (const auto times = race.times_the_floor(row))
      CHECK(*times > (row.d == 256 && row.rung == "flash_v3" ? 0.96 : 1));
  }
  CHECK(forward > 60);
  CHECK(backward == 20);
}
