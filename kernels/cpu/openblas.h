// OpenBLAS, loaded when the first product needs it. On loading it starts a thread for every processor, each with a
// buffer of its own, and when the program ends it waits for these threads; under a memory limit they may never start.
// So code that does not multiply with it does not load it, and it is not loaded without room for the buffers. Internal
// to kernels/cpu, kernels/race and the benchmarks.
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

// A value of OPENBLAS_CORETYPE ("SKYLAKEX") where OpenBLAS chose kernels ("Prescott") older than a processor with these
// instructions, on which they are several times slower; empty if not.
std::string better_core(const std::string& core, bool avx2, bool avx512);
std::string better_core(const std::string& core);  // on this processor

}  // namespace tilewalk::cpu
