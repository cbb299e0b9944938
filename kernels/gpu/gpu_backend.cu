// The CUDA side: the kernels compiled for NVIDIA GPUs, and a Backend over the CUDA runtime, which is linked statically
// and finds the driver when the program runs. A missing or too old driver is a sentence in DeviceReport, never a crash;
// the return code of every call is checked.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "files/nvidia_driver.h"
#include "kernels/every_kernel.h"
#include "kernels/host/kernel_table.h"
#include "kernels/host/run_kernel.h"
#include "kernels/host/today.h"

namespace tilewalk {
namespace {

constexpr int kThreads = 256;
constexpr int kMinMajor = 7, kMinMinor = 5;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driver_version() {
  if (std::string version = nvidia_driver_version(); !version.empty()) return version;
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
    return any ? "The NVIDIA driver is too old: it supports CUDA " + version_text(supported) +
                     ", and this build needs " + version_text(CUDART_VERSION)
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

  Result<Done> open() {
    if (Result<Done> done = check(cudaSetDevice(device_), "choosing the GPU"); !done) return done;
    if (Result<Done> done = check(cudaGetDeviceProperties(&card_, device_), "asking for the GPU's properties"); !done)
      return done;
    if (Result<Done> done = check(cudaEventCreate(&begin_), "making a timer"); !done) return done;
    return check(cudaEventCreate(&end_), "making a timer");
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
  Result<std::int64_t> free_bytes() override {
    std::size_t free = 0, all = 0;
    if (Result<Done> done = check(cudaMemGetInfo(&free, &all), "asking for free memory"); !done) return done.issues();
    return std::int64_t(free);
  }
  std::int64_t shared_limit_bytes() const override { return std::int64_t(card_.sharedMemPerBlockOptin); }
  std::int64_t slice_blocks() const override { return std::int64_t(card_.multiProcessorCount) * 16; }

  Result<void*> allocate(std::size_t bytes) override {
    void* at = nullptr;
    if (Result<Done> done = check(cudaMalloc(&at, bytes), "allocating memory"); !done) return done.issues();
    memory_.push_back(at);
    return at;
  }
  Result<Done> fill(void* to, unsigned char byte, std::size_t bytes) override {
    return check(cudaMemset(to, byte, bytes), "filling memory");
  }
  Result<Done> copy_in(void* to, const void* from, std::size_t bytes) override {
    return check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
  }
  Result<Done> copy_out(void* to, const void* from, std::size_t bytes) override {
    return check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
  }

  Result<Done> launch(const KernelKey& key, const LaunchArgs& args, std::int64_t blocks,
                      std::size_t shared_bytes) override {
    return gpu::launch_from_table(key, args, [&](auto kernel, auto... arguments) {
      return launch_kernel(blocks, shared_bytes, kernel, arguments...);
    });
  }
  double milliseconds() const override { return milliseconds_; }
  void reset_clock() override { milliseconds_ = 0; }

 private:
  template <class Kernel, class... Arguments>
  Result<Done> launch_kernel(std::int64_t blocks, std::size_t wanted_bytes, Kernel* kernel, Arguments... arguments) {
    // The compiler may read shared memory in aligned pieces of 16 bytes, also the piece with the last element.
    const std::size_t shared_bytes = (wanted_bytes + 15) / 16 * 16;
    // Only kernels that request it explicitly get more than 48 KiB of shared memory.
    if (Result<Done> done = check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                                       cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)),
                                  "asking for shared memory");
        !done)
      return done;
    if (Result<Done> done = check(cudaEventRecord(begin_), "starting the timer"); !done) return done;
    kernel<<<unsigned(blocks), kThreads, shared_bytes>>>(arguments...);
    return finish_launch();
  }

  Result<Done> finish_launch() {
    if (Result<Done> done = check(cudaGetLastError(), "launching a kernel"); !done) return done;
    if (Result<Done> done = check(cudaEventRecord(end_), "stopping the timer"); !done) return done;
    if (Result<Done> done = check(cudaEventSynchronize(end_), "running a kernel"); !done) return done;
    float slice_ms = 0;
    if (Result<Done> done = check(cudaEventElapsedTime(&slice_ms, begin_, end_), "reading the timer"); !done)
      return done;
    milliseconds_ += slice_ms;
    return Done{};
  }

  static Result<Done> check(cudaError_t code, const char* doing) {
    if (code == cudaSuccess) return Done{};
    return sentence(std::string("The GPU failed at ") + doing + ": " + cudaGetErrorString(code));
  }

  int device_ = 0;
  cudaDeviceProp card_{};
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  std::vector<void*> memory_;
  double milliseconds_ = 0;
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
    report.gpus.push_back({.name = card.name,
                           .sm_major = card.major,
                           .sm_minor = card.minor,
                           .memory_bytes = std::int64_t(card.totalGlobalMem),
                           .shared_per_block_bytes = std::int64_t(card.sharedMemPerBlockOptin)});
    any = any || usable(card);
  }
  if (!any) {
    report.reason = report.gpus.empty() ? "No NVIDIA GPU was found"
                                        : "The GPU " + report.gpus.front().name +
                                              " is older than Turing (sm_75), which the kernels need";
  }
  return report;
}

Result<std::unique_ptr<Backend>> make_gpu_backend() {
  const DeviceReport report = probe_devices();
  Issues issues;
  for (int device = 0; device < int(report.gpus.size()); ++device) {
    const GpuInfo& gpu = report.gpus[std::size_t(device)];
    if (gpu.sm_major * 10 + gpu.sm_minor < kMinMajor * 10 + kMinMinor) continue;
    auto backend = std::make_unique<GpuBackend>(device);
    const Result<Done> opened = backend->open();
    if (opened) return std::unique_ptr<Backend>(std::move(backend));
    issues = opened.issues();
  }
  if (!issues.empty()) return issues;
  return sentence(report.reason);
}

}  // namespace tilewalk
