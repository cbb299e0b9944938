// A person's progress in each lesson, stored in $XDG_STATE_HOME/tilewalk/progress.toml, or
// ~/.local/state/tilewalk/progress.toml. It locks nothing, and can be deleted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/user_file.h"

namespace tilewalk {

inline constexpr double kMostMiss = 999'999;  // a larger error is stored as this

struct TaskProgress {
  int tries = 0;  // wrong answers
  int hints = 0;
  bool right = false;
  bool shown = false;               // the answer was shown
  std::optional<double> miss = {};  // of a sampled call: error of the guess as a share, −1 to kMostMiss
  bool operator==(const TaskProgress&) const = default;
  bool done() const { return right || shown; }
};

struct LessonProgress {
  int screen = 1;                     // the last screen shown, from 1
  int round = 0;                      // number of restarts; selects the sampled calls
  std::map<int, TaskProgress> tasks;  // by screen, from 1
  bool operator==(const LessonProgress&) const = default;
};

using LessonsProgress = std::map<std::string, LessonProgress>;  // by a lesson's id

std::string progress_path();  // empty: the system names no home folder
Result<LessonsProgress> parse_progress(std::string_view text, const std::string& name);
std::string progress_text(const LessonsProgress&);               // the whole file
Result<LessonsProgress> load_progress(const std::string& path);  // empty where there is no file
// Writes what changed between `before` and `now`; keeps what another program wrote since.
Result<KeptFile> save_progress(const LessonsProgress& before, const LessonsProgress& now, const std::string& path);
LessonsProgress merged_progress(const LessonsProgress& before, const LessonsProgress& now, LessonsProgress there);

}  // namespace tilewalk
