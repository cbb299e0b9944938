// A call compared with a profile: the expected kernel, and the one that ran.
#include "pages/which/profile_join.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

ProfileJoin joined(const CallWords& words, const std::string& file = "training_step.json.gz") {
  static const std::vector<RuleTable> tables = *load_rule_tables(TILEWALK_SOURCE_DIR);
  const Result<Call> call = call_from(words);
  REQUIRE(call.ok());
  const Result<Profile> profile = read_profile(std::string(TILEWALK_SOURCE_DIR) + "/tests/fuzz/seeds/profile/" + file);
  REQUIRE(profile.ok());
  return join_profile(*call, tables, *profile);
}

}  // namespace

TEST_CASE("the expected kernel is looked up in the profile, with its tile and its splitting") {
  // The step has one call of each backend, of this shape.
  const CallWords shape{{"batch", "2"}, {"heads", "8"}, {"n-q", "512"}, {"is-causal", "on"}, {"enabled", "flash"}};
  const ProfileJoin flash = joined(shape);
  CHECK(flash.should == "FLASH_ATTENTION");
  CHECK(flash.seen);
  CHECK(flash.ran.find("cuDNN 1 call") != std::string::npos);
  CHECK(flash.verdict == "What should have run is there, and others are: of other calls.");
  REQUIRE(flash.kernels.size() == 1);
  CHECK(flash.kernels.front().words == "tile 64×256, as expected, keys shared out, as expected");
  CHECK(flash.kernels.front().as_expected == true);
  CallWords with_dropout = shape;
  with_dropout["dropout"] = "0.1";
  const ProfileJoin other = joined(with_dropout);
  REQUIRE(other.kernels.size() == 1);
  CHECK(other.kernels.front().as_expected == false);
  CHECK(other.kernels.front().words.find("expected 128×64") != std::string::npos);
}

TEST_CASE("the page says if another kernel ran, or if none should have") {
  CHECK(joined({}, "nsys_kern_sum.csv").seen == false);
  CHECK(joined({}, "nsys_kern_sum.csv").verdict.starts_with("Another one ran than should have"));
  CHECK(joined({{"enabled", "flash"}, {"dtype", "fp32"}}).verdict.starts_with("Nothing should run"));
  CHECK(join_text(joined({})).find("should have run: CUDNN_ATTENTION") != std::string::npos);
}

TEST_CASE("where another kernel ran, the versions of PyTorch that would take it are named") {
  // The list has FLASH's kernels; 2.11 would take cuDNN on this GPU.
  const std::string verdict = joined({{"is-causal", "on"}, {"d", "128"}}, "nsys_kern_sum.csv").verdict;
  CHECK(verdict.find("PyTorch 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8 and 2.10 would take FLASH_ATTENTION") !=
        std::string::npos);
  CHECK(joined({{"is-causal", "on"}, {"d", "128"}, {"torch", "2.8"}}, "nsys_kern_sum.csv").seen);
}
