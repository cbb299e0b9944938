// Decoded names and profiles, as text and as JSON.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

const std::string kStep = "'" TILEWALK_SOURCE_DIR "/tests/fuzz/seeds/profile/training_step.json.gz'";

}  // namespace

TEST_CASE("decode prints what a name says, and null for what is missing") {
  const test::Said said = tilewalk_says(
      "decode --json 'void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
      "cutlass::half_t> >()' nvjet_tst_64x8 fmha_cutlassF_f32_aligned_64x64_rf_sm80");
  REQUIRE(said.exit == 0);
  const Json kernels = Json::parse(said.out)["kernels"];
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0]["family"] == "flash");
  CHECK(kernels[0]["pass"] == "forward");
  CHECK(kernels[0]["sm"].is_null());
  CHECK(kernels[0]["dtype"] == "fp16");
  CHECK(kernels[0]["d"] == 128);
  CHECK(kernels[0]["tile"] == Json::array({128, 64}));
  CHECK(kernels[0]["split_kv"] == false);
  CHECK(kernels[0]["schedule"] == "flash_v2");
  CHECK(kernels[1]["name"] == "nvjet_tst_64x8");
  CHECK(kernels[1]["family"] == "other");
  for (const char* part : {"pass", "sm", "dtype", "d", "tile", "split_kv", "schedule"}) {
    CAPTURE(part);
    CHECK(kernels[1][part].is_null());
  }
  CHECK(kernels[2]["sm"] == 80);
}

TEST_CASE("a profile in the terminal is the approved text") {
  const test::Said said =
      test::program_says("sh", "-c \"cd '" TILEWALK_SOURCE_DIR "/tests/fuzz/seeds/profile' && '" TILEWALK_BINARY
                               "' decode --profile training_step.json.gz\"");
  REQUIRE(said.exit == 0);
  CHECK(said.err.empty());
  const std::string path = TILEWALK_SOURCE_DIR "/tests/golden/baselines/decode-profile.txt";
  if (std::getenv("TILEWALK_ACCEPT_GOLDEN")) test::write_text(path, said.out);
  INFO("baseline " << path << "; tests/golden/accept writes a new one");
  REQUIRE(std::filesystem::exists(path));
  CHECK(test::read_text(path) == said.out);
}

TEST_CASE("the groups of a profile add up, and their shares are of all GPU time") {
  const test::Said said = tilewalk_says("decode --json --profile " + kStep);
  REQUIRE(said.exit == 0);
  const Json profile = Json::parse(said.out);
  std::int64_t calls = 0, ns = 0, named = 0;
  for (const Json& group : profile["groups"]) {
    calls += group["calls"].get<std::int64_t>(), ns += group["time_ns"].get<std::int64_t>();
    CHECK(std::abs(group["share"].get<double>() -
                   group["time_ns"].get<double>() / profile["gpu_time_ns"].get<double>()) < 1e-12);
  }
  for (const Json& kernel : profile["kernels"]) named += kernel["time_ns"].get<std::int64_t>();
  CHECK(calls == profile["attention"]["calls"]);
  CHECK(ns == profile["attention"]["time_ns"]);
  CHECK(named == ns);
}

TEST_CASE("decode refuses input that is neither a name nor a profile") {
  const auto refused = [](const std::string& words, const std::string& part) {
    const test::Said said = tilewalk_says(words);
    CAPTURE(words, said.err);
    CHECK(said.exit == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find(part) != std::string::npos);
  };
  refused("decode", "needs a name or a profile");
  refused("decode a --profile " + kStep, "not both");
  refused("decode --profile ''", "name of a file");
  refused("decode --profile /nowhere/at/all.json", "/nowhere/at/all.json");
  refused("decode --profile '" TILEWALK_SOURCE_DIR "'", "is a folder");
  refused("decode --profile '" TILEWALK_SOURCE_DIR "/README.md'", "no table of kernels");
}

TEST_CASE("each link from a kernel leads to a problem that opens") {
  const test::Said said = tilewalk_says(
      "decode 'flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, "
      "false, cutlass::half_t>>' 'flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<256, 64, 64, 4>, 1, 0, 0, 1, 1, 0, "
      "1, 0>' 'fmha_fwd_loop_kernel<FMHA_kernel_traits<256, 64, 16, 1, 4, 8u, cutlass::half_t> >' "
      "softmax_warp_forward");
  REQUIRE(said.exit == 0);
  int ways = 0;
  const std::string start = ": tilewalk --";
  for (std::size_t at = said.out.find(start); at != std::string::npos; at = said.out.find(start, at + 1)) {
    const std::size_t flags = at + start.size() - 2;
    const std::string way = "counters " + said.out.substr(flags, said.out.find('\n', at) - flags);
    CAPTURE(way);
    CHECK(tilewalk_says(way).exit == 0);
    ++ways;
  }
  CHECK(ways == 3);  // a softmax alone has none: it may be a router's
}
