// tilewalk lab new, hint and language: what a learner reads before writing a kernel.
#include <filesystem>

#include "app/cli/learn/lab_words.h"
#include "files/file_io.h"
#include "files/output_file.h"

namespace tilewalk {
namespace {

constexpr char kTaskLine[] = "// task: ";
constexpr std::int64_t kMostReadmeBytes = 256 * 1024;

// Without its links and without the marks of code.
std::string without_markdown(std::string text) {
  for (std::size_t at; (at = text.find("](")) != std::string::npos;) {
    const std::size_t open = text.rfind('[', at), close = text.find(')', at);
    if (open == std::string::npos || close == std::string::npos) break;
    text.replace(open, close + 1 - open, text.substr(open + 1, at - open - 1));
  }
  std::erase(text, '`');
  return text;
}

}  // namespace

Result<const lab::LabTask*> lab_task_of(const std::vector<lab::LabTask>& tasks, const std::string& typed) {
  const Result<std::int64_t> number = whole_number("task", typed, 1, 99);
  if (!number) return number.issues();
  for (const lab::LabTask& each : tasks)
    if (each.number == *number) return &each;
  return Issue{"task", typed, "is no task of the lab", "List them: tilewalk lab"};
}

std::optional<std::string> task_in_text(const std::string& text) {
  const std::string line = text.substr(0, text.find_first_of("\r\n"));
  if (!line.starts_with(kTaskLine)) return std::nullopt;
  return line.substr(std::size(kTaskLine) - 1);
}

int lab_new(const CommandLine& line, const std::vector<lab::LabTask>& tasks) {
  if (line.words.size() != 3)
    return refuse({{"lab new", "", "needs a task's number and a file", "Type tilewalk lab new 5 my.cu"}});
  const Result<const lab::LabTask*> found = lab_task_of(tasks, line.words[1]);
  if (!found) return refuse(found.issues());
  const lab::LabTask* const task = *found;
  const std::string& file = line.words[2];
  if (std::filesystem::exists(file))
    return refuse({{"file", file, "exists already, and is not overwritten", "Choose another name"}});
  const std::string text = kTaskLine + std::to_string(task->number) + "\n" + task->start;
  const Result<Done> written =
      write_file({.field = "file", .path = file, .endings = {".cu", ".txt", ".cpp"}}, std::as_bytes(std::span(text)));
  if (!written) return refuse(written.issues());
  say("{}\nThe start of task {} is in {}. Its first line names the task.\nTo check it: tilewalk lab check {}\n"
      "A hint: tilewalk lab hint {}\n",
      task->prose, task->number, file, file, task->number);
  return kExitOk;
}

int lab_hint(const CommandLine& line, const std::vector<lab::LabTask>& tasks) {
  if (line.words.size() != 2 && line.words.size() != 3)
    return refuse({{"lab hint", "", "needs a task's number", "Type tilewalk lab hint 5, then tilewalk lab hint 5 2"}});
  const Result<const lab::LabTask*> found = lab_task_of(tasks, line.words[1]);
  if (!found) return refuse(found.issues());
  const lab::LabTask& task = **found;
  const auto of = std::int64_t(task.hints.size());
  const Result<std::int64_t> number =
      line.words.size() == 2 ? Result<std::int64_t>(1) : whole_number("hint", line.words[2], 1, of);
  if (!number) return refuse(number.issues());
  const std::string& hint = task.hints[std::size_t(*number - 1)];
  if (line.has("json")) {
    print_json({{"task", task.number}, {"hint", *number}, {"hints", of}, {"text", hint}});
    return kExitOk;
  }
  say("Hint {} of {} for task {}: {}\n", *number, of, task.number, hint);
  if (*number < of) say("The next one: tilewalk lab hint {} {}\n", task.number, *number + 1);
  return kExitOk;
}

int lab_language(const CommandLine& line, const std::string& resource_root) {
  if (line.words.size() != 1)
    return refuse({{"lab language", "", "needs no more words", "Type tilewalk lab language"}});
  const Result<std::string> readme = read_text_file(resource_root + "/assets/lab/README.md", kMostReadmeBytes);
  if (!readme) return refuse(readme.issues());
  constexpr std::string_view kHead = "## The language\n\n";
  const std::size_t from = readme->find(kHead);
  if (from == std::string::npos)
    return refuse({{"lab language", "", "is not in assets/lab/README.md", "Install Tilewalk again"}});
  const std::size_t begin = from + kHead.size(), end = readme->find("\n## ", begin);
  const std::string text = without_markdown(readme->substr(begin, end - begin));
  if (line.has("json"))
    print_json({{"language", text}});
  else
    to_stdout(text);
  return kExitOk;
}

}  // namespace tilewalk
