#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/unit/lab_judge/trace_file.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

std::string written(const TemporaryFolder& folder, const TiledKernel& kernel) {
  const Problem p = lab_problem(24, 40, 16, 8, 8, MaskKind::Causal);
  const ExposingInputs in = exposing_inputs(p, 0);
  const std::string path = folder.file("trace.safetensors");
  REQUIRE(save_safetensors(trace_file(p, kernel.base, in, kernel.run(p, in)), path).ok());
  return path;
}

}  // namespace

TEST_CASE("verify --trace passes a right kernel", "[unit]") {
  const TemporaryFolder folder;
  const Said said = tilewalk_says("verify --trace '" + written(folder, {.base = Base::Two}) + "'");
  CHECK(said.exit == 0);
  CHECK(said.err.empty());
  CHECK(said.out ==
        "right       fp32 · N 24 x 40 · d 16 · tiles 8 x 8 · mask causal · base 2\n"
        "      Right: 6 visits and the results.\n");
}

TEST_CASE("verify --trace names the first wrong visit and the mistake", "[unit]") {
  const TemporaryFolder folder;
  const std::string path = written(folder, {.mistake = "no-rescale-o"});
  const Said said = tilewalk_says("verify --trace '" + path + "'");
  CHECK(said.exit == 1);
  CHECK(said.out.find("Wrong at visit 3, Q tile 1, KV tile 1, row 10, column 0: o must be") != std::string::npos);
  CHECK(said.out.find("3 of 6 visits are wrong.\n") != std::string::npos);

  const Said json_said = tilewalk_says("verify --json --trace '" + path + "'");
  CHECK(json_said.exit == 1);
  const auto json = nlohmann::json::parse(json_said.out);
  CHECK(json.at("passed") == false);
  CHECK(json.at("visits") == 6);
  CHECK(json.at("visits_wrong") == 3);
  const auto& first = json.at("first_wrong");
  CHECK(first.at("q_tile") == 1);
  CHECK(first.at("kv_tile") == 1);
  CHECK(first.at("column") == 0);
  CHECK(first.at("quantity") == "o");
  CHECK(first.at("expected").is_number());
  CHECK(first.at("got").is_number());
  CHECK(first.at("line") == 40);
  CHECK(json.at("diagnosis").at("name") == "no-rescale-o");
  CHECK(json.at("diagnosis").at("sentence") == "o was not multiplied by α since visit 3.");
}

TEST_CASE("verify --trace refuses what is no trace, and flags of a problem", "[unit]") {
  const TemporaryFolder folder;
  write_text(folder.file("x.safetensors"), "not one");
  CHECK(tilewalk_says("verify --trace '" + folder.file("x.safetensors") + "'").exit == 2);
  CHECK(tilewalk_says("verify --trace '" + folder.file("missing") + "'").exit == 2);
  const Said said = tilewalk_says("verify --n 16 --trace '" + written(folder, {}) + "'");
  CHECK(said.exit == 2);
  CHECK(said.err.find("--trace") != std::string::npos);
}
