// A profile is read off the drawing thread: completely, stopped on the way, or refused.
#include "app/jobs/tasks.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

TEST_CASE("a profile is read, and a file that is not a profile is refused by name") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("trace.json");
  test::write_text(path, R"({"traceEvents": [{"ph": "X", "cat": "kernel", "dur": 3.5,
    "name": "fmha_cutlassF_bf16_aligned_64x128_rf_sm80", "ts": 1}]})");
  const ProfileNews news = profile_task().answer({path});
  CAPTURE(news.failure);
  REQUIRE(news.profile);
  CHECK(news.path == path);
  CHECK_FALSE(news.running);
  CHECK(news.profile->attention.calls == 1);
  CHECK(news.profile->attention.ns == 3500);
  const ProfileNews none = profile_task().answer({path + ".missing"});
  CHECK_FALSE(none.profile);
  CHECK(none.failure.find("missing") != std::string::npos);
}

TEST_CASE("a stopped profile says so") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("trace.json");
  test::write_text(path, "{}");
  const ProfileNews news = profile_task().answer({path}, {[] { return true; }, [](const ProfileNews&) {}});
  CHECK_FALSE(news.profile);
  CHECK(news.failure.find("not read to its end") != std::string::npos);
}
