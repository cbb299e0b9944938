// OpenBLAS, loaded when a product by it is first asked for. As it is loaded it starts a thread for every processor,
// each with a buffer of its own, and as the program ends it waits for them; under a limit on memory they never come. So
// what multiplies nothing by it does not load it, and it is not loaded where there is no room for them. Internal to
// kernels/cpu, kernels/race and the benchmarks.
#pragma once

#include <cblas.h>

#include <string>

namespace tilewalk::cpu {

// Why it cannot be used here: a sentence without its full stop. Empty: it is loaded.
const std::string& why_no_openblas();

struct OpenBlas {
  decltype(&::cblas_sgemm) sgemm = nullptr;
  void (*set_threads)(int) = nullptr;
  int (*threads)() = nullptr;
  char* (*config)() = nullptr;  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
  char* (*core)() = nullptr;    // "SkylakeX"
};
const OpenBlas& openblas();  // precondition: there is no reason why not

}  // namespace tilewalk::cpu
