// The JSON of each verb: one object, the promised keys, numbers as numbers.
#include <cmath>
#include <nlohmann/json.hpp>

#include "files/tensor_files.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/tensor_file_helpers.h"

using namespace tilewalk;
using test::save_tensor;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

Json json_of(const std::string& words, int exit = 0) {
  const test::Said said = tilewalk_says(words + " --json");
  CAPTURE(words, said.err);
  REQUIRE(said.exit == exit);
  return Json::parse(said.out);
}

void has_keys(const Json& json, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    CAPTURE(key);
    CHECK(json.contains(key));
  }
}

}  // namespace

TEST_CASE("replay prints a step with every promised key") {
  const Json json = json_of("replay --tile 2,1");
  has_keys(json, {"step", "phase", "q_tile", "kv_tile", "class", "sentence", "rows", "o", "s", "p", "counters"});
  CHECK(json["q_tile"] == 2);
  CHECK(json["kv_tile"] == 1);
  CHECK(json["class"] == "full");
  REQUIRE(json["rows"].size() == 4);
  for (int r = 0; r < 4; ++r) {
    has_keys(json["rows"][r], {"row", "m", "alpha", "l"});
    CHECK(json["rows"][r]["row"] == 8 + r);
    CHECK(json["rows"][r]["m"].is_number());
  }
  CHECK(json["o"].size() == 4);
  CHECK(json["o"][0].size() == 4);
  has_keys(json["counters"], {"hbm", "hbm_total", "flops"});
}

TEST_CASE("replay prints Q, K and V of the tile, and lists the products of the requested cell") {
  const Json json = json_of("replay --tile 2,1 --cell 9,6");
  for (const char* tensor : {"q", "k", "v"}) {
    CAPTURE(tensor);
    REQUIRE(json[tensor].size() == 4);
    CHECK(json[tensor][0].size() == 4);
  }
  double product = 0;
  for (int x = 0; x < 4; ++x) product += json["q"][1][x].get<double>() * json["k"][2][x].get<double>();
  CHECK(std::fabs(product / 2 - json["s"][1][2].get<double>()) < 1e-6);
  CHECK(json["cell"]["row"] == 9);
  CHECK(json["cell"]["working"][0] == "S = Q[9] · K[6], scaled");
  int elements = 0;
  for (const Json& line : json["cell"]["working"]) elements += line.get<std::string>().starts_with("O[9][");
  CHECK(elements == 4);
  CHECK(tilewalk_says("replay --cell 9").exit == 2);
  CHECK(tilewalk_says("replay --cell 99,0").exit == 2);
  CHECK(tilewalk_says("replay --walk --cell 9,6").exit == 2);
}

TEST_CASE("a value that is not finite is a string") {
  const Json json = json_of("replay --tile 0,0");
  const Json before = json_of("replay --step 4");
  CHECK(before["s"][0][1] == "-inf");
  CHECK(before["s"][0][0].is_number());
  CHECK(json["rows"][0]["m_old"] == "-inf");
}

TEST_CASE("a skipped tile is reported as skipped, with an unchanged state") {
  const Json skipped = json_of("replay --tile 1,3");
  CHECK(skipped["class"] == "skipped");
  CHECK(skipped["kv_tile"] == 3);
  const Json last = json_of("replay --tile 1,1");
  CHECK(skipped["o"] == last["o"]);
  CHECK(skipped["counters"] == last["counters"]);
  CHECK(json_of("replay --preset window --tile 3,0")["class"] == "skipped");
}

TEST_CASE("the first step is pending and has no rows") {
  const Json json = json_of("replay --step 0");
  CHECK(json["step"] == 0);
  CHECK(json["class"] == "pending");
  CHECK(json["rows"].empty());
  CHECK(json["counters"]["hbm_total"]["read_bytes"] == 0);
}

TEST_CASE("the walk in JSON is one object whose last step is the end") {
  const Json json = json_of("replay --preset paper --walk");
  CHECK(json["steps"].size() == json["step_count"].get<std::size_t>());
  const Json end = json_of("replay --preset paper --step " + json["step_count"].dump());
  CHECK(json["steps"].back() == end);
}

TEST_CASE("base e is printed in natural units and base 2 unchanged") {
  const Json natural = json_of("replay --tile 2,1"),
             same = json_of("replay --base 2 --scale 0.721347520444 --tile 2,1");
  for (int r = 0; r < 4; ++r) {
    const double m = natural["rows"][r]["m"].get<double>(), in_twos = same["rows"][r]["m"].get<double>();
    CHECK(m == Approx(in_twos * 0.69314718056).epsilon(1e-5));
    CHECK(natural["rows"][r]["l"].get<double>() == Approx(same["rows"][r]["l"].get<double>()).epsilon(1e-5));
  }
}

TEST_CASE("counters have the promised keys and the figures of the documentation's picture") {
  const Json json = json_of("counters");
  has_keys(json, {"steps", "tile_visits", "hbm", "hbm_total", "flops", "sram_peak_bytes", "textbook"});
  CHECK(json["tile_visits"] == Json::parse(R"({"full": 6, "partial": 4, "skipped": 6})"));
  CHECK(json["hbm_total"]["read_bytes"].get<int>() + json["hbm_total"]["write_bytes"].get<int>() == 1856);
  CHECK(json["sram_peak_bytes"] == 352);
  has_keys(json["flops"], {"matmul", "exp", "other"});
  has_keys(json["textbook"], {"hbm_elements", "flops"});
  for (const char* tensor : {"Q", "K", "V", "O", "L"}) has_keys(json["hbm"][tensor], {"read_bytes", "write_bytes"});
  CHECK_FALSE(json["hbm"].contains("S"));
  CHECK(json_of("counters --schedule standard")["hbm"].contains("S"));
}

TEST_CASE("counters before a step count only earlier steps") {
  CHECK(json_of("counters --at 0")["hbm_total"]["read_bytes"] == 0);
  const Json json = json_of("counters --at 3");
  CHECK(json["steps"] == 3);
  CHECK(json["hbm"]["Q"]["read_bytes"] == 64);
  CHECK(json["hbm"]["K"]["read_bytes"] == 64);
  CHECK(json["tile_visits"]["partial"] == 1);
}

TEST_CASE("visits counted before every step increase to those of the whole run") {
  for (const char* preset : {"picture", "reverse", "window", "ragged", "grouped", "standard"}) {
    const std::string flags = std::string("counters --preset ") + preset;
    const Json whole = json_of(flags);
    const std::int64_t steps = whole["step_count"];
    CAPTURE(preset);
    CHECK(json_of(flags + " --at " + std::to_string(steps))["tile_visits"] == whole["tile_visits"]);
    const Json before_store = json_of(flags + " --at " + std::to_string(steps - 1));
    CHECK(before_store["tile_visits"] == whole["tile_visits"]);
  }
}

TEST_CASE("sixteen million rows are counted at once") {
  const Json json = json_of("counters --n 16777216 --d 64 --mask causal");
  CHECK(json["tile_visits"]["partial"] == 262144);
  CHECK(json["hbm"]["O"]["write_bytes"] == 16777216ll * 64 * 4);
}

TEST_CASE("verify against the kernel source has the promised keys and finds nothing") {
  const Json json = json_of("verify --cpu");
  has_keys(json, {"against", "gpu", "problems", "tile_visits", "values", "differing", "max_ulp", "verdict",
                  "first_divergence"});
  CHECK(json["against"] == "cpu");
  CHECK(json["verdict"] == "equal");
  CHECK(json["differing"] == 0);
  CHECK(json["max_ulp"] == 0);
  CHECK(json["tile_visits"] == 10);
  CHECK(json["first_divergence"].is_null());
}

TEST_CASE("verify names the first step that shows a fault, and exits 1") {
  const Json json = json_of("verify --cpu --fault forget-rescale-l", 1);
  CHECK(json["verdict"] == "diverged");
  has_keys(json["first_divergence"],
           {"schedule", "step", "q_tile", "kv_tile", "row", "col", "quantity", "expected", "got"});
  CHECK(json["first_divergence"]["quantity"] == "l");
  CHECK(json["first_divergence"]["schedule"] == "flash_v2");
}

TEST_CASE("run writes the announced files and is close to float64") {
  test::TemporaryFolder folder;
  for (const char* schedule : {"flash_v2", "standard"}) {
    const Json json = json_of("run --n 70 --d 9 --heads 2 --mask causal --schedule " + std::string(schedule) +
                              " --out " + folder.file("o.npy") + " --lse " + folder.file("l.safetensors"));
    has_keys(json, {"out", "seconds", "max_abs_error_vs_float64"});
    CHECK(json["max_abs_error_vs_float64"].get<double>() < 1e-5);
    const auto o = load_input_tensor(folder.file("o.npy"), "o");
    REQUIRE(o.ok());
    CHECK((o->tensor.batch == 1 && o->tensor.heads == 2 && o->tensor.rows == 70 && o->tensor.cols == 9));
    const auto l = load_input_tensor(folder.file("l.safetensors"), "lse");
    REQUIRE(l.ok());
    CHECK((l->tensor.heads == 1 && l->tensor.rows == 2 && l->tensor.cols == 70));
  }
  CHECK_FALSE(json_of("run --no-reference --out " + folder.file("p.npy")).contains("max_abs_error_vs_float64"));
}

TEST_CASE("tensors from files give the same run as their seed") {
  test::TemporaryFolder folder;
  const std::vector<float> values = {1, 2, -1, 0.5f, 3, -2, 0.25f, 1};
  for (const char* name : {"q", "k", "v"})
    REQUIRE(save_tensor(folder.file(std::string(name) + ".safetensors"), name, values, {4, 2}, DType::Fp16).ok());
  const std::string files = " --q " + folder.file("q.safetensors") + " --k " + folder.file("k.safetensors") + " --v " +
                            folder.file("v.safetensors");
  const Json json = json_of("run" + files + " --mask causal --out " + folder.file("o.safetensors"));
  CHECK(json["max_abs_error_vs_float64"].get<double>() < 2e-3);
  const auto o = load_input_tensor(folder.file("o.safetensors"), "o");
  REQUIRE(o.ok());
  CHECK(o->dtype == DType::Fp16);
  CHECK(o->tensor.values[0] == 1.0f);
  CHECK(o->tensor.values[1] == 2.0f);
  const test::Said clash = tilewalk_says("replay --d 3" + files);
  CHECK(clash.exit == 2);
  CHECK(clash.err.find("disagrees") != std::string::npos);
}

TEST_CASE("render writes a picture of the requested size, without a display") {
  test::TemporaryFolder folder;
  const std::string words = "render --step 29 --size 1280x720 --theme light --out " + folder.file("w.png") + " --json";
  const test::Said said =
      tilewalk_says(words, "env -u DISPLAY -u WAYLAND_DISPLAY ASAN_OPTIONS=detect_leaks=0");  // drivers leak
  if (said.err.find("TILEWALK_GUI") != std::string::npos) return test::skip("built without the window");
  CAPTURE(said.err);
  REQUIRE(said.exit == 0);
  const Json json = Json::parse(said.out);
  has_keys(json, {"file", "width", "height"});
  CHECK(json["width"] == 1280);
  const std::string png = test::read_text(folder.file("w.png"));
  REQUIRE(png.size() > 1000);
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(((unsigned char)png[18] * 256 + (unsigned char)png[19]) == 1280);
  CHECK(tilewalk_says("render").exit == 2);
  CHECK(tilewalk_says("render --size 10 --out x.png").exit == 2);
  CHECK(tilewalk_says("render --out " + folder.file("none/x.png"), "env ASAN_OPTIONS=detect_leaks=0").exit == 2);
}

TEST_CASE("render draws a session's saved page, or the named one") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("walk.toml"), "[problem]\nn-q = 8\nn-kv = 8\n");
  test::write_text(folder.file("warps.toml"),
                   "[problem]\nn-q = 8\nn-kv = 8\n[view]\npage = \"compare\"\nfilling = \"warps\"\n"
                   "[pinned]\nschedule = \"standard\"\n");
  bool window = true;
  const auto picture = [&](const std::string& session, const std::string& words) {
    const test::Said said = tilewalk_says(
        "render --size 640x360 --session " + folder.file(session) + " --out " + folder.file("p.png") + words,
        "env -u DISPLAY -u WAYLAND_DISPLAY ASAN_OPTIONS=detect_leaks=0");
    window = said.err.find("TILEWALK_GUI") == std::string::npos;
    return window ? test::read_text(folder.file("p.png")) : "";
  };
  const std::string walk = picture("walk.toml", ""), warps = picture("warps.toml", "");
  if (!window) return test::skip("built without the window");
  CHECK(walk != warps);
  CHECK(picture("warps.toml", " --page walk") == walk);
  CHECK(picture("walk.toml", " --page warps") != warps);  // with another schedule pinned
  CHECK(picture("warps.toml", " --page warps") == warps);
  CHECK(picture("warps.toml", " --page compare") == warps);
  CHECK(picture("warps.toml", " --page lanes") != warps);
  CHECK(picture("walk.toml", " --page compare") == picture("walk.toml", " --page pipes"));
}

TEST_CASE("devices have the promised keys, with or without a GPU") {
  const Json json = json_of("devices");
  has_keys(json, {"driver", "gpus", "rungs"});
  CHECK(json["rungs"].size() >= 2);
}

TEST_CASE("bench has the promised keys") {
  const Json json = json_of("bench counters");
  has_keys(json, {"counters", "machine"});
  has_keys(json["counters"], {"ns_small", "ns_large"});
}

TEST_CASE("defaults are those of the contract once a length is given") {
  const Json json = json_of("counters --n 4096");
  CHECK(json["tile_visits"]["full"] == 64 * 64);
  const Json wide = json_of("counters --n 4096 --d 256");
  CHECK(wide["sram_peak_bytes"].get<int>() <= 232448);
  CHECK(json_of("counters --heads 4 --n 64")["hbm"]["K"]["read_bytes"] == 4 * 64 * 64 * 4);
  CHECK(json_of("counters --seed 8")["sram_peak_bytes"] == 352);
}

TEST_CASE("the command line a session gives reproduces it") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("s.toml"),
                   "[problem]\nn-q = 8\nn-kv = 12\nd = 2\nbr = 4\nbc = 4\nheads = 2\nkv-heads = 1\nmask = "
                   "\"causal-bottom-right\"\n[[edit]]\ntensor = \"K\"\nrow = 3\nvalue = 2.5\n[view]\ncursor = 20\n");
  const Json from_file = json_of("replay --session " + folder.file("s.toml"));
  const Json from_flags = json_of(
      "replay --n-q 8 --n-kv 12 --d 2 --br 4 --bc 4 --heads 2 --kv-heads 1 --mask causal-bottom-right --sram 1024 "
      "--edit K:0:0:3:0=2.5 --step 20");
  CHECK(from_file == from_flags);
}

TEST_CASE("counters --warps counts the shared memory traffic between warps") {
  const Json warps = json_of("counters --warps")["warps"];
  // Ten visits of 4 rows, d 4, 4 warps: each writes a max, a sum and 4 of O a row; reads 4 maxima, 4 sums, 4 parts.
  CHECK(warps["split_k"]["exchange_write_bytes"] == 10 * 4 * 4 * 6 * 4);
  CHECK(warps["split_k"]["exchange_read_bytes"] == 10 * 4 * (4 * 4 + 4 * 4 + 4 * 4) * 4);
  CHECK(warps["split_k"]["barriers"] == 40);
  CHECK(warps["split_q"]["exchange_write_bytes"] == 0);
  CHECK(warps["split_q"]["barriers"] == 0);
  CHECK(warps["split_q"]["operand_read_bytes"] == 10 * (4 * 4 + 4 * 2 * 4 * 4) * 4);
}

TEST_CASE("counters --warps counts FA-3's rows by warpgroups, in JSON as in text") {
  const std::string call =
      "counters --n 2048 --d 64 --heads 4 --dtype bf16 --schedule flash_v3 --device h100 --tiles released --warps";
  const Json by_rows = json_of(call)["warps"]["split_q"];
  CHECK(by_rows["warpgroups"] == 3);
  // A visit: 192 rows of Q once, and 192 keys of K and of V for each of three warpgroups; 4 heads, 11 by 11 tiles.
  CHECK(by_rows["operand_read_bytes"] == 4 * 2 * 64 * (11 * 2048 + 3 * 2 * 11 * 2048));
  const std::string text = tilewalk_says(call).out;
  CHECK(text.find("rows divided: split-Q, 3 warpgroups (this schedule)") != std::string::npos);
  CHECK(text.find("One thread block of") == std::string::npos);
}

TEST_CASE("verify and run print the distance from float64, beside naive attention's, under the rule") {
  const Json verified = json_of("verify --recorded")["float64"];
  CHECK(verified["verdict"] == "within rule");
  const Json o = verified["tensors"]["O"];
  CHECK(o["rows"] == 16);
  CHECK(o["of_rows"] == 16);
  CHECK(o["error"].get<double>() > 0);
  CHECK(o["bound"].get<double>() == 2 * o["plain_error"].get<double>() + o["floor"].get<double>());
  const test::TemporaryFolder folder;
  const Json run = json_of("run --n 100 --d 8 --dtype bf16 --schedule flash_v1 --out " + folder.file("o.safetensors"));
  CHECK(run["float64"]["verdict"] == "within rule");
  CHECK(run["float64"]["tensors"]["O"]["error"] == run["max_abs_error_vs_float64"]);
  const Json all = json_of("verify --recorded --schedule backward --n 16 --d 4 --all --float64");
  for (const Json& check : all["checks"]) {
    CAPTURE(check["problem"]);
    has_keys(check["float64"]["tensors"], {"dQ", "dK", "dV"});
    CHECK(check["float64"]["verdict"] == "within rule");
  }
  CHECK_FALSE(json_of("verify --recorded --all --n 16 --d 4")["checks"][0].contains("float64"));
}

TEST_CASE("counters --against compares with another schedule, whole and in step") {
  const Json json = json_of("counters --against flash_v1 --at 46"), against = json["against"];
  CHECK(against["schedule"] == "flash_v1");
  const Json other = json_of("counters --schedule flash_v1");
  const std::int64_t bytes =
      other["hbm_total"]["read_bytes"].get<std::int64_t>() + other["hbm_total"]["write_bytes"].get<std::int64_t>();
  bool found = false;
  for (const Json& row : against["rows"])
    if (row["id"] == "all") found = row["other"] == bytes;
  CHECK(found);
  const std::int64_t here =
      json["hbm_total"]["read_bytes"].get<std::int64_t>() + json["hbm_total"]["write_bytes"].get<std::int64_t>();
  CHECK(against["in_step"]["byte"]["hbm_bytes"] <= here);
  CHECK(against["in_step"]["tile"]["tile_visits"] == 5);
  CHECK(against["in_step"]["flop"]["step"] > 0);
  CHECK_FALSE(against["verdict"].get<std::string>().empty());
}

TEST_CASE("the glossary prints its terms with their meanings") {
  const Json all = json_of("glossary");
  REQUIRE(all["terms"].size() > 60);
  for (const Json& term : all["terms"]) has_keys(term, {"term", "meaning"});
  const Json one = json_of("glossary ULP");
  REQUIRE(one["terms"].size() == 1);
  CHECK(one["terms"][0]["term"] == "ULP");
}

TEST_CASE("which prints the choice, every check and the advice with every promised key") {
  const Json json = json_of("which --attn-mask float-grad --training on");
  has_keys(json, {"choice", "order", "backends", "advice", "schedule"});
  CHECK(json["choice"] == "EFFICIENT_ATTENTION");
  CHECK(json["order"] == Json::array({"CUDNN_ATTENTION", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "MATH"}));
  REQUIRE(json["backends"].size() == 4);
  for (const Json& backend : json["backends"]) {
    has_keys(backend, {"name", "allowed", "checks"});
    bool failed = false;
    for (const Json& check : backend["checks"]) {
      has_keys(check, {"rule", "ok", "value", "source"});
      CHECK((failed ? check["ok"].is_null() : check["ok"].is_boolean()));
      failed = failed || check["ok"] == false;
    }
    CHECK(backend["allowed"] == !failed);
  }
  REQUIRE(json["advice"].size() >= 1);
  has_keys(json["advice"][0], {"change", "then"});
  CHECK(json["advice"][0]["then"] == "CUDNN_ATTENTION");
  CHECK(json["schedule"] == "flash_v2");
}

TEST_CASE("which without a usable backend is not a program error") {
  const Json json = json_of("which --enabled flash --dtype fp32");
  CHECK(json["choice"] == "none");
  CHECK(json["says"] == "No available kernel. Aborting execution.");
  CHECK(json["schedule"].is_null());
}
