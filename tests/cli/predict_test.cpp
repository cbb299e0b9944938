// tilewalk predict: its keys, what it refuses, and that its text tells what its JSON tells.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;

namespace {

nlohmann::json prediction_of(const std::string& words) {
  const test::Said said = tilewalk_says("predict " + words + " --json");
  CAPTURE(words, said.err);
  REQUIRE(said.exit == 0);
  return nlohmann::json::parse(said.out);
}

constexpr const char* kRowKeys[] = {"contender",
                                    "n",
                                    "d",
                                    "heads",
                                    "batch",
                                    "causal",
                                    "dtype",
                                    "flops",
                                    "hbm_bytes",
                                    "dram_bytes",
                                    "intensity",
                                    "floor_bytes_ms",
                                    "floor_flops_ms",
                                    "floor_exp_ms",
                                    "roofline_ms",
                                    "paper_ms",
                                    "predicted_ms",
                                    "recorded_ms",
                                    "error",
                                    "vs_eager",
                                    "vs_naive",
                                    "note"};

}  // namespace

TEST_CASE("predict has its keys, a row for each method, and the recording with its error", "[unit]") {
  const nlohmann::json out = prediction_of("--n 8192 --batch 2");
  CHECK(out.contains("device"));
  CHECK(out.contains("ceilings"));
  for (const auto& row : out.at("rows"))
    for (const char* key : kRowKeys) {
      CAPTURE(row.at("contender").dump(), key);
      CHECK(row.contains(key));
    }
  bool held = false;
  for (const auto& row : out.at("rows")) {
    if (row.at("contender") != "flash_v2") continue;
    held = true;
    CHECK(row.at("error").get<double>() ==
          Approx(row.at("predicted_ms").get<double>() / row.at("recorded_ms").get<double>() - 1));
  }
  CHECK(held);
}

TEST_CASE("the text of predict tells the times of its JSON", "[unit]") {
  for (const char* words : {"--n 8192 --batch 2", "--n 4096 --bandwidth 900 --peak 120 --dtype fp16"}) {
    const test::Said said = tilewalk_says(std::string("predict ") + words);
    REQUIRE(said.exit == 0);
    const nlohmann::json out = prediction_of(words);
    for (const auto& row : out.at("rows")) {
      if (row.at("predicted_ms").is_null()) continue;
      const double ms = row.at("predicted_ms");
      const std::string text = fmt::format("{:.{}f} ms", ms, ms < 10 ? 2 : ms < 100 ? 1 : 0);
      CAPTURE(words, row.at("contender").dump(), text);
      CHECK(said.out.find(text) != std::string::npos);
    }
  }
}

TEST_CASE("predict refuses what it cannot read, by name", "[unit]") {
  const auto refused = [](const std::string& words, const std::string& part) {
    const test::Said said = tilewalk_says("predict " + words);
    CAPTURE(words, said.err);
    CHECK(said.exit == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find(part) != std::string::npos);
  };
  refused("--n x", "n = x");
  refused("--n -5", "n = -5");
  refused("--device z", "device = z");
  refused("--bandwidth 0", "bandwidth = 0");
  refused("--mask window:3:0", "mask = window:3:0");
  refused("--heads 8 --kv-heads 3", "kv-heads = 3");
  refused("--dtype fp8", "dtype = fp8");
  std::string many = "1";
  for (int d = 2; d <= 2000; ++d) many += "," + std::to_string(d);
  refused("--d " + many, "makes more than 4096 calls");  // the lengths are its own
}
