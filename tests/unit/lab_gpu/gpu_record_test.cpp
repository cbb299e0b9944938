// The interpreter's numbers have the digests that a GPU's had: assets/lab/gpu, made by tests/gpu/lab_on_gpu.cpp.
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "files/file_io.h"
#include "tests/unit/lab_gpu/kernel_run.h"

using namespace tilewalk;
using namespace tilewalk::test;
using Json = nlohmann::json;

namespace {

std::string hex(std::uint64_t x) {
  char out[24];
  std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(x));
  return out;
}

const lab::LabTask& task_of(int number) {
  for (const lab::LabTask& each : tasks_of_the_lab())
    if (each.number == number) return each;
  throw std::runtime_error("there is no such task");
}

std::vector<Json> records() {
  std::vector<Json> out;
  for (const auto& each : std::filesystem::directory_iterator(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab/gpu")) {
    if (each.path().extension() != ".json") continue;
    const auto text = read_text_file(each.path().string(), 1 << 20);
    REQUIRE(text.ok());
    out.push_back(Json::parse(*text));
  }
  return out;
}

}  // namespace

TEST_CASE("the interpreter has the bits that the solutions had on a GPU", "[unit]") {
  std::map<int, int> cases;  // of a task
  for (const Json& record : records()) {
    CHECK(!record["driver"].get<std::string>().empty());
    CHECK(!record["machine"]["gpu"].get<std::string>().empty());
    for (const Json& each : record["solutions"]) {
      const lab::LabTask& task = task_of(each["task"]);
      const std::string fields = each["problem"];
      INFO("tests/gpu/lab_on_gpu.cpp records anew: " << task.name << ", " << fields);
      CHECK(each["end"] == "ran");
      CHECK(each["equal"] == true);
      lab::LabSetup setup = task.setup;
      const auto problem = lab::with_fields(setup.problem, fields, task.name);
      REQUIRE(problem.ok());
      setup.problem = *problem;
      setup.threads = each["threads"];
      const KernelRun run(task.solution, setup);
      CHECK(hex(lab::digest_of_run(run.here())) == each["digest"].get<std::string>());
      ++cases[task.number];
    }
  }
  CHECK(cases.size() >= 12);
}

TEST_CASE("on a GPU a hang, a wild pointer and a write outside ended with a sentence", "[unit]") {
  REQUIRE(!records().empty());
  for (const Json& record : records()) {
    std::map<std::string, Json> others;
    for (const Json& each : record["others"]) others[each["file"]] = each;
    CHECK(others.at("endless loop")["end"] == "deadline");
    CHECK(others.at("wild pointer")["end"] == "crashed");
    CHECK(others.at("past the end of L")["sentence"].get<std::string>().find("outside of L: L[16]") !=
          std::string::npos);
    for (const Json& each : record["own_texts"]) {
      INFO(each["file"]);
      CHECK(each["equal"] == true);
    }
  }
}
