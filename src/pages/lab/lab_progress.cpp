#include "pages/lab/lab_progress.h"

#include "files/table_reader.h"
#include "files/toml_text.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostLabBytes = 4 << 20, kMostRuns = 1'000'000, kLastTask = 99;

void read_lab_task(TableReader& reader, LabTaskProgress& task) {
  reader.text("text", task.text);
  reader.text("before", task.before);
  for (const auto& [key, out] :
       {std::pair{"runs", &task.runs}, std::pair{"hints", &task.hints}, std::pair{"shown", &task.shown}}) {
    std::int64_t count = 0;
    reader.whole(key, count, 0);
    *out = int(std::min(count, kMostRuns));
  }
  reader.yes_or_no("solved", task.solved);
  for (const auto& [key, text] : {std::pair{"text", &task.text}, std::pair{"before", &task.before}})
    if (text->size() > kMostKernelText)
      reader.refuse(*reader.take(key), key, "has more than " + std::to_string(kMostKernelText / 1024) + " KiB",
                    "Move it to a file of its own; the lab can watch it");
}

}  // namespace

std::string lab_progress_path() { return user_file_path("XDG_STATE_HOME", ".local/state", "lab.toml"); }

Result<LabProgress> parse_lab_progress(std::string_view text, const std::string& name) {
  const auto read = [&](TableReader& reader, const toml::table& table, Issues& issues, LabProgress& progress) {
    std::int64_t task = progress.task;
    reader.whole("task", task, 1, kLastTask);
    progress.task = int(task);
    for (const auto& [key, node] : table)
      if (node.is_table()) {
        const std::string id(key.str());
        read_table(reader, id, name, issues, [&](TableReader& each) { read_lab_task(each, progress.tasks[id]); });
      }
  };
  return read_tables<LabProgress>(text, name, read);
}

Result<LabProgress> load_lab_progress(const std::string& path) {
  return load_user_file(path, kMostLabBytes, parse_lab_progress);
}

std::string lab_progress_text(const LabProgress& progress) {
  std::string text = "task = " + std::to_string(progress.task) + "\n";
  for (const auto& [name, task] : progress.tasks) {
    text += "[" + toml_text(name) + "]\n";
    if (!task.text.empty()) text += "text = " + toml_text(task.text) + "\n";
    if (!task.before.empty()) text += "before = " + toml_text(task.before) + "\n";
    text += "runs = " + std::to_string(task.runs) + "\nhints = " + std::to_string(task.hints) +
            "\nshown = " + std::to_string(task.shown) + "\nsolved = " + (task.solved ? "true" : "false") + "\n";
  }
  return text;
}

LabProgress merged_lab_progress(const LabProgress& before, const LabProgress& now, LabProgress there) {
  there.task = now.task;
  for (const auto& [name, task] : now.tasks) {
    const auto was = before.tasks.find(name);
    if (was == before.tasks.end() || !(was->second == task)) there.tasks[name] = task;
  }
  return there;
}

Result<KeptFile> save_lab_progress(const LabProgress& before, const LabProgress& now, const std::string& path) {
  return change_user_file(path, kMostLabBytes, [&](std::string_view text) -> Result<std::string> {
    Result<LabProgress> there = parse_lab_progress(text, path);
    if (!there) return there.issues();
    return lab_progress_text(text.empty() ? now : merged_lab_progress(before, now, std::move(*there)));
  });
}

}  // namespace tilewalk
