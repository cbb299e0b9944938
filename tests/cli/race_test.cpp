// tilewalk race: keys, refusals, files. Times are not checked: rows may say "not quiet" on this machine.
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "measured/recorded_race.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

Json race_json(const std::string& words) {
  const test::Said said = tilewalk_says(words + " --json");
  CAPTURE(words, said.err);
  REQUIRE(said.exit == 0);
  return Json::parse(said.out);
}

void race_refused(const std::string& words, const std::string& part, int exit = 2) {
  const test::Said said = tilewalk_says(words);
  CAPTURE(words, said.err);
  CHECK(said.exit == exit);
  CHECK(said.out.empty());
  CHECK(said.err.find(part) != std::string::npos);
}

constexpr const char* kKeys[] = {"rung",
                                 "pass",
                                 "n",
                                 "d",
                                 "heads",
                                 "batch",
                                 "causal",
                                 "dtype",
                                 "ms_median",
                                 "ms_min",
                                 "ms_max",
                                 "tflops",
                                 "share_of_peak",
                                 "extra_bytes",
                                 "floor_ms",
                                 "times_floor",
                                 "processor_share",
                                 "share_at_clock",
                                 "peak_at_clock_tflops",
                                 "flops_done",
                                 "vs_naive",
                                 "vs_torch_flash",
                                 "vs_torch_cudnn"};

// A race on this processor, run once: its JSON and its table.
struct CpuRace {
  Json json;
  std::string table;
};

const CpuRace& cpu_race() {
  static const CpuRace race = [] {
    test::TemporaryFolder folder;
    const std::string csv = folder.file("race.csv");
    Json json = race_json("race --cpu --n 64,96 --d 16 --threads 1 --csv '" + csv + "'");
    return CpuRace{std::move(json), test::read_text(csv)};
  }();
  return race;
}

// Every key of nested objects, once.
void keys_in(const Json& json, std::set<std::string>& out) {
  if (json.is_object())
    for (const auto& [key, value] : json.items()) out.insert(key), keys_in(value, out);
  if (json.is_array())
    for (const Json& value : json) keys_in(value, out);
}

}  // namespace

TEST_CASE("the race's README lists every key of the race's JSON") {
  std::set<std::string> keys;
  keys_in(race_json("race --recorded"), keys);
  keys_in(cpu_race().json, keys);
  CHECK(keys.size() > 30);
  std::ifstream file(TILEWALK_SOURCE_DIR "/kernels/race/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& key : keys) {
    CAPTURE(key);
    CHECK(readme.find('`' + key + '`') != std::string::npos);
  }
}

TEST_CASE("the recorded race has every promised key, and says that it is recorded") {
  const Json json = race_json("race --recorded");
  CHECK(json["against"] == "recorded");
  CHECK(json["machine"].get<std::string>().find("NVIDIA H200") == 0);
  CHECK(json["date"].get<std::string>().starts_with("2026-"));
  CHECK(json["ceilings"]["matmul_tflops"].get<double>() > 500);
  CHECK(json["ceilings"]["copy_gb_per_s"].get<double>() > 3000);
  REQUIRE(json["rows"].size() > 100);
  int with_all = 0, out_of_memory = 0;
  for (const Json& row : json["rows"]) {
    for (const char* key : kKeys) {
      CAPTURE(key);
      CHECK(row.contains(key));
    }
    if (row["outcome"] != "measured") {  // naive's scores at the longest N
      CHECK(row["outcome"] == "out of memory");
      CHECK((row["rung"] == "naive" || row["rung"] == "eager"));
      CHECK(row["ms_median"].is_null());
      CHECK_FALSE(row["note"].get<std::string>().empty());
      ++out_of_memory;
      continue;
    }
    with_all += row["vs_torch_flash"].is_number() && row["vs_torch_cudnn"].is_number() && row["vs_naive"].is_number();
    CHECK(row["ms_min"].get<double>() <= row["ms_median"].get<double>());
    CHECK(row["ms_median"].get<double>() <= row["ms_max"].get<double>());
    CHECK(row["share_of_peak"].get<double>() <= 1);
    CHECK(row["floor_ms"]["bytes"].get<double>() > 0);
    CHECK(row["floor_ms"]["exponentials"].get<double>() > 0);
    CHECK(row["times_floor"].get<double>() >= 1);
    const double floor_ms = row["ms_median"].get<double>() / row["times_floor"].get<double>();
    for (const char* model : {"paper_ms", "predicted_ms"})
      if (row[model].is_number()) CHECK(row[model].get<double>() >= 0.999999 * floor_ms);
  }
  CHECK(with_all > 50);
  CHECK(out_of_memory > 0);
  CHECK(tilewalk_says("race --recorded").out.find("RECORDED, not run here: NVIDIA H200") == 0);
}

TEST_CASE("flags select among the recorded rows, and a message says if none is left") {
  const Json json = race_json("race --recorded --n 4096,8192 --d 128 --causal on --pass forward");
  CHECK(json["rows"].size() >= 12);
  for (const Json& row : json["rows"]) {
    CHECK((row["n"] == 4096 || row["n"] == 8192));
    CHECK(row["d"] == 128);
    CHECK(row["causal"] == true);
    CHECK(row["pass"] == "forward");
  }
  race_refused("race --recorded --n 5000", "no row");
}

TEST_CASE("the CPU's race runs here, with every promised key and its own ceilings") {
  const Json& json = cpu_race().json;
  CHECK(json["against"] == "cpu");
  CHECK(json["races"][0]["blas"].get<std::string>().find("OpenBLAS") == 0);
  CHECK(json["races"][0]["blas_warning"].is_string());
  if (json["races"][0]["left_out"] == "") {  // otherwise other programs ran here, and the race says so
    CHECK(json["ceilings"]["matmul_tflops"].get<double>() > 0);
    CHECK(json["ceilings"]["copy_gb_per_s"].get<double>() > 0);
    CHECK(json["ceilings"]["matmul"] == "fp32 multiply-adds");
  }
  REQUIRE(json["rows"].size() == 8);
  int naive = 0;
  for (const Json& row : json["rows"]) {
    for (const char* key : kKeys) {
      CAPTURE(key);
      CHECK(row.contains(key));
    }
    CAPTURE(row.dump());
    CHECK((row["outcome"] == "measured" || row["outcome"] == "not quiet"));
    CHECK(row["ms_median"].is_number() == (row["outcome"] == "measured"));
    CHECK(row["samples"].get<int>() >= 5);
    CHECK(row["extra_bytes"].get<std::int64_t>() > 0);
    CHECK(row["processor_share"].get<double>() > 0);
    CHECK(row["vs_torch_flash"].is_null());
    CHECK(row["peak_at_clock_tflops"].is_number() == (row["rung"] == "cpu_tiled"));
    CHECK(row["flops_done"].is_number() == (row["rung"] == "cpu_tiled"));
    CHECK(row["share_at_clock"].is_number() == (row["rung"] == "cpu_tiled" && row["outcome"] == "measured"));
    naive += row["rung"] == "cpu_naive";
  }
  CHECK(naive == 4);
  // The file contains the same race, and the reader of recorded races reads it.
  const Result<Race> kept = parse_recorded_race(cpu_race().table, "race.csv");
  REQUIRE(kept.ok());
  REQUIRE(kept->rows.size() == 8);
  CHECK(kept->machine() == json["machine"].get<std::string>());
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(kept->rows[i].rung == json["rows"][i]["rung"].get<std::string>());
    CHECK(kept->rows[i].ms.size() == json["rows"][i]["samples"].get<std::size_t>());
    CHECK(kept->rows[i].flops_done.has_value() == json["rows"][i]["flops_done"].is_number());
    CHECK(kept->rows[i].peaks_at_clock.empty() == json["rows"][i]["peak_at_clock_tflops"].is_null());
    CHECK(kept->rows[i].extra_bytes == json["rows"][i]["extra_bytes"].get<std::int64_t>());
  }
}

TEST_CASE("an impossible race is refused with a sentence, before anything runs") {
  race_refused("race --n 0", "n = 0");
  race_refused("race --n abc", "n = abc");
  race_refused("race --n -5", "n = -5");
  race_refused("race --n 1024,,2048", "n = nothing");
  race_refused("race --cpu --n 1048576", "TFLOP for one run");
  race_refused("race --n 99999999999999999999", "whole number");
  race_refused("race --cpu --d 1000", "d = 1000");
  race_refused("race --cpu --threads 0", "threads = 0");
  race_refused("race --cpu --dtype fp8", "fp32 or bf16");
  race_refused("race --cpu --causal maybe", "on, off or both");
  race_refused("race --cpu --pass backward", "backward");
  race_refused("race --cpu --gpu", "one of");
  race_refused("race --recorded --csv x.csv", "csv");
  race_refused("race --cpu --n 64 --d 16 --csv /nonexistent/x.csv", "/nonexistent");
}

#ifndef __SANITIZE_ADDRESS__  // it needs terabytes of address space
// OpenBLAS starts threads when it is loaded, which never end without room for their buffers.
TEST_CASE("under a memory limit every verb ends, and a race says that there is no room for it") {
  for (const char* limit : {"150000", "200000", "250000"}) {
    const std::string before = "ulimit -v " + std::string(limit) + "; timeout 60";
    CAPTURE(limit);
    CHECK(tilewalk_says("--version", before).exit == 0);
    CHECK(tilewalk_says("replay --n 4 --d 4", before).exit == 0);
    const test::Said race = tilewalk_says("race --cpu --n 64 --d 16 --threads 1", before);
    CAPTURE(race.err);
    CHECK((race.exit == 2 || race.exit == 3));
    CHECK_FALSE(race.err.empty());
  }
}
#endif

TEST_CASE("a GPU's race without a GPU exits 3 and says what runs instead") {
  const test::Said said = tilewalk_says("race --gpu --n 1024 --d 64");
  if (said.exit == 0) return test::skip("there is a GPU here");
  CHECK(said.exit == 3);
  CHECK(said.out.empty());
  CHECK(said.err.find("race --cpu") != std::string::npos);
}

TEST_CASE("devices print what each fast kernel needs") {
  const Json json = race_json("devices");
  REQUIRE(json["fast_rungs"].size() >= 3);
  for (const Json& rung : json["fast_rungs"]) {
    CHECK(rung["needs"].is_string());
    CHECK(rung["runs"].is_boolean());
    CHECK(rung["missing"].get<std::string>().empty() == rung["runs"].get<bool>());
  }
}
