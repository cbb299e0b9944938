// Built without the window: reports that these verbs need it.
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

int window_verb(const CommandLine&) { return no_window("tilewalk without a verb"); }
int render_verb(const CommandLine&) { return no_window("render"); }

}  // namespace tilewalk
