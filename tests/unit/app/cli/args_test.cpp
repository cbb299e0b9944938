#include "app/cli/verbs.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Result<CommandLine> parsed(const std::vector<std::string>& words) { return parse_command_line(words, verbs()); }

}  // namespace

TEST_CASE("flags keep the typed text") {
  const auto line = parsed({"replay", "--n", "-1", "--scale=-0.5", "--step", "007", "--json"});
  REQUIRE(line.ok());
  REQUIRE(line->verb);
  CHECK(line->verb->name == std::string("replay"));
  CHECK(line->problem.texts.at("n") == "-1");
  CHECK(line->problem.texts.at("scale") == "-0.5");
  CHECK(line->option("step") == "007");
  CHECK(line->has("json"));
  CHECK_FALSE(line->has("walk"));
}

TEST_CASE("without a verb the program opens the window, with the same problem flags") {
  const auto line = parsed({"--preset", "paper"});
  REQUIRE(line.ok());
  CHECK(line->verb == nullptr);
  CHECK(line->problem.texts.at("preset") == "paper");
  REQUIRE(parsed({}).ok());
  CHECK_FALSE(parsed({})->problem.any());
}

TEST_CASE("edits may be repeated, other flags may not") {
  const auto line = parsed({"replay", "--edit", "Q:0:0:0:0=1", "--edit", "K:0:0:0:0=2"});
  REQUIRE(line.ok());
  CHECK(line->problem.edits == std::vector<std::string>{"Q:0:0:0:0=1", "K:0:0:0:0=2"});
  CHECK_FALSE(parsed({"replay", "--n", "1", "--n", "2"}).ok());
}

TEST_CASE("help and version are messages, not errors") {
  CHECK(parsed({"--help"})->message.find("Examples") != std::string::npos);
  CHECK(parsed({"verify", "--help"})->message.find("--recorded") != std::string::npos);
  CHECK(parsed({"--version"})->message.find("tilewalk") == 0);
}

TEST_CASE("a bench runs by name, or all run") {
  CHECK(parsed({"bench"})->option("what") == "all");
  CHECK(parsed({"bench", "seek"})->option("what") == "seek");
  CHECK_FALSE(parsed({"bench", "sleep"}).ok());
}
