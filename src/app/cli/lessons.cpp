#include "app/cli/lessons.h"

#include "app/cli/open_problem.h"
#include "app/jobs/thread_pool.h"
#include "measured/race_times.h"
#include "measured/recorded_race.h"
#include "session/lesson/lesson_file.h"
#include "session/resources.h"

namespace tilewalk {

Result<std::vector<Lesson>> open_lessons(const std::optional<std::string>& folder) {
  if (folder) return load_lessons(*folder);
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  return load_lessons(*root + "/assets/lessons");
}

Result<NewSession> sessions_with(std::vector<Lesson> lessons, LessonsProgress progress) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  Result<Opening> opening = open_problem({});
  if (!opening) return opening.issues();
  SessionSetup setup;
  setup.workers = make_thread_pool();
  setup.load_inputs = load_inputs;
  read_from(*root, setup);
  setup.presets = take_presets(*opening, *root);
  setup.load_lessons = [known = std::move(lessons)] { return known; };
  setup.progress = std::move(progress);
  return NewSession([setup = std::move(setup), opening = std::move(*opening)] { return Session::of(opening, setup); });
}

}  // namespace tilewalk
