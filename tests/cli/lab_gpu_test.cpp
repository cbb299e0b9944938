// tilewalk lab check --gpu: with a GPU the bits are equal; without one a sentence says so.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

std::string solution_of_task_5(const std::string& flags) {
  return "lab check '" TILEWALK_SOURCE_DIR "/assets/lab/05-fa2-loop/solution.cu' --task 5 " + flags;
}

}  // namespace

TEST_CASE("lab check --gpu is equal on a GPU, or says why nothing ran") {
  const test::TemporaryFolder cache;
  const test::Said said = tilewalk_says(solution_of_task_5("--gpu --json"), "XDG_CACHE_HOME='" + cache.path() + "'");
  CAPTURE(said.out, said.err);
  REQUIRE((said.exit == 0 || said.exit == 3));
  const Json json = Json::parse(said.out);
  CHECK(json["passed"] == true);
  const Json& gpu = json["gpu"];
  CHECK(gpu["ran"] == (said.exit == 0));
  CHECK(gpu["equal"] == (said.exit == 0));
  CHECK(gpu["first_difference"].is_null());
  CHECK(gpu["damage"].empty());
  const std::string says = gpu["says"];
  if (said.exit == 0) {
    CHECK(gpu["device"].is_string());
    CHECK(gpu["visits"] > 16);
    CHECK(says.find("equal the interpreter's in every bit") != std::string::npos);
  } else {
    CHECK((says.find("NVIDIA") != std::string::npos || says.find("NVRTC") != std::string::npos));
    CHECK(says.find('\n') == std::string::npos);
  }
}

TEST_CASE("lab check without --gpu has null in its place") {
  const test::Said said = tilewalk_says(solution_of_task_5("--json"));
  REQUIRE(said.exit == 0);
  CHECK(Json::parse(said.out)["gpu"].is_null());
}

TEST_CASE("lab check --gpu of a text that does not compile runs nothing") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("bad.cu"), "__global__ void attention(float* O) { O[0] = ; }\n");
  const test::Said said = tilewalk_says("lab check '" + folder.file("bad.cu") + "' --gpu --json");
  CHECK(said.exit == 2);
  CHECK(Json::parse(said.out)["gpu"].is_null());
}

TEST_CASE("the child refuses a job that is not there or not whole, and writes nothing") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("job"), "twljob");
  CHECK(tilewalk_says("lab gpu-child '" + folder.file("none") + "' '" + folder.file("run") + "'").exit == 2);
  CHECK(tilewalk_says("lab gpu-child '" + folder.file("job") + "' '" + folder.file("run") + "'").exit == 2);
  CHECK(tilewalk_says("lab gpu-child").exit == 2);
  CHECK(!std::filesystem::exists(folder.file("run")));
}
