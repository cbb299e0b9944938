// Replaces window/render_verb.cpp: a browser draws only on its page.
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/streams.h"

namespace tilewalk {

int render_verb(const CommandLine&) {
  complain("render draws without a window, and this program is built for the browser");
  return kExitNoDevice;
}

}  // namespace tilewalk
