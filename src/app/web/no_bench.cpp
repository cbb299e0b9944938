// Replaces bench/cli_bench.cpp: a browser's clock and its one thread cannot measure the budgets.
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/streams.h"

namespace tilewalk {

int bench_verb(const CommandLine&) {
  complain("bench measures OpenBLAS and the window of a desktop, and this program is built for the browser");
  return kExitNoDevice;
}

}  // namespace tilewalk
