// Compiles a kernel's text by NVRTC, or takes it from the cache.
#pragma once

#include <string>
#include <vector>

#include "lab/gpu/cuda_libraries.h"

namespace tilewalk::lab {

struct GpuCode {
  std::vector<char> bytes;  // a cubin, or PTX with a zero at its end
  bool from_cache = false;
  std::string why;  // NVRTC's messages, if it refused the text
  bool ok() const { return why.empty(); }
};

// For compute capability `arch`, 90 for example: a cubin if NVRTC knows it, else PTX of the newest that it knows.
// What is cached has the compiler's version and flags before the text, and is compared as a whole.
GpuCode compile_for_gpu(const CudaCompiler&, const std::string& text, int arch, const std::string& cache_folder);

std::vector<std::string> compile_flags(const CudaCompiler&, int arch);

}  // namespace tilewalk::lab
