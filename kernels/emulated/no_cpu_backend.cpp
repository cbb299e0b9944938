// Stands in for cpu_backend.cpp in WebAssembly, where a thread block's threads cannot take turns on stacks of their
// own.
#include "kernels/emulated/cpu_backend.h"

namespace tilewalk {

std::unique_ptr<Backend> make_cpu_backend(CpuOptions) { return nullptr; }

}  // namespace tilewalk
