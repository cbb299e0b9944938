#include "session/class_plan.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const std::string kSmall = R"(
title = "T"
goal = "G"
minutes = 10
[[part]]
minutes = 4
lesson = 1
do = "show"
ask = ["why?"]
[[part]]
minutes = 6
do = "walk"
print = "A"
[[print]]
name = "A"
sheet = "hand"
preset = "paper"
seed = 12
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("the shipped plans fill their minutes and name their print-outs in order of use") {
  for (const char* minutes : {"45", "90"}) {
    CAPTURE(minutes);
    const Result<ClassPlan> plan = load_class_plan(TILEWALK_SOURCE_DIR, minutes);
    REQUIRE(plan.ok());
    CHECK(std::to_string(plan->minutes) == minutes);
    CHECK_FALSE(plan->prints.empty());
    for (const ClassPart& part : plan->parts) {
      CHECK_FALSE(part.deed.empty());
      CHECK_FALSE(part.ask.empty());
    }
  }
  const Result<ClassPlan> none = load_class_plan(TILEWALK_SOURCE_DIR, "60");
  REQUIRE_FALSE(none.ok());
  CHECK(text_of(none.issues()) == "class = 60: is not a plan. There are plans of 45, 90 minutes");
}

TEST_CASE("a plan is read part by part, and errors in it are reported with their place") {
  const Result<ClassPlan> plan = parse_class_plan(kSmall, "10.toml");
  REQUIRE(plan.ok());
  CHECK(plan->parts.size() == 2);
  CHECK(plan->parts[0].lesson == 1);
  CHECK(plan->parts[0].ask == std::vector<std::string>{"why?"});
  CHECK(plan->prints[0].seed == 12);
  const std::pair<std::string, const char*> wrong[] = {
      {replaced(kSmall, "minutes = 6", "minutes = 7"), "is not the sum of the parts: 11"},
      {replaced(kSmall, "print = \"A\"", "print = \"B\""), "must list the print-outs of the parts, in their order"},
      {replaced(kSmall, "do = \"show\"", "dew = \"show\""), "line 8, part.dew"},
      {replaced(kSmall, "[\"why?\"]", "3"), "must be a list of texts"},
      {replaced(kSmall, "\"hand\"", "\"foot\""), "must be one of hand, roofline, lesson"}};
  for (const auto& [text, part] : wrong) {
    const Result<ClassPlan> refused = parse_class_plan(text, "10.toml");
    CAPTURE(part);
    REQUIRE_FALSE(refused.ok());
    CHECK(text_of(refused.issues()).find(part) != std::string::npos);
  }
}
