// Runs kernels on one device: memory, copies and launches. Two implementations: an NVIDIA GPU through the CUDA runtime
// (gpu/), and the CPU, which runs the same sources (emulated/). A failed call says why in a sentence. The destructor
// frees the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "core/problem/problem.h"
#include "kernels/host/launch_args.h"
#include "trace/trace.h"

namespace tilewalk {

enum class Pass {
#define PASS(id, ...) id,
#include "kernels/host/passes.inc"
#undef PASS
};

struct KernelKey {
  Pass pass{};
  DType dtype{};
  bool traced = false;
  bool row_fits = true;        // standard: whether a whole row of S fits on chip; backward_standard: of P and dP
  bool narrow_scores = false;  // standard: S in HBM has `dtype`, not fp32
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual Provenance provenance() const = 0;            // without kernel file and digest
  virtual Result<std::int64_t> free_bytes() = 0;        // memory that can be allocated now
  virtual std::int64_t shared_limit_bytes() const = 0;  // most shared memory a thread block may have
  virtual std::int64_t slice_blocks() const = 0;        // thread blocks a launch, where progress is reported
  virtual Result<void*> allocate(std::size_t bytes) = 0;
  virtual Result<Done> fill(void* to, unsigned char byte, std::size_t bytes) = 0;
  virtual Result<Done> copy_in(void* to, const void* from, std::size_t bytes) = 0;
  virtual Result<Done> copy_out(void* to, const void* from, std::size_t bytes) = 0;
  // Launches and waits.
  virtual Result<Done> launch(const KernelKey&, const LaunchArgs&, std::int64_t blocks, std::size_t shared_bytes) = 0;
  virtual double milliseconds() const = 0;  // summed over launches since reset_clock
  virtual void reset_clock() = 0;
};

// An issue that is one sentence.
inline Issue sentence(std::string text) {
  return {.field = std::move(text), .value = "", .rule = "", .suggestion = ""};
}

}  // namespace tilewalk
