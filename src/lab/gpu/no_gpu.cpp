// Where a program cannot start another one: in a page.
#include "lab/gpu/gpu_child.h"
#include "lab/gpu/run_gpu.h"

namespace tilewalk::lab {

GpuChild own_program(std::vector<std::string>) { return {}; }

GpuRun run_in_child(const GpuJob&, const GpuChild&) {
  GpuRun out;
  out.end = GpuEnd::NoGpu;
  out.why = "A page cannot run a kernel on a GPU: take the program for a desktop.";
  return out;
}

int run_gpu_child(const std::string&, const std::string&) { return 2; }

}  // namespace tilewalk::lab
