// The family tree as text and as JSON.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;

TEST_CASE("the family tree in the terminal is the approved text") {
  const test::Said said = tilewalk_says("tree");
  REQUIRE(said.exit == 0);
  CHECK(said.err.empty());
  const std::string path = TILEWALK_SOURCE_DIR "/tests/golden/baselines/tree.txt";
  if (std::getenv("TILEWALK_ACCEPT_GOLDEN")) test::write_text(path, said.out);
  INFO("baseline " << path << "; tests/golden/accept writes a new one");
  REQUIRE(std::filesystem::exists(path));
  CHECK(test::read_text(path) == said.out);
}

TEST_CASE("the family tree has its keys for every member") {
  const test::Said said = tilewalk_says("tree --json");
  REQUIRE(said.exit == 0);
  const auto members = nlohmann::json::parse(said.out)["members"];
  CHECK(members.size() == 17);
  for (const auto& member : members) {
    CAPTURE(member.dump());
    for (const char* key : {"name", "changes", "source"}) CHECK(member.at(key).is_string());
    CHECK(member.at("year").is_number_integer());
    CHECK(member.at("exact").is_boolean());
    CHECK((member.at("schedule").is_null() || member.at("schedule").is_string()));
  }
}
