// The CUDA side: the kernels compiled for NVIDIA GPUs, and a Backend over the CUDA runtime, which is linked statically
// and finds the driver when the program runs. A missing or too old driver is a sentence in DeviceReport, never a crash;
// the return code of every call is checked.
#include <cuda_runtime.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <type_traits>
#include <vector>

#include "kernels/01_standard.cu"
#include "kernels/02_flash_v1.cu"
#include "kernels/03_flash_v2.cu"
#include "kernels/04_flash_v3.cu"
#include "kernels/05_flash_v4.cu"
#include "kernels/06_split_kv.cu"
#include "kernels/07_backward.cu"
#include "kernels/08_backward_v1.cu"
#include "kernels/09_backward_standard.cu"
#include "kernels/host/kernel_table.h"
#include "kernels/host/run_kernel.h"
#include "kernels/host/today.h"

namespace tilewalk {
namespace {

constexpr int kThreads = 256;
constexpr int kMinMajor = 7, kMinMinor = 5;

std::string version_text(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

// The kernel module tells its version in a line such as "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04 …".
std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  std::string word;
  while (in >> word) {
    const bool digits_and_dots = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) || c == '.'; });
    if (digits_and_dots && word.find('.') != std::string::npos) return word;
  }
  int supported = 0;
  if (cudaDriverGetVersion(&supported) == cudaSuccess && supported > 0) return "for CUDA " + version_text(supported);
  return {};
}

bool usable(const cudaDeviceProp& card) {
  return card.major > kMinMajor || (card.major == kMinMajor && card.minor >= kMinMinor);
}

std::string reason_for(cudaError_t code) {
  if (code == cudaErrorNoDevice) return "No NVIDIA GPU was found";
  if (code == cudaErrorInsufficientDriver) {
    int supported = 0;
    const bool any = cudaDriverGetVersion(&supported) == cudaSuccess && supported > 0;
    return any ? "The NVIDIA driver is too old: it supports CUDA " + version_text(supported) + ", and this build needs " + version_text(CUDART_VERSION)
               : "No NVIDIA driver was found";
  }
  return std::string("The GPU cannot be used: ") + cudaGetErrorString(code);
}

class GpuBackend final : public Backend {
 public:
  explicit GpuBackend(int device) : device_(device) {}
  ~GpuBackend() override {
    for (void* at : memory_) cudaFree(at);
    if (begin_) cudaEventDestroy(begin_);
    if (end_) cudaEventDestroy(end_);
  }

  bool open() {
    return check(cudaSetDevice(device_), "choosing the GPU") && check(cudaGetDeviceProperties(&card_, device_), "asking for the GPU's properties") &&
           check(cudaEventCreate(&begin_), "making a timer") && check(cudaEventCreate(&end_), "making a timer");
  }

  Provenance provenance() const override {
    Provenance from;
    from.ran_on = "gpu";
    from.gpu = card_.name;
    from.driver = driver_version();
    from.cuda = version_text(CUDART_VERSION);
    from.date = today_utc();
    return from;
  }
  std::int64_t free_bytes() override {
    std::size_t free = 0, all = 0;
    return check(cudaMemGetInfo(&free, &all), "asking for free memory") ? std::int64_t(free) : -1;
  }
  std::int64_t shared_limit_bytes() const override { return std::int64_t(card_.sharedMemPerBlockOptin); }
  std::int64_t slice_blocks() const override { return std::int64_t(card_.multiProcessorCount) * 16; }

  void* allocate(std::size_t bytes) override {
    void* at = nullptr;
    if (!check(cudaMalloc(&at, bytes), "allocating memory")) return nullptr;
    memory_.push_back(at);
    return at;
  }
  bool fill(void* to, unsigned char byte, std::size_t bytes) override { return check(cudaMemset(to, byte, bytes), "filling memory"); }
  bool copy_in(void* to, const void* from, std::size_t bytes) override {
    return check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
  }
  bool copy_out(void* to, const void* from, std::size_t bytes) override {
    return check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
  }

  bool launch(const KernelKey& key, const StandardBackwardAttention& attention, std::int64_t blocks, std::size_t shared_bytes) override {
    return std::visit([&](auto kernel) { return launch_kernel(kernel, attention, blocks, shared_bytes); }, gpu::kernel_for(key));
  }
  double milliseconds() const override { return milliseconds_; }
  void reset_clock() override { milliseconds_ = 0; }
  const std::string& error() const override { return error_; }

 private:
  template <class Told>
  bool launch_kernel(void (*kernel)(Told), const std::type_identity_t<Told>& told, std::int64_t blocks, std::size_t wanted_bytes) {
    // The compiler may read shared memory in aligned pieces of 16 bytes, also the piece that the last element lies in.
    const std::size_t shared_bytes = (wanted_bytes + 15) / 16 * 16;
    // More than 48 KiB of shared memory is given only to kernels that ask for it by name.
    if (!check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)),
               "asking for shared memory")) {
      return false;
    }
    if (!check(cudaEventRecord(begin_), "starting the timer")) return false;
    kernel<<<unsigned(blocks), kThreads, shared_bytes>>>(told);
    float slice_ms = 0;
    const bool done = check(cudaGetLastError(), "launching a kernel") && check(cudaEventRecord(end_), "stopping the timer") &&
                      check(cudaEventSynchronize(end_), "running a kernel") &&
                      check(cudaEventElapsedTime(&slice_ms, begin_, end_), "reading the timer");
    milliseconds_ += slice_ms;
    return done;
  }

  bool check(cudaError_t code, const char* doing) {
    if (code == cudaSuccess) return true;
    error_ = std::string("The GPU failed at ") + doing + ": " + cudaGetErrorString(code);
    return false;
  }

  int device_ = 0;
  cudaDeviceProp card_{};
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  std::vector<void*> memory_;
  double milliseconds_ = 0;
  std::string error_;
};

}  // namespace

DeviceReport probe_devices() {
  DeviceReport report;
  report.built_with_cuda = true;
  report.cuda = version_text(CUDART_VERSION);
  report.driver = driver_version();
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    report.reason = reason_for(code);
    return report;
  }
  bool any = false;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp card{};
    if (cudaGetDeviceProperties(&card, device) != cudaSuccess) continue;
    report.gpus.push_back({card.name, card.major, card.minor, std::int64_t(card.totalGlobalMem), std::int64_t(card.sharedMemPerBlockOptin)});
    any = any || usable(card);
  }
  if (!any) {
    report.reason = report.gpus.empty() ? "No NVIDIA GPU was found"
                                        : "The GPU " + report.gpus.front().name + " is older than Turing (sm_75), which the kernels need";
  }
  return report;
}

std::unique_ptr<Backend> make_gpu_backend(std::string& reason) {
  const DeviceReport report = probe_devices();
  reason = report.reason;
  if (!reason.empty()) return nullptr;
  for (int device = 0; device < int(report.gpus.size()); ++device) {
    const GpuInfo& gpu = report.gpus[std::size_t(device)];
    if (gpu.sm_major * 10 + gpu.sm_minor < kMinMajor * 10 + kMinMinor) continue;
    auto backend = std::make_unique<GpuBackend>(device);
    if (backend->open()) return backend;
    reason = backend->error();
  }
  return nullptr;
}

}  // namespace tilewalk
