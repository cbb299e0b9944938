// The text output has the same facts as the window.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;
using Json = nlohmann::json;

namespace {

void tells(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a step in text has problem, place, map, memory, numbers and traffic") {
  const test::Said said = tilewalk_says("replay --tile 2,1");
  REQUIRE(said.exit == 0);
  tells(said.out, {"N 16 · d 4", "of 92", "[F]", "HBM", "SRAM", "m new", "α", "ℓ new", "O tile 2", "HBM traffic",
                   "10 tile visits"});
}

TEST_CASE("both whole runs in text say their tiles, and naive's the types of S and P") {
  const auto counted = [](const std::string& flags) {
    return tilewalk_says("counters --d 64 --dtype bf16 --schedule " + flags).out;
  };
  tells(counted("flash_v2 --n 1023"), {"  Naive, whole run (tiles 64×64, S in fp32, P in bf16): 16.2 MiB\n",
                                       "  FA-2, whole run (tiles 64×64): 4.25 MiB · 3.8× less\n"});
  tells(counted("flash_v2 --n 1024"), {"  Naive, whole run (tiles 64×64, S and P in bf16): 12.2 MiB\n"});
  tells(counted("standard --n 4096"), {"  Naive, whole run (tiles 64×64, S in fp32, P in bf16): 257 MiB\n",
                                       "  FA-2, whole run (tiles 128×64): 33.0 MiB · 7.8× less\n"});
}

TEST_CASE("the walk in text has every step once") {
  const test::Said said = tilewalk_says("replay --walk");
  REQUIRE(said.exit == 0);
  std::size_t steps = 0;
  for (int k = 1; k <= 92; ++k) {
    const std::string number = std::to_string(k);
    const std::string line = "\n" + std::string(6 - number.size(), ' ') + number + "  ";
    steps += said.out.find(line) != std::string::npos;
  }
  CHECK(steps == 92);
  tells(said.out, {"== Q tile 3", "-- Q3 meets K3", "verify --recorded"});
}

TEST_CASE("every schedule is listed in the help, and walks in text") {
  const test::Said asked = tilewalk_says("replay --help");
  const std::string& help = asked.out;
  const struct {
    const char *schedule, *flags, *sentence;
  } walks[] = {{"standard", "", "to be read again by the softmax pass"},
               {"flash_v1", "", "come back with it"},
               {"flash_v2", "", "not yet divided by ℓ"},
               {"flash_v3", "", "not yet divided by ℓ"},
               {"flash_v4", "--threshold 4", "the stale max is kept"},
               {"split_kv", "", "weights add up to"},
               {"backward", "", "P is computed again from L"},
               {"backward_v1", "", "P is computed again from m"},
               {"backward_standard", "", "kept by the forward pass"}};
  for (const auto& walk : walks) {
    CAPTURE(walk.schedule);
    tells(help, {walk.schedule});
    std::string command = "replay --walk --n 16 --d 4 --br 4 --bc 4 --mask causal --sram 4096 ";
    command.append(walk.flags).append(" --schedule ").append(walk.schedule);
    const test::Said said = tilewalk_says(command);
    CHECK(said.exit == 0);
    tells(said.out, {walk.sentence});
  }
}

TEST_CASE("each verb has help with examples") {
  for (const char* verb : {"replay", "counters", "verify", "run", "record", "render", "bench", "devices", "glossary"}) {
    const test::Said said = tilewalk_says(std::string(verb) + " --help");
    CAPTURE(verb);
    CHECK(said.exit == 0);
    tells(said.out, {"Examples:", std::string("tilewalk ") + verb, "--json"});
  }
  tells(tilewalk_says("--help").out, {"replay", "verify", "Exit codes"});
  CHECK(tilewalk_says("--version").out.find("tilewalk ") == 0);
}

TEST_CASE("devices say once why no GPU is used, and for each kernel its idea, its needs and whether it runs here") {
  const Json json = Json::parse(tilewalk_says("devices --json").out);
  const test::Said said = tilewalk_says("devices");
  REQUIRE(said.exit == 0);
  const std::string& text = said.out;
  CHECK(text.find(json["built_with_cuda"].get<bool>() ? "Built with CUDA " : "Built without CUDA: ") == 0);
  tells(text, {"\nDriver: ", "\n\nKernels\n", "\n\nFast kernels (tilewalk race", "\n\nThis problem (N 16 · d 4 ",
               " of shared memory: "});
  const bool gpu = !json["gpus"].empty();
  for (const auto& [rungs, head] : {std::pair{"rungs", "file"}, std::pair{"fast_rungs", "rung"}})
    for (const Json& rung : json[rungs]) {
      const auto word = [&](const char* key) { return rung[key].get<std::string>(); };
      std::string block = word(head) + "\n      " + word("idea") + "\n      needs " + word("needs");
      if (gpu) block += rung["runs"].get<bool>() ? "; runs here" : "; does not run here: " + word("missing");
      tells(text, {block + "\n"});
    }
  const auto times = [&](const std::string& words) {
    std::size_t n = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
    return n;
  };
  const std::string reason = json["reason"];
  CHECK(times("No GPU is used. ") == (reason.empty() ? 0 : 1));
  if (!gpu) {
    CHECK(times(reason) == 1);
    CHECK(times("tilewalk race --cpu runs") == 1);
    CHECK(times("runs here") == 0);
  }
}

TEST_CASE("the glossary prints all words, or one in any spelling") {
  tells(tilewalk_says("glossary").out,
        {"SRAM\n    Small, fast memory", "\nthread block\n    ", "\nULP\n    ", "\nℓ\n    "});
  const std::string one = tilewalk_says("glossary thread block").out;
  CHECK(one.find("thread block\n    A group of threads") == 0);
  CHECK(tilewalk_says("glossary 'Thread Blocks'").out == one);
  CHECK(tilewalk_says("glossary sram").out.find("SRAM\n") == 0);
}

TEST_CASE("only results go to stdout") {
  CHECK(tilewalk_says("replay").err.empty());
  CHECK(tilewalk_says("counters --json").err.empty());
  CHECK(tilewalk_says("replay --n 0").out.empty());
}
