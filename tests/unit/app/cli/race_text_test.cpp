#include "app/cli/text/race_json.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

RaceRow race_row(const std::string& rung, std::vector<double> ms) {
  RaceRow row;
  row.rung = row.contender = rung;
  row.dtype = "fp32";
  row.n = 1000, row.d = 50, row.heads = 5, row.batch = 1;  // 1 GFLOP
  row.ms = std::move(ms);
  return row;
}

SourcedRace cpu_race() {
  SourcedRace out{RaceSource::Cpu, {}};
  out.race.provenance = {{"fp32 multiply-adds, TFLOP/s", "0.16"}};
  out.race.rows = {race_row("cpu_naive", {20}), race_row("cpu_tiled", {10}), race_row("cpu_tiled", {10})};
  out.race.rows[1].peaks_at_clock = {0.125};
  out.race.rows[1].flops_done = 1.1e9;
  return out;
}

}  // namespace

TEST_CASE("a CPU's table has both shares, a dot where one is missing, and names what they are of") {
  SourcedRace from = cpu_race();
  const std::string text = race_text(from);
  INFO(text);
  CHECK(text.find("of peak  at clock") != std::string::npos);
  CHECK(text.find("0.100     62 %      88 %") != std::string::npos);  // 0.1 of 0.16; 0.11 of 0.125
  CHECK(text.find("0.050     31 %         ·") != std::string::npos);
  CHECK(text.find("after a rest: 0.160 TFLOP/s") != std::string::npos);
  CHECK(text.find("dense vector work: 0.125 TFLOP/s") != std::string::npos);
  from.race.rows[2].peaks_at_clock = {0.13};
  from.race.rows[2].flops_done = 1e9;
  CHECK(race_text(from).find("dense vector work: 0.125 to 0.130 TFLOP/s") != std::string::npos);
}

TEST_CASE("a race without that peak has no column for it, and null in JSON") {
  SourcedRace from = cpu_race();
  from.race.rows[1].peaks_at_clock.clear();
  CHECK(race_text(from).find("at clock") == std::string::npos);
  CHECK(races_json({from})["rows"][1]["share_at_clock"].is_null());
  const Json row = races_json({cpu_race()})["rows"][1];
  CHECK(row["share_at_clock"].get<double>() == Approx(0.88));
  CHECK(row["peak_at_clock_tflops"] == 0.125);
  CHECK(row["flops_done"] == 1.1e9);
}
