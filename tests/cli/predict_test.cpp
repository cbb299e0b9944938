// tilewalk predict: its keys, its refusals, and that text and JSON agree.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
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
                                    "n_kv",
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

TEST_CASE("predict, which and counters --against give one speed-up of a call, and name the pair that has it") {
  for (const std::string device : {"h200", "a100"}) {
    const std::string call = " --batch 2 --heads 32 --d 64 --device " + device;
    const std::string predict = tilewalk_says("predict --n 8192" + call).out,
                      which = tilewalk_says("which --n-q 8192" + call).out,
                      counters = tilewalk_says(
                                     "counters --n 8192 --schedule flash_v2 --against standard --dtype bf16 "
                                     "--mask none --br 128 --bc 64 --sram 1048576" +
                                     call)
                                     .out;
    CAPTURE(predict, which, counters);
    const std::size_t at = predict.find(" as fast as naive, ");
    REQUIRE(at != std::string::npos);
    const std::size_t line = predict.rfind('\n', at) + 1;
    const std::string words = predict.substr(line, predict.find('\n', at) - line);
    const std::string figure = words.substr(2, words.find(" as fast") - 2);
    const std::string fast = device == "h200" ? "FA-3 by Tilewalk" : "FA-2 by Tilewalk";
    CHECK(words.find(": the fastest here, " + fast + ", takes ") != std::string::npos);
    if (device == "h200") {  // the kernel that runs is cuDNN's: its figure first, then the fastest one here
      const std::size_t cudnn = words.find("PyTorch cuDNN: ") + 15;
      const std::string runs = words.substr(cudnn, words.size() - 1 - cudnn);
      CHECK(which.find("\n" + runs + " as fast as naive, recorded: PyTorch's default, cuDNN, takes ") !=
            std::string::npos);
      CHECK(which.find(" The fastest here, " + fast + ": " + figure + ".") != std::string::npos);
    } else {
      CHECK(which.find("\n" + figure + " as fast as naive, predicted: " + fast) != std::string::npos);
    }
    const bool named = counters.find(" The fastest here, FA-3 by Tilewalk: " + figure + ".") != std::string::npos;
    CHECK(named == (device == "h200"));  // on an A100 FA-2 beside naive is that pair
  }
}

TEST_CASE("a GPU without figures of its own is predicted by another's, and one sentence on stderr says whose") {
  for (const char* verb : {"predict --n 4096 --json ", "which --json ", "counters --json "}) {
    const test::Said other = tilewalk_says(std::string(verb) + "--device 3070");
    const test::Said own = tilewalk_says(std::string(verb) + "--device rtx3080");
    CAPTURE(verb, other.err, own.err);
    CHECK(other.exit == 0);
    CHECK(other.err.find("GeForce RTX 3070 has no figures of its own") != std::string::npos);
    CHECK(other.err.find("those of the GeForce RTX 3080") != std::string::npos);
    CHECK(own.exit == 0);
    CHECK(own.err.empty());
  }
  for (const char* verb : {"predict ", "which ", "counters "})
    CHECK(tilewalk_says(std::string(verb) + "--device mi300x").err.find("is a GPU of AMD") != std::string::npos);
}

TEST_CASE("predict has its keys, a row for each method, and the recorded time with its error", "[unit]") {
  const nlohmann::json out = prediction_of("--n 8192 --batch 2");
  CHECK(out.contains("device"));
  CHECK(out.contains("ceilings"));
  for (const auto& row : out.at("rows"))
    for (const char* key : kRowKeys) {
      CAPTURE(row.at("contender").dump(), key);
      CHECK(row.contains(key));
    }
  bool checked = false;
  for (const auto& row : out.at("rows")) {
    if (row.at("contender") != "flash_v2") continue;
    checked = true;
    CHECK(row.at("error").get<double>() ==
          Approx(row.at("predicted_ms").get<double>() / row.at("recorded_ms").get<double>() - 1));
  }
  CHECK(checked);
}

TEST_CASE("predict takes keys of another length than Q, as in decoding", "[unit]") {
  const std::string heads = " --d 128 --heads 32 --kv-heads 4 --batch 8";
  const nlohmann::json out = prediction_of("--n 1 --n-kv 8192,65536" + heads);
  REQUIRE(out.at("rows").size() == 14);
  std::map<std::int64_t, double> ms_of_keys;  // FA-3
  for (const auto& row : out.at("rows")) {
    CAPTURE(row.dump());
    CHECK(row.at("n") == 1);
    CHECK(row.at("recorded_ms").is_null());
    CHECK(row.at("paper_ms").is_null());
    const std::string who = row.at("contender");
    const bool tiled = who.starts_with("flash") && !who.ends_with("backward");
    CHECK(row.at("predicted_ms").is_null() != tiled);
    CHECK((tiled || !row.at("note").is_null()));
    if (who == "flash_v3") ms_of_keys[row.at("n_kv")] = row.at("predicted_ms");
  }
  REQUIRE(ms_of_keys.size() == 2);
  const double bytes = 2.0 * 65536 * 128 * 2 * 4 * 8;  // K and V
  CHECK(ms_of_keys.at(65536) > bytes / 4.9e9);
  CHECK(ms_of_keys.at(65536) < bytes / 3.8e9);
  CHECK(ms_of_keys.at(65536) > 5 * ms_of_keys.at(8192));
  const nlohmann::json unequal = prediction_of("--n 1024 --n-kv 4096");
  for (const auto& row : unequal.at("rows"))
    CHECK(row.at("predicted_ms").is_null() == std::string(row.at("contender")).ends_with("backward"));
  CHECK(prediction_of("--n 4096 --n-kv 4096").at("rows") == prediction_of("--n 4096").at("rows"));
  const std::string text = tilewalk_says("predict --n 16 --n-kv 8192" + heads).out;
  CHECK(text.find("16 rows of Q · 8,192 keys · d 128") != std::string::npos);
}

TEST_CASE("predict says what limits the fastest kernel, as the roofline's page does", "[unit]") {
  for (const auto& [device, fastest] : {std::pair{"h200", "FA-3"}, {"a100", "FA-2"}}) {
    const std::string text = tilewalk_says(std::string("predict --n 8192 --device ") + device).out;
    CHECK(text.find(std::string("The limit of ") + fastest + " is ") != std::string::npos);
    CHECK(text.find("The limit of ") == text.rfind("The limit of "));
  }
}

TEST_CASE("the text of predict has the times of its JSON", "[unit]") {
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

TEST_CASE("each speed-up in the table of predict says whether its two times are predicted or recorded") {
  const test::Said said = tilewalk_says("predict --n 8192 --batch 2");
  REQUIRE(said.exit == 0);
  const nlohmann::json out = prediction_of("--n 8192 --batch 2");
  int predicted = 0, recorded = 0;
  for (const auto& row : out.at("rows")) {
    if (row.at("vs_naive").is_null()) continue;
    CAPTURE(row.at("contender").dump());
    const bool by_model = !row.at("predicted_ms").is_null();
    by_model ? ++predicted : ++recorded;
    const double times = row.at("vs_naive");
    const std::string figure =
        fmt::format("{:.{}f}× {}\n", times, times < 10 ? 1 : 0, by_model ? "predicted" : "recorded");
    CHECK(said.out.find(figure) != std::string::npos);
  }
  CHECK(predicted >= 3);
  CHECK(recorded >= 3);
  CHECK(said.out.find("both predicted") == std::string::npos);
}

TEST_CASE("predict refuses arguments that it cannot parse, by name", "[unit]") {
  const auto refused = [](const std::string& words, const std::string& part) {
    const test::Said said = tilewalk_says("predict " + words);
    CAPTURE(words, said.err);
    CHECK(said.exit == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find(part) != std::string::npos);
  };
  refused("--n 1 --n-kv 4096 --mask causal", "n-kv");
  refused("--n 1 --n-kv 0", "n-kv");
  refused("--n x", "n = x");
  refused("--n -5", "n = -5");
  refused("--device z", "device = z");
  refused("--bandwidth 0", "bandwidth = 0");
  refused("--mask window:3:0", "mask = window:3:0");
  refused("--heads 8 --kv-heads 3", "kv-heads = 3");
  refused("--dtype fp8", "dtype = fp8");
  std::string many = "1";
  for (int d = 2; d <= 2000; ++d) many += "," + std::to_string(d);
  refused("--d " + many, "makes more than 4096 calls");  // the verb has lengths of its own
}

namespace {

// The prediction before, with this measured machine in its home folder.
std::string before_with(const test::TemporaryFolder& home, const std::string& machine) {
  std::filesystem::create_directories(home.file("state/tilewalk"));
  test::write_text(home.file("state/tilewalk/machine.toml"), machine);
  return "XDG_STATE_HOME='" + home.file("state") + "'";
}

constexpr const char* kMachine =
    "date = \"2026-01-02\"\n[processor]\nname = \"Some CPU, AVX2\"\nthreads = 4\nread_gb_per_s = 20.0\n"
    "fp32_tflops = 0.25\nbf16_tflops = 0.0\ncache_bytes = 8388608\n";
constexpr const char* kRaced =
    "[[raced]]\nrung = \"cpu_naive\"\nn = 2048\nd = 64\nheads = 2\nms = [96.0, 100.0, 104.0]\n"
    "[[raced]]\nrung = \"cpu_tiled\"\nn = 2048\nd = 64\nheads = 2\nms = [40.0]\n";
constexpr const char* kCard =
    "[card]\nname = \"NVIDIA A100-SXM4-80GB\"\ncopy_gb_per_s = 1650.0\nproduct_tflops = 240.0\n";

}  // namespace

TEST_CASE("predict on a recorded processor has its roofs, its recorded rows and notes for a GPU's", "[unit]") {
  const nlohmann::json out = prediction_of("--device cpu --n 1024,16384");
  CHECK(out.at("device").at("name").get<std::string>().starts_with("cpu-"));
  CHECK(out.at("device").at("threads").get<int>() > 0);
  CHECK(out.at("device").at("date").get<std::string>().size() == 10);
  const double bytes = out.at("ceilings").at("bandwidth_gb_per_s").get<double>(),
               peak = out.at("ceilings").at("fp32_tflops").get<double>();
  int recorded = 0;
  for (const auto& row : out.at("rows")) {
    CAPTURE(row.dump());
    for (const char* key : kRowKeys) CHECK(row.contains(key));
    CHECK(row.contains("roofline_share"));
    CHECK(row.at("dtype") == "fp32");
    CHECK(row.at("predicted_ms").is_null());
    if (!row.at("contender").get<std::string>().starts_with("cpu_")) {
      CHECK(row.at("floor_bytes_ms").is_null());
      CHECK(row.at("recorded_ms").is_null());
      CHECK(row.at("note").get<std::string>().find("GPU") != std::string::npos);
      continue;
    }
    const double by_bytes = row.at("floor_bytes_ms"), by_products = row.at("floor_flops_ms");
    CHECK(by_bytes == Approx(row.at("dram_bytes").get<double>() / (bytes * 1e6)));
    CHECK(by_products == Approx(row.at("flops").get<double>() / (peak * 1e9)));
    CHECK(row.at("roofline_ms") == std::max(by_bytes, by_products));
    CHECK(row.at("binds") == (by_bytes >= by_products ? "bytes" : "products"));
    CHECK(row.at("floor_exp_ms").is_null());
    if (row.at("recorded_ms").is_null()) continue;
    ++recorded;
    CHECK(row.at("roofline_share") ==
          Approx(row.at("roofline_ms").get<double>() / row.at("recorded_ms").get<double>()));
    if (row.at("contender") == "cpu_naive") CHECK(row.at("vs_naive") == 1.0);
  }
  CHECK(recorded == 4);
  const test::Said text = tilewalk_says("predict --device cpu --n 16384");
  CHECK(text.exit == 0);
  for (const char* word :
       {"cpu_naive", "cpu_tiled", "The limit of cpu_tiled is the ", "Recorded: cpu_tiled takes", "GPU"})
    CHECK(text.out.find(word) != std::string::npos);
}

TEST_CASE("predict uses this machine's measurement, and says where there is none", "[unit]") {
  const test::TemporaryFolder home;
  const auto says = [&](const std::string& words, const std::string& machine) {
    return tilewalk_says("predict " + words, before_with(home, machine));
  };
  const test::Said cpu = says("--device your-cpu --n 2048 --json", kMachine);
  REQUIRE(cpu.exit == 0);
  const auto out = nlohmann::json::parse(cpu.out);
  CHECK(out.at("device").at("date") == "2026-01-02");
  CHECK(out.at("ceilings").at("bandwidth_gb_per_s") == 20.0);
  CHECK(out.at("rows").at(1).at("floor_flops_ms") == Approx(out.at("rows").at(1).at("flops").get<double>() / 0.25e9));
  for (const auto& row : out.at("rows")) CHECK(row.at("recorded_ms").is_null());
  const test::Said points = says("--device your-cpu --n 2048 --json", std::string(kMachine) + kRaced);
  REQUIRE(points.exit == 0);
  const auto raced = nlohmann::json::parse(points.out).at("rows");
  CHECK(raced.at(0).at("recorded_ms") == 100.0);
  CHECK(raced.at(1).at("recorded_ms") == 40.0);
  const test::Said gpu = says("--device your-gpu --n 2048 --json", std::string(kMachine) + kCard);
  REQUIRE(gpu.exit == 0);
  const auto of_gpu = nlohmann::json::parse(gpu.out);
  CHECK(of_gpu.at("ceilings").at("product_tflops") == Approx(240));
  CHECK(of_gpu.at("device").at("name") == "your-gpu");
  for (const auto& row : of_gpu.at("rows")) CHECK(row.at("recorded_ms").is_null());
  const test::Said none = says("--device your-gpu", kMachine);
  CHECK(none.exit == 2);
  CHECK(none.err.find("was not measured yet") != std::string::npos);
  const test::Said damaged = says("--device your-cpu", "[processor]\nname = \"x\"\nthreads = 0\n");
  CHECK(damaged.exit == 2);
  CHECK(damaged.err.find("machine.toml") != std::string::npos);
  const test::Said unknown = says("--device cpu-77", kMachine);
  CHECK(unknown.exit == 2);
  CHECK(unknown.err.find("Try one of cpu") != std::string::npos);
  CHECK(says("--device your-cpu --peak 3", kMachine).err.find("peak = 3") != std::string::npos);
}

TEST_CASE("predict measures this machine, or says why it cannot", "[unit]") {
  const test::TemporaryFolder home;
  const std::string before = "XDG_STATE_HOME='" + home.file("state") + "'";
  const test::Said said = tilewalk_says("predict --measure --n 1024 --json", before);
  CAPTURE(said.err);
  if (said.exit == 0) {
    const auto out = nlohmann::json::parse(said.out);
    CHECK((out.at("machine").at("cpu").is_object() || out.at("machine").at("gpu").is_object()));
    CHECK(out.at("device").at("name").get<std::string>().starts_with("your-"));
    CHECK_FALSE(out.at("rows").empty());
    CHECK(tilewalk_says("predict --n 1024 --device " + out.at("device").at("name").get<std::string>(), before).exit ==
          0);
  } else {
    CHECK(said.exit == 3);
    CHECK(said.out.empty());
    CHECK(said.err.find("nothing was measured") != std::string::npos);
    CHECK(tilewalk_says("predict --device your-cpu", before).exit == 2);
  }
  for (const char* words : {"--device h100", "--peak 3", "--bandwidth 3", "--n x"}) {
    const test::Said refused = tilewalk_says(std::string("predict --measure ") + words, before);
    CAPTURE(words);
    CHECK(refused.exit == 2);
  }
}

TEST_CASE("what others published stands beside the predictions, in text and as JSON") {
  const nlohmann::json a100 = prediction_of("--device a100 --n 16384 --heads 32 --batch 1 --d 64 --dtype fp16");
  REQUIRE(a100["published"].size() == 2);
  CHECK(a100["published"][0]["method"] == "FA-1 as released");
  CHECK(a100["published"][0]["tflops"] == nlohmann::json::array({78.0, 125.0}));
  const nlohmann::json b200 = prediction_of("--device b200 --n 8192 --d 128");
  CHECK(b200["published"][0]["method"] == "FA-4 as released");
  CHECK(b200["published"][0]["tflops"][1] == 1535.0);
  const test::Said text = tilewalk_says("predict --device b200 --n 8192 --d 128");
  CHECK(text.out.find("FA-4 as released") != std::string::npos);
  const std::string start = "can be walked: tilewalk ";
  const std::size_t at = text.out.find(start);
  REQUIRE(at != std::string::npos);
  const std::size_t flags = at + start.size();
  CHECK(tilewalk_says("counters " + text.out.substr(flags, text.out.find('\n', at) - flags)).exit == 0);
  CHECK(prediction_of("--device l4 --n 8192")["published"].empty());
  CHECK(prediction_of("--device a100 --n 8192 --peak 300")["published"].empty());
}
