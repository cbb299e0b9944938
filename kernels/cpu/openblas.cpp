#include "kernels/cpu/openblas.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>

#include "kernels/cpu/workers.h"

namespace tilewalk::cpu {
namespace {

constexpr const char* kFile = "libopenblas.so.0";
constexpr std::size_t kThreadBytes = std::size_t(160) << 20;  // of address space: a buffer of 128 MiB and a stack
constexpr std::size_t kLibraryBytes = std::size_t(128) << 20;

struct Loaded {
  OpenBlas library;
  std::string why_not;
};

bool has_address_space(std::size_t bytes) {
  void* const space = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return space != MAP_FAILED && ::munmap(space, bytes) == 0;
}

template <class Function>
bool find(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(::dlsym(library, name));
  return to != nullptr;
}

Loaded load() {
  const int threads = std::max(1, int(std::thread::hardware_concurrency()));
  if (!has_address_space(kLibraryBytes + kThreadBytes * std::size_t(threads)))
    return {{}, "OpenBLAS takes a buffer for each processor, and the limit on memory leaves no room for them"};
  if (threads_granted(threads) < threads)
    return {{}, "OpenBLAS starts a thread for each processor, and the limit on processes leaves no room for them"};
  void* const library = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return {{}, fmt::format("OpenBLAS is missing here ({}, in the package libopenblas0)", kFile)};
  Loaded loaded;
  OpenBlas& to = loaded.library;
  if (!find(library, "cblas_sgemm", to.sgemm) || !find(library, "openblas_set_num_threads", to.set_threads) ||
      !find(library, "openblas_get_num_threads", to.threads) || !find(library, "openblas_get_config", to.config) ||
      !find(library, "openblas_get_corename", to.core))
    loaded.why_not = fmt::format("what is found as {} is not OpenBLAS", kFile);
  return loaded;
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

const std::string& why_no_openblas() { return loaded().why_not; }
const OpenBlas& openblas() { return loaded().library; }

std::string better_core(const std::string& core, bool avx2, bool avx512) {
  // OpenBLAS's names of kernels for processors with AVX2 or more; every other name on x86 is older.
  const bool for_avx512 = core == "SkylakeX" || core == "Cooperlake" || core == "Sapphirerapids";
  const bool for_avx2 = for_avx512 || core == "Haswell" || core == "Zen" || core == "Excavator";
  if (for_avx2 || !avx2) return "";
  return avx512 ? "SKYLAKEX" : "HASWELL";
}

std::string better_core(const std::string& core) {
#if defined(__x86_64__)
  return better_core(core, __builtin_cpu_supports("avx2"), __builtin_cpu_supports("avx512f"));
#else
  return better_core(core, false, false);
#endif
}

}  // namespace tilewalk::cpu
