#include "session/lesson/progress.h"

#include <fmt/format.h>

#include "base/parse.h"
#include "files/table_reader.h"
#include "files/toml_text.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostBytes = 1 << 20, kLastScreen = 1000, kMostTries = 1'000'000;
constexpr double kNoMiss = kMostMiss + 1;

void read_task(TableReader& reader, TaskProgress& task) {
  std::int64_t tries = 0, hints = 0;
  reader.whole("tries", tries, 0);
  reader.whole("hints", hints, 0);
  task.tries = int(std::min(tries, kMostTries));
  task.hints = int(std::min(hints, kMostTries));
  reader.yes_or_no("right", task.right);
  reader.yes_or_no("shown", task.shown);
  double miss = kNoMiss;
  reader.number("miss", miss, -1, kNoMiss);
  if (miss < kNoMiss) task.miss = miss;
}

void read_lesson(TableReader& reader, const toml::table& table, const std::string& file, Issues& issues,
                 LessonProgress& lesson) {
  std::int64_t screen = 1;
  reader.whole("screen", screen, 1);
  lesson.screen = int(std::min(screen, kLastScreen));
  std::int64_t round = 0;
  reader.whole("round", round, 0);
  lesson.round = int(std::min(round, kMostTries));
  for (const auto& [key, node] : table) {
    const auto place = parse_integer(std::string_view(key.str()));
    if (!place || *place < 1 || *place > kLastScreen) continue;
    read_table(reader, std::string(key.str()), file, issues,
               [&](TableReader& task) { read_task(task, lesson.tasks[int(*place)]); });
  }
}

}  // namespace

std::string progress_path() { return user_file_path("XDG_STATE_HOME", ".local/state", "progress.toml"); }

Result<LessonsProgress> parse_progress(std::string_view text, const std::string& name) {
  const auto read = [&](TableReader& reader, const toml::table& table, Issues& issues, LessonsProgress& progress) {
    for (const auto& [key, node] : table)
      if (const toml::table* lesson = node.as_table()) {
        const std::string id(key.str());
        read_table(reader, id, name, issues,
                   [&](TableReader& each) { read_lesson(each, *lesson, name, issues, progress[id]); });
      }
  };
  return read_tables<LessonsProgress>(text, name, read);
}

Result<LessonsProgress> load_progress(const std::string& path) {
  return load_user_file(path, kMostBytes, parse_progress);
}

std::string progress_text(const LessonsProgress& progress) {
  std::string text;
  for (const auto& [id, lesson] : progress) {
    const std::string head = toml_text(id);
    text += "[" + head + "]\nscreen = " + std::to_string(lesson.screen) + "\n";
    if (lesson.round > 0) text += "round = " + std::to_string(lesson.round) + "\n";
    for (const auto& [place, task] : lesson.tasks) {
      text += "[" + head + "." + std::to_string(place) + "]\ntries = " + std::to_string(task.tries) +
              "\nhints = " + std::to_string(task.hints) + "\nright = " + (task.right ? "true" : "false") +
              "\nshown = " + (task.shown ? "true" : "false") + "\n";
      if (task.miss) text += "miss = " + fmt::format("{:.4f}", *task.miss) + "\n";
    }
  }
  return text;
}

// A restarted lesson replaces the stored one; of a continued lesson, the finished steps are merged into the stored
// ones.
LessonsProgress merged_progress(const LessonsProgress& before, const LessonsProgress& now, LessonsProgress there) {
  for (const auto& [id, lesson] : now) {
    const auto was = before.find(id);
    const LessonProgress old = was == before.end() ? LessonProgress{} : was->second;
    if (was != before.end() && lesson == old) continue;
    LessonProgress& kept = there[id];
    if (lesson.round != old.round) {
      kept = lesson;
      continue;
    }
    kept.screen = lesson.screen;
    kept.round = std::max(kept.round, lesson.round);
    for (const auto& [place, task] : lesson.tasks)
      if (const auto step = old.tasks.find(place); step == old.tasks.end() || !(step->second == task))
        kept.tasks[place] = task;
  }
  return there;
}

Result<KeptFile> save_progress(const LessonsProgress& before, const LessonsProgress& now, const std::string& path) {
  return change_user_file(path, kMostBytes, [&](std::string_view text) -> Result<std::string> {
    Result<LessonsProgress> there = parse_progress(text, path);
    if (!there) return there.issues();
    return progress_text(text.empty() ? now : merged_progress(before, now, std::move(*there)));
  });
}

}  // namespace tilewalk
