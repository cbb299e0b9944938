// One binary: a verb of the command line, or the window.
#include <fmt/format.h>

#include <exception>
#include <new>

#include "app/cli/output.h"
#include "app/cli/verbs.h"

namespace {

int run(const tilewalk::CommandLine& line) {
  using namespace tilewalk;
  switch (line.verb) {
    case Verb::Window: return window_verb(line);
    case Verb::Replay: return replay_verb(line);
    case Verb::Counters: return counters_verb(line);
    case Verb::Verify: return verify_verb(line);
    case Verb::Run: return run_verb(line);
    case Verb::Record: return record_verb(line);
    case Verb::Render: return render_verb(line);
    case Verb::Bench: return bench_verb(line);
    case Verb::Devices: return devices_verb(line);
    case Verb::Race: return race_verb(line);
  }
  return kExitInternal;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto line = tilewalk::parse_command_line({argv + 1, argv + argc});
    if (!line) return tilewalk::refuse(line.issues());
    if (!line->message.empty()) {
      fmt::print("{}", line->message);
      return tilewalk::kExitOk;
    }
    return run(*line);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "tilewalk: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "tilewalk: internal error: {}\n", error.what());
  }
  return tilewalk::kExitInternal;
}
