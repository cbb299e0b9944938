// Progress of several programs in one file: each adds its own, and nothing is lost.
#include "session/lesson/progress.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

LessonsProgress with(LessonsProgress progress, const std::string& id, int task) {
  progress[id].screen = task;
  progress[id].tasks[task].right = true;
  return progress;
}

}  // namespace

TEST_CASE("the progress of two lessons at once is kept, and the steps of both for one lesson") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("progress.toml");
  const LessonsProgress start = with({}, "05-a", 1);
  REQUIRE(save_progress({}, start, path).ok());
  const LessonsProgress one = with(with(start, "06-b", 1), "05-a", 2), two = with(with(start, "07-c", 1), "05-a", 3);
  REQUIRE(save_progress(start, one, path).ok());
  REQUIRE(save_progress(start, two, path).ok());
  LessonsProgress both = with(with(with(two, "06-b", 1), "05-a", 2), "05-a", 3);
  CHECK(*load_progress(path) == both);
}

TEST_CASE("restarting a lesson replaces its progress") {
  LessonsProgress before = with({}, "05-a", 1), now = before, there = with(before, "05-a", 2);
  now["05-a"] = {.screen = 1, .round = before["05-a"].round + 1, .tasks = {}};
  CHECK(merged_progress(before, now, there) == now);
}

TEST_CASE("many programs that save at once lose nothing") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("state/progress.toml");
  constexpr int kPrograms = 8;
  for (int i = 0; i < kPrograms; ++i)
    if (::fork() == 0) ::_exit(save_progress({}, with({}, "lesson-" + std::to_string(i), 1), path).ok() ? 0 : 1);
  for (int i = 0, status = 0; i < kPrograms; ++i) {
    REQUIRE(::wait(&status) > 0);
    CHECK(status == 0);
  }
  CHECK(load_progress(path)->size() == kPrograms);
}

TEST_CASE("progress that cannot be read is renamed, and no byte of a name causes that") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("progress.toml");
  test::write_text(path, "oops = 1\n");
  const auto kept = save_progress({}, with({}, "06-\xff", 1), path);
  REQUIRE(kept.ok());
  CHECK(test::read_text(kept->aside) == "oops = 1\n");
  CHECK(load_progress(path).ok());
}
