#include "session/lesson/progress.h"

#include <cstdlib>
#include <filesystem>
#include <span>

#include "base/parse.h"
#include "files/file_io.h"
#include "files/output_file.h"
#include "files/table_reader.h"
#include "files/toml_text.h"

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = 1 << 18, kLastScreen = 1000, kMostTries = 1'000'000;

void read_task(TableReader& reader, TaskProgress& task) {
  std::int64_t tries = 0, hints = 0;
  reader.whole("tries", tries, 0);
  reader.whole("hints", hints, 0);
  task.tries = int(std::min(tries, kMostTries));
  task.hints = int(std::min(hints, kMostTries));
  reader.yes_or_no("right", task.right);
  reader.yes_or_no("shown", task.shown);
}

void read_lesson(TableReader& reader, const toml::table& table, const std::string& file, Issues& issues,
                 LessonProgress& lesson) {
  std::int64_t screen = 1;
  reader.whole("screen", screen, 1);
  lesson.screen = int(std::min(screen, kLastScreen));
  for (const auto& [key, node] : table) {
    const auto place = parse_integer(std::string_view(key.str()));
    if (!place || *place < 1 || *place > kLastScreen) continue;
    read_table(reader, std::string(key.str()), file, issues,
               [&](TableReader& task) { read_task(task, lesson.tasks[int(*place)]); });
  }
}

}  // namespace

std::string progress_path() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  const bool has_state = state && fs::path(state).is_absolute();
  if (!has_state && (!home || !*home)) return {};
  const fs::path folder = has_state ? fs::path(state) : fs::path(home) / ".local" / "state";
  return (folder / "tilewalk" / "progress.toml").string();
}

Result<LessonsProgress> parse_progress(std::string_view text, const std::string& name) {
  const Result<toml::table> table = parse_toml(text, name);
  if (!table) return table.issues();
  Issues issues;
  LessonsProgress progress;
  TableReader reader(*table, "", name, issues);
  for (const auto& [key, node] : *table)
    if (const toml::table* lesson = node.as_table())
      read_table(reader, std::string(key.str()), name, issues, [&](TableReader& each) {
        read_lesson(each, *lesson, name, issues, progress[std::string(key.str())]);
      });
  reader.refuse_unknown();
  if (!issues.empty()) return issues;
  return progress;
}

Result<LessonsProgress> load_progress(const std::string& path) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return LessonsProgress{};
  const Result<std::vector<std::byte>> bytes = read_whole_file(path, kMostBytes);
  if (!bytes) return bytes.issues();
  return parse_progress({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

Result<Done> save_progress(const LessonsProgress& progress, const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);  // where that fails, the writer says why
  std::string text;
  for (const auto& [id, lesson] : progress) {
    const std::string head = toml_text(id);
    text += "[" + head + "]\nscreen = " + std::to_string(lesson.screen) + "\n";
    for (const auto& [place, task] : lesson.tasks)
      text += "[" + head + "." + std::to_string(place) + "]\ntries = " + std::to_string(task.tries) +
              "\nhints = " + std::to_string(task.hints) + "\nright = " + (task.right ? "true" : "false") +
              "\nshown = " + (task.shown ? "true" : "false") + "\n";
  }
  return write_file({.field = "", .path = path}, std::as_bytes(std::span(text)));
}

}  // namespace tilewalk
