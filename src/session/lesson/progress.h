// How far a person has come in each lesson: kept from one start to the next in $XDG_STATE_HOME/tilewalk/progress.toml,
// or ~/.local/state/tilewalk/progress.toml. It never blocks anybody, and can be thrown away.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/user_file.h"

namespace tilewalk {

inline constexpr double kMostMiss = 999'999;  // what is further off counts as that

struct TaskProgress {
  int tries = 0;  // wrong answers
  int hints = 0;
  bool right = false;
  bool shown = false;               // the answer was shown
  std::optional<double> miss = {};  // of a sampled call: how far the guess was off, as a share, −1 to kMostMiss
  bool operator==(const TaskProgress&) const = default;
  bool done() const { return right || shown; }
};

struct LessonProgress {
  int screen = 1;                     // the one last read, from 1
  int round = 0;                      // of drawing: how often it was taken again
  std::map<int, TaskProgress> tasks;  // by screen, from 1
  bool operator==(const LessonProgress&) const = default;
};

using LessonsProgress = std::map<std::string, LessonProgress>;  // by a lesson's id

std::string progress_path();  // empty: the system names no home
Result<LessonsProgress> parse_progress(std::string_view text, const std::string& name);
std::string progress_text(const LessonsProgress&);               // the whole file
Result<LessonsProgress> load_progress(const std::string& path);  // none yet, where there is no file
// What differs between `before` and `now` goes into the file; whatever another program did in it since stays.
Result<KeptFile> save_progress(const LessonsProgress& before, const LessonsProgress& now, const std::string& path);
LessonsProgress merged_progress(const LessonsProgress& before, const LessonsProgress& now, LessonsProgress there);

}  // namespace tilewalk
