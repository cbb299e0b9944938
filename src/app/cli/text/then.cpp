#include "app/cli/text/then.h"

#include <fmt/format.h>

#include "app/cli/learn/lessons.h"
#include "app/jobs/thread_crew.h"
#include "session/command_text.h"
#include "session/resources.h"
#include "session/script.h"

namespace tilewalk {

Result<std::vector<Command>> commands_of_then(const CommandLine& line) {
  Result<std::vector<Command>> commands = commands_from(line.option("then").value_or(""));
  if (commands) return commands;
  Issues issues = commands.issues();
  for (Issue& issue : issues) issue.field = "then, " + issue.field;
  return issues;
}

Result<std::unique_ptr<Session>> carried_out(Opening opened, const std::vector<Command>& commands) {
  SessionSetup setup;
  setup.crew = make_thread_crew();
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
