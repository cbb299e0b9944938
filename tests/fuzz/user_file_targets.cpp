// Readers of a user's files: settings and recent files, progress, the lab's texts, measured machine, lessons,
// questions, plans for a class, links to a view, and a file of any kind that is opened.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/cli/open_problem.h"
#include "app/cli/verbs.h"
#include "base/parse.h"
#include "core/fields/fields.h"
#include "core/fields/validate.h"
#include "measured/measured_machine.h"
#include "pages/lab/lab_progress.h"
#include "session/class_plan.h"
#include "session/command/command_text.h"
#include "session/document/opening.h"
#include "session/document/settings.h"
#include "session/lesson/lesson_file.h"
#include "session/lesson/progress.h"
#include "session/questions/question_file.h"
#include "session/view_link.h"
#include "tests/fuzz/fuzz_checks.h"
#include "tests/fuzz/fuzz_targets.h"
#include "tests/support/temporary_folder.h"

namespace tilewalk::fuzz {
namespace {

// Splits like a shell: at spaces outside single quotes.
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (line[i] == '\'')
      quoted = !quoted;
    else if (line[i] == '\\' && !quoted && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += line[i];
  }
  return words;
}

// Decodes like a browser that returns an address.
std::string from_fragment(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '%' && i + 2 < text.size())
      out += char(std::stoi(text.substr(i + 1, 2), nullptr, 16)), i += 2;
    else
      out += text[i] == '+' ? ' ' : text[i];
  return out;
}

// Commands that lead to a view and read or write no files.
bool leads_to_a_view(const Command& command) {
  if (const Action* action = command.as<Action>())
    return *action == Action::Present || *action == Action::Last || *action == Action::TileForward;
  return command.is<GoToStep>() || command.is<ShowPage>() || command.is<EditValue>() || command.is<SetSchedule>() ||
         command.is<SetTiling>() || command.is<SetFault>();
}

}  // namespace

void settings(std::span<const std::byte> bytes) {
  const auto read = parse_settings(text_of_bytes(bytes), "settings.toml");
  told(read);
  if (!read) return;
  require(read->recent.size() <= kMostRecent, "settings: more files than are kept");
  require(read->text_scale >= kLeastTextScale && read->text_scale <= kMostTextScale, "settings: letters of no size");
  const auto again = parse_settings(settings_text(*read), "settings.toml");
  told(again);
  require(again.ok() && *again == *read, "settings: written and read differs");
}

void lab_file(std::span<const std::byte> bytes) {
  const auto read = parse_lab_progress(text_of_bytes(bytes), "lab.toml");
  told(read);
  if (!read) return;
  for (const auto& [name, task] : read->tasks)
    require(task.text.size() <= kMostKernelText && task.before.size() <= kMostKernelText, "lab: a text over the limit");
  const std::string text = lab_progress_text(*read);
  const auto again = parse_lab_progress(text, "lab.toml");
  told(again);
  require(again.ok() && *again == *read, "lab: written and read differs");
}

void progress(std::span<const std::byte> bytes) {
  const auto read = parse_progress(text_of_bytes(bytes), "progress.toml");
  told(read);
  if (!read) return;
  const std::string text = progress_text(*read);
  const auto again = parse_progress(text, "progress.toml");
  told(again);
  require(again.ok() && progress_text(*again) == text, "progress: written and read differs");
}

void machine(std::span<const std::byte> bytes) {
  const auto read = parse_machine(text_of_bytes(bytes), "machine.toml");
  told(read);
  if (!read) return;
  for (const RaceRow& row : read->raced) require(row.tflops() > 0, "machine: a race that took no time");
  const auto again = parse_machine(machine_text(*read), "machine.toml");
  told(again);
  require(again.ok() && *again == *read, "machine: written and read differs");
}

void lesson(std::span<const std::byte> bytes) {
  const auto read = parse_lesson(text_of_bytes(bytes), "07-walk.md");
  told(read);
  if (!read) return;
  require(!read->screens.empty(), "lesson: no screens");
  for (const LessonScreen& screen : read->screens) {
    if (screen.scene)
      for (const Command& command : screen.scene->commands) told(command_from(text_of(command)));
    if (screen.task) require(screen.task->hints.size() <= 3, "lesson: more hints than are shown");
  }
}

void questions(std::span<const std::byte> bytes) {
  const auto read = parse_questions(text_of_bytes(bytes), "questions.md");
  told(read);
}

void class_plan(std::span<const std::byte> bytes) {
  const auto read = parse_class_plan(text_of_bytes(bytes), "45.toml");
  told(read);
  if (!read) return;
  std::int64_t minutes = 0;
  for (const ClassPart& part : read->parts) {
    minutes += part.minutes;
    require(part.print.empty() || std::any_of(read->prints.begin(), read->prints.end(),
                                              [&](const ClassPrint& print) { return print.name == part.print; }),
            "class_plan: a print-out that is none");
  }
  require(minutes == read->minutes, "class_plan: parts that do not fill the time");
}

void any_file(std::span<const std::byte> bytes) {
  static const test::TemporaryFolder folder;
  static constexpr const char* kEndings[] = {".toml", ".safetensors", ".npy", ".png", ""};
  if (bytes.empty()) return;
  const std::string path = folder.file("x") + kEndings[std::size_t(bytes[0]) % std::size(kEndings)];
  test::write_text(path, text_of_bytes(bytes.subspan(1)));
  Result<WalkedDocument> walked = document_of_file(path);
  told(walked);
  if (!walked) return;
  const Problem& p = walked->document.problem;
  require(validate(p).empty(), "any_file: a problem that is none");
  const bool tensors = path.ends_with(".safetensors") && walked->document.paths.any();
  if (tensors) told(open_document(std::move(*walked), load_inputs));
}

void view_link(std::span<const std::byte> bytes) {
  ProblemArgs args;
  std::string then;
  for (const std::string& line : lines_of_bytes(bytes)) {
    std::string_view rest = line;
    const std::string name(take_until(rest, '='));
    if (name == "then")
      then = rest;
    else if (name == "edit")
      args.edits.push_back(std::string(rest));
    else if (find_field(name) || name == "n")
      args.texts[name] = rest;
  }
  args.texts.try_emplace("n", "16");  // without it, presets would be read
  Result<Opening> opened = open_problem(args);
  if (!opened) return;
  const std::unique_ptr<Session> session = Session::of(std::move(*opened), {});
  if (const auto commands = commands_from(then))
    for (const Command& command : *commands)
      if (leads_to_a_view(command)) session->dispatch(command);

  const std::string words = view_words(*session);
  require(from_fragment(view_fragment(*session)) == words, "view_link: an address gives other words back");
  std::vector<std::string> line = shell_words(words);
  line.insert(line.begin(), "replay");
  static CommandLineParser parser(verbs());
  const Result<CommandLine> read = parser.parse(line);
  told(read);
  require(read.ok(), "view_link: words that are refused");
  Result<Opening> again = open_problem(read->problem);
  told(again);
  require(again.ok() && put_at_step(*again, read->option("step")).ok(), "view_link: a view that does not open");
  const Document& document = session->document();
  require(again->document.problem == document.problem, "view_link: another problem");
  require(again->document.edits == document.edits, "view_link: other values");
  require(again->document.cursor == session->cursor(), "view_link: another step");
  if (const auto commands = read->option("then")) told(commands_from(*commands));
}

}  // namespace tilewalk::fuzz
