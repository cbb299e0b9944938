#include "lab/gpu/run_gpu.h"

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "files/file_io.h"
#include "files/nvidia_driver.h"
#include "files/output_file.h"
#include "lab/gpu/compile_gpu.h"
#include "lab/gpu/cuda_libraries.h"
#include "lab/gpu/gpu_text.h"
#include "lab/gpu/records.h"

namespace tilewalk::lab {
namespace {

using Pointer64 = CudaDriver::DevicePointer;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kGuardWords = 16 * 1024;  // on each side of a tensor
constexpr std::uint32_t kPoison = 0x7fdeadadu;  // as the interpreter's: a NaN that no arithmetic makes
constexpr std::int64_t kMostBytes = std::int64_t(1) << 30;

class GpuRunner {
 public:
  explicit GpuRunner(const GpuJob& job) : job_(job), cuda_(load_cuda_driver()) {}

  GpuRun run() {
    if (find_device() && fits() && compile() && load_tensors()) {
      const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(job_.deadline_ms);
      std::int64_t blocks_before = 0;
      bool ran = true;
      for (std::size_t at = 0; at < job_.launches.size() && ran; ++at) {
        ran = launch(at, deadline, blocks_before);
        blocks_before += job_.launches[at].blocks();
      }
      if (ran && read_tensors()) out_.end = GpuEnd::Ran;
    }
    return std::move(out_);
  }

 private:
  bool ends(GpuEnd end, std::string why) {
    out_.end = end;
    out_.why = std::move(why);
    return false;
  }
  // False, with the GPU's reason, if the call failed.
  bool did(int error) {
    if (error == 0) return true;
    return ends(GpuEnd::Crashed, "The GPU ended the kernel: " + cuda_.text_of(error) + ".");
  }

  bool find_device() {
    if (!cuda_.found()) return ends(GpuEnd::NoGpu, cuda_.why + ".");
    int count = 0, version = 0;
    if (const int error = cuda_.init(0); error != 0)
      return ends(GpuEnd::NoGpu, "The NVIDIA driver does not start: " + cuda_.text_of(error) + ".");
    if (cuda_.device_count(&count) != 0 || count < 1) return ends(GpuEnd::NoGpu, "There is no NVIDIA GPU.");
    char name[256] = {};
    int device = 0, major = 0, minor = 0;
    if (!did(cuda_.device_get(&device, 0)) || !did(cuda_.device_name(name, sizeof name - 1, device)) ||
        !did(cuda_.driver_version(&version)) || !did(cuda_.device_attribute(&major, CudaDriver::kMajor, device)) ||
        !did(cuda_.device_attribute(&minor, CudaDriver::kMinor, device)) ||
        !did(cuda_.retain_context(&context_, device)) || !did(cuda_.set_context(context_)))
      return false;
    out_.device = name;
    out_.driver = nvidia_driver_version();
    if (out_.driver.empty())
      out_.driver = "for CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    arch_ = major * 10 + minor;
    return true;
  }

  bool fits() {
    std::int64_t bytes = 0;
    for (const GpuTensor& each : job_.tensors) bytes += (each.size + 2 * std::int64_t(kGuardWords)) * 4;
    for (const GpuLaunch& each : job_.launches) bytes += layout_of(each, job_.shape).bytes;
    if (bytes <= kMostBytes) return true;
    return ends(GpuEnd::TooLarge, "The tensors and the recorded states need " + std::to_string(bytes >> 20) +
                                      " MiB on the GPU, and the lab uses at most " + std::to_string(kMostBytes >> 20) +
                                      ". Try a smaller problem.");
  }

  bool compile() {
    const CudaCompiler nvrtc = load_cuda_compiler();
    if (!nvrtc.found()) return ends(GpuEnd::NoCompiler, nvrtc.why + ".");
    out_.compiler = nvrtc.version_text();
    const GpuCode code = compile_for_gpu(nvrtc, job_.text, arch_, job_.cache_folder);
    if (!code.ok()) return ends(GpuEnd::NotCompiled, "NVRTC does not compile the text:\n" + code.why);
    out_.from_cache = code.from_cache;
    if (const int error = cuda_.load_module(&module_, code.bytes.data()); error != 0)
      return ends(GpuEnd::NotCompiled, "The driver does not load the kernel: " + cuda_.text_of(error) + ".");
    return true;
  }

  bool load_tensors() {
    for (const GpuTensor& each : job_.tensors) {
      const std::size_t words = std::size_t(each.size);
      Pointer64 at = 0;
      if (each.is_scratch) {
        std::size_t bytes = 0;
        if (!did(cuda_.module_global(&at, &bytes, module_, each.name.c_str()))) return false;
        if (bytes != words * 4) return ends(GpuEnd::NotCompiled, each.name + " has another size on the GPU.");
        if (!did(cuda_.fill_words(at, kPoison, words))) return false;
      } else {
        if (!did(cuda_.allocate(&at, (words + 2 * kGuardWords) * 4)) ||
            !did(cuda_.fill_words(at, kPoison, words + 2 * kGuardWords)))
          return false;
        at += kGuardWords * 4;
        if (!each.values.empty() && !did(cuda_.to_device(at, each.values.data(), words * 4))) return false;
      }
      places_.push_back(at);
    }
    return true;
  }

  bool launch(std::size_t number, Clock::time_point deadline, std::int64_t blocks_before) {
    const GpuLaunch& each = job_.launches[number];
    const RecordLayout layout = layout_of(each, job_.shape);
    Pointer64 records = 0, recorder = 0;
    std::size_t recorder_bytes = 0;
    if (!did(cuda_.allocate(&records, std::size_t(layout.bytes))) ||
        !did(cuda_.fill_words(records, 0, std::size_t(layout.bytes) / 4)) ||
        !did(cuda_.module_global(&recorder, &recorder_bytes, module_, "tilewalk_recorder")))
      return false;
    const DeviceRecorder filled = recorder_at(records, layout, each);
    if (recorder_bytes != sizeof filled) return ends(GpuEnd::NotCompiled, "The recorder has another size on the GPU.");
    void* function = nullptr;
    if (!did(cuda_.to_device(recorder, &filled, sizeof filled)) ||
        !did(cuda_.module_function(&function, module_, gpu_launch_name(number).c_str())))
      return false;
    std::vector<Pointer64> arguments;
    for (const int tensor : each.tensors) arguments.push_back(places_[std::size_t(tensor)]);
    std::vector<void*> pointers;
    for (Pointer64& argument : arguments) pointers.push_back(&argument);
    const auto in = [](const std::array<std::int64_t, 3>& of, std::size_t axis) { return unsigned(of[axis]); };
    if (const int error =
            cuda_.launch(function, in(each.grid, 0), in(each.grid, 1), in(each.grid, 2), in(each.block, 0),
                         in(each.block, 1), in(each.block, 2), 0, nullptr, pointers.data(), nullptr);
        error != 0)
      return ends(GpuEnd::Crashed, "The GPU does not start the kernel: " + cuda_.text_of(error) + ".");
    int state = 0;
    while ((state = cuda_.query_stream(nullptr)) == CudaDriver::kNotReady) {
      if (Clock::now() > deadline)
        return ends(GpuEnd::Deadline, "The kernel did not end within " +
                                          std::to_string((job_.deadline_ms + 999) / 1000) +
                                          " seconds on the GPU: is a loop endless, or does a barrier wait for ever?");
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (!did(state)) return false;
    std::vector<std::byte> bytes(std::size_t(layout.bytes), std::byte(0));
    if (!did(cuda_.to_host(bytes.data(), records, bytes.size()))) return false;
    out_.dropped += read_records(bytes, layout, each, job_.shape, blocks_before, out_.visits);
    return true;
  }

  bool read_tensors() {
    std::vector<std::uint32_t> words;
    for (std::size_t at = 0; at < job_.tensors.size(); ++at) {
      const GpuTensor& each = job_.tensors[at];
      const std::size_t guard = each.is_scratch ? 0 : kGuardWords, size = std::size_t(each.size);
      words.assign(size + 2 * guard, 0);
      if (!did(cuda_.to_host(words.data(), places_[at] - guard * 4, words.size() * 4))) return false;
      note_damage(each, words, guard);
      out_.outputs.emplace_back();
      if (!each.values.empty()) continue;
      out_.outputs.back().resize(size);
      std::memcpy(out_.outputs.back().data(), words.data() + guard, size * 4);
    }
    return true;
  }

  void note_damage(const GpuTensor& each, const std::vector<std::uint32_t>& words, std::size_t guard) {
    const std::size_t size = std::size_t(each.size);
    for (std::size_t at = 0; at < words.size(); ++at) {
      const bool outside = at < guard || at >= guard + size;
      if (outside && words[at] == kPoison) continue;
      if (!outside) {
        std::uint32_t bits = 0;
        if (!each.is_const || each.values.empty()) continue;
        std::memcpy(&bits, &each.values[at - guard], 4);
        if (words[at] == bits) continue;
      }
      const std::string element = each.name + "[" + std::to_string(std::int64_t(at) - std::int64_t(guard)) + "]";
      out_.damage.push_back(outside ? "The GPU wrote outside of " + each.name + ": " + element + "."
                                    : "The GPU wrote to an input: " + element + ".");
      return;
    }
  }

  const GpuJob& job_;
  CudaDriver cuda_;
  GpuRun out_;
  int arch_ = 0;
  void *context_ = nullptr, *module_ = nullptr;
  std::vector<Pointer64> places_;
};

}  // namespace

GpuRun run_on_gpu(const GpuJob& job) { return GpuRunner(job).run(); }

int run_gpu_child(const std::string& job_file, const std::string& run_file) {
  constexpr std::int64_t kMostJobBytes = std::int64_t(2) << 30;
  const auto bytes = read_whole_file(job_file, kMostJobBytes);
  if (!bytes) return 2;
  const auto job = job_of(*bytes);
  if (!job) return 2;
  const std::vector<std::byte> run = bytes_of(run_on_gpu(*job));
  const bool written = write_file({.field = "", .path = run_file, .to_disk = false}, run).ok();
  ::_exit(written ? 0 : 2);  // exit handlers of the driver would wait for a kernel that hangs
}

}  // namespace tilewalk::lab
