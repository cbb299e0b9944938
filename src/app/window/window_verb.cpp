// tilewalk without a verb: the window.
#include <filesystem>

#include "app/cli/lessons.h"
#include "app/cli/output.h"
#include "app/cli/text/then.h"
#include "app/cli/verbs.h"
#include "app/streams.h"
#include "app/window/frame_loop.h"
#include "base/words.h"
#include "session/command/page_address.h"
#include "session/document/settings.h"

namespace tilewalk {
namespace {

bool is_kept(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool nothing_is_kept() { return !is_kept(settings_path()) && !is_kept(progress_path()); }

}  // namespace

// A browser's link has a step and commands too; its author may not be the person who opens it.
int window_verb(const CommandLine& line) {
  const Result<std::vector<Command>> then = commands_of_then(line, Reach::Link);
  if (!then) return refuse(then.issues());
  Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  if (const Result<Done> put = put_at_step(*opened, line.option("step")); !put) return refuse(put.issues());
  Result<Settings> settings = load_settings(settings_path());
  if (settings && !is_kept(settings_path())) settings->dark = !page_prefers_light();
  const bool saved_as_seen = line.problem.texts.contains("session");
  if (settings && !saved_as_seen) put_settings(*settings, opened->document.view);
  KnownLessons known;
  known.load = [] { return open_lessons({}); };
  if (const auto folder = line.option("lessons")) {  // reports errors in the lessons before the window opens
    const Result<std::vector<Lesson>> lessons = open_lessons(folder);
    if (!lessons) return refuse(lessons.issues());
    known.load = [lessons] { return lessons; };
  }
  Result<LessonsProgress> progress = load_progress(progress_path());
  if (progress) known.progress = std::move(*progress);
  Result<LabProgress> lab = load_lab_progress(lab_progress_path());
  if (lab) known.lab = std::move(*lab);
  Result<MeasuredMachine> machine = load_machine(machine_path());
  for (const Issues& wrong : {settings ? Issues{} : settings.issues(), progress ? Issues{} : progress.issues(),
                              lab ? Issues{} : lab.issues(), machine ? Issues{} : machine.issues()})
    if (!wrong.empty()) add_to_list(known.unread, in_one_line(wrong), ". ");
  if (!known.unread.empty()) {
    known.unread += ". It stays as it is until something new is kept, and is set aside then";
    complain(known.unread);
  }
  known.first_start = !line.problem.any() && then->empty() && nothing_is_kept();
  return run_window(std::move(*opened), settings ? *settings : Settings{}, std::move(known),
                    machine ? std::move(*machine) : MeasuredMachine{}, *then);
}

}  // namespace tilewalk
