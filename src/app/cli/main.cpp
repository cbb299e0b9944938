// One binary: a verb of the command line, or the window.

#include <exception>
#include <new>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "base/shown.h"
#include "core/problem/device_model.h"

namespace {

// The text of --device: a flag of the problem, or of the verb. Empty: it was not given.
std::string device_asked(const tilewalk::CommandLine& line) {
  const auto flag = line.problem.texts.find("device");
  return flag != line.problem.texts.end() ? flag->second : line.option("device").value_or("");
}

int run(const std::vector<std::string>& words) {
  try {
    const auto line = tilewalk::parse_command_line(words, tilewalk::verbs());
    if (!line) return tilewalk::refuse(line.issues());
    if (!line->message.empty()) {
      tilewalk::say("{}", line->message);
      return tilewalk::kExitOk;
    }
    if (const std::string sentence = tilewalk::stand_in_sentence(device_asked(*line)); !sentence.empty())
      tilewalk::complain(sentence);
    if (!line->verb) return tilewalk::window_verb(*line);
    const tilewalk::Heartbeat heartbeat;
    return line->verb->run(*line);
  } catch (const std::bad_alloc&) {
    tilewalk::complain("out of memory");
  } catch (const std::exception& error) {
    if (!tilewalk::stdout_failed()) tilewalk::complain("internal error: " + tilewalk::shown(error.what()));
  }
  return tilewalk::kExitInternal;
}

}  // namespace

int main(int argc, char** argv) {
  tilewalk::guard_streams();
  tilewalk::end_on_interrupts();
  tilewalk::end_on_faults();
  const int exit = run({argv + (argc > 0), argv + argc});
  return tilewalk::close_stdout() ? exit : tilewalk::kExitInternal;
}
