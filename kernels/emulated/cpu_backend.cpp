#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/contains.h"
#include "kernels/emulated/cpu_block.h"
// The kernels themselves, after the header that defines CUDA's names.
#include "kernels/every_kernel.h"
#include "kernels/host/kernel_table.h"
#include "kernels/host/run_kernel.h"
#include "kernels/host/today.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kSharedLimitBytes = std::int64_t(1) << 30;

std::int64_t available_memory_bytes() {
  std::ifstream in("/proc/meminfo");
  std::string key;
  std::int64_t kib = 0;
  while (in >> key >> kib) {
    if (key == "MemAvailable:") return kib * 1024;
    in.ignore(256, '\n');
  }
  return std::int64_t(1) << 30;
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const CpuOptions& options) : options_(options) {}

  Provenance provenance() const override {
    Provenance from;
    from.ran_on = "cpu";
    from.date = today_utc();
    return from;
  }
  Result<std::int64_t> free_bytes() override { return available_memory_bytes(); }
  std::int64_t shared_limit_bytes() const override { return kSharedLimitBytes; }
  std::int64_t slice_blocks() const override { return 1; }

  Result<void*> allocate(std::size_t bytes) override {
    // Exactly as many bytes as requested, so that the address sanitizer detects the first access past the end.
    return static_cast<void*>(memory_.emplace_back(std::make_unique_for_overwrite<unsigned char[]>(bytes)).get());
  }
  Result<Done> fill(void* to, unsigned char byte, std::size_t bytes) override {
    if (bytes > 0) std::memset(to, byte, bytes);
    return Done{};
  }
  Result<Done> copy_in(void* to, const void* from, std::size_t bytes) override { return copy_out(to, from, bytes); }
  Result<Done> copy_out(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return Done{};
  }

  Result<Done> launch(const KernelKey& key, const LaunchArgs& args, std::int64_t blocks,
                      std::size_t shared_bytes) override {
    const auto begin = std::chrono::steady_clock::now();
    cpu::BlockRunner runner({options_.threads, options_.order_seed, options_.skip_barrier_line}, shared_bytes);
    const auto run_blocks = [&](auto kernel, auto... arguments) -> Result<Done> {
      for (std::int64_t block = 0; block < blocks; ++block) {
        const std::string wrong = runner.run(unsigned(block), [&] { kernel(arguments...); });
        if (!wrong.empty()) return sentence(wrong);
      }
      return Done{};
    };
    Result<Done> done = cpu::launch_from_table(key, args, run_blocks);
    if (options_.barrier_lines) {
      for (unsigned line : runner.barrier_lines()) {
        auto& lines = *options_.barrier_lines;
        if (!contains(lines, line)) lines.push_back(line);
      }
    }
    milliseconds_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return done;
  }
  double milliseconds() const override { return milliseconds_; }
  void reset_clock() override { milliseconds_ = 0; }

 private:
  CpuOptions options_;
  std::vector<std::unique_ptr<unsigned char[]>> memory_;
  double milliseconds_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(CpuOptions options) { return std::make_unique<CpuBackend>(options); }

}  // namespace tilewalk
