// Built without the window: what needs it says so.
#include "app/bench/bench_window.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/streams.h"

namespace tilewalk {
namespace {

int no_window(const char* what) {
  complain(std::string(what) +
           " needs the window, and this build was made without it (TILEWALK_GUI=OFF). tilewalk --help lists what works "
           "here.");
  return kExitInternal;
}

}  // namespace

Result<WindowBench> bench_window(bool, bool) {
  return Issue{"bench", "", "this build was made without the window", "Configure with TILEWALK_GUI=ON"};
}

int window_verb(const CommandLine&) { return no_window("tilewalk without a verb"); }
int render_verb(const CommandLine&) { return no_window("render"); }

}  // namespace tilewalk
