// Replaces gpu_backend.cu in a build without the CUDA toolkit.
#include "kernels/host/run_kernel.h"

namespace tilewalk {

DeviceReport probe_devices() {
  DeviceReport report;
  report.reason = "This build has no CUDA: install the CUDA toolkit and build again to run kernels on a GPU";
  return report;
}

Result<std::unique_ptr<Backend>> make_gpu_backend() { return sentence(probe_devices().reason); }

}  // namespace tilewalk
