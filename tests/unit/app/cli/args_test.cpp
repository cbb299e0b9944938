#include "app/cli/args.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("flags stay the text that was typed") {
  const auto line = parse_command_line({"replay", "--n", "-1", "--scale=-0.5", "--step", "007", "--json"});
  REQUIRE(line.ok());
  CHECK(line->verb == Verb::Replay);
  CHECK(line->problem.texts.at("n") == "-1");
  CHECK(line->problem.texts.at("scale") == "-0.5");
  CHECK(line->option("step") == "007");
  CHECK(line->has("json"));
  CHECK_FALSE(line->has("walk"));
}

TEST_CASE("no verb is the window, with the same problem flags") {
  const auto line = parse_command_line({"--preset", "paper"});
  REQUIRE(line.ok());
  CHECK(line->verb == Verb::Window);
  CHECK(line->problem.texts.at("preset") == "paper");
  REQUIRE(parse_command_line({}).ok());
  CHECK_FALSE(parse_command_line({})->problem.any());
}

TEST_CASE("edits may be repeated, other flags may not") {
  const auto line = parse_command_line({"replay", "--edit", "Q:0:0:0:0=1", "--edit", "K:0:0:0:0=2"});
  REQUIRE(line.ok());
  CHECK(line->problem.edits == std::vector<std::string>{"Q:0:0:0:0=1", "K:0:0:0:0=2"});
  CHECK_FALSE(parse_command_line({"replay", "--n", "1", "--n", "2"}).ok());
}

TEST_CASE("help and version are messages, not errors") {
  CHECK(parse_command_line({"--help"})->message.find("Examples") != std::string::npos);
  CHECK(parse_command_line({"verify", "--help"})->message.find("--recorded") != std::string::npos);
  CHECK(parse_command_line({"--version"})->message.find("tilewalk") == 0);
}

TEST_CASE("a bench is named or all are meant") {
  CHECK(parse_command_line({"bench"})->option("what") == "all");
  CHECK(parse_command_line({"bench", "seek"})->option("what") == "seek");
  CHECK_FALSE(parse_command_line({"bench", "sleep"}).ok());
}
