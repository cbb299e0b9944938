#include "app/cli/text/then.h"

#include <fmt/format.h>

#include "app/cli/lessons.h"
#include "app/cli/verbs.h"
#include "app/jobs/thread_pool.h"
#include "session/command/command_text.h"
#include "session/resources.h"
#include "session/script.h"

namespace tilewalk {
namespace {

const char* verb_for(Action action) {
  switch (action) {
    case Action::RaceCpu: return "tilewalk race --cpu does it";
    case Action::RaceGpu: return "tilewalk race --gpu does it";
    case Action::MeasureMachine: return "tilewalk predict --measure does it";
    case Action::CheckLive: return "tilewalk verify --live does it";
    case Action::CopyCommandLine:
    case Action::CopyLink:
    case Action::StopExport:
    case Action::StopRace:
    case Action::StopMeasuring:
    case Action::StopProfile:
    case Action::FullScreen:
    case Action::Quit: return "Leave it out";
    default: return nullptr;
  }
}

// For commands that the window does beside its frames, or for the person in front of it: the verb that does the same,
// since this verb would end first. Empty for commands that a verb does too.
std::string instead_of(const Command& command) {
  if (const ExportFile* const file = command.as<ExportFile>())
    return std::string(export_row(file->kind).verb) + " does it";
  const Action* const action = command.as<Action>();
  const char* const verb = action ? verb_for(*action) : nullptr;
  return verb ? verb : "";
}

}  // namespace

Result<std::vector<Command>> commands_of_then(const CommandLine& line, Reach most) {
  Result<std::vector<Command>> commands = commands_from(line.option("then").value_or(""), most);
  Issues issues = commands ? Issues{} : commands.issues();
  for (std::size_t i = 0; commands && i < commands->size(); ++i)
    if (const std::string instead = instead_of((*commands)[i]); !instead.empty())
      issues.push_back(
          {"command " + std::to_string(i + 1), text_of((*commands)[i]), "is done by the window alone", instead});
  if (issues.empty()) return commands;
  for (Issue& issue : issues) issue.field = "then, " + issue.field;
  return issues;
}

Result<std::unique_ptr<Session>> carried_out(Opening opened, const std::vector<Command>& commands) {
  SessionSetup setup;
  setup.workers = make_thread_pool();
  setup.load_inputs = load_inputs;
  if (const Result<std::string> root = find_resource_root(); root) {
    setup.presets = take_presets(opened, *root);
    read_from(*root, setup);
  }
  setup.load_lessons = [] { return open_lessons({}); };
  std::unique_ptr<Session> session = Session::of(std::move(opened), std::move(setup));
  if (const Result<Done> done = carry_out(*session, commands); !done) {
    Issues issues = done.issues();
    for (Issue& issue : issues) issue.field = "then, " + issue.field;
    return issues;
  }
  return session;
}

std::string help_of_then() {
  std::string out = "Commands of --then, ';' between them:\n";
  for (const CommandForm& form : command_forms()) out += fmt::format("  {:<44} {}\n", form.text, form.help);
  return out;
}

}  // namespace tilewalk
