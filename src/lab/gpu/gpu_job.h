// What the child process runs on a GPU, what it found, and the form of both in files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {

struct GpuTensor {
  std::string name = {};
  std::int64_t size = 0;           // elements of 32 bits
  bool is_scratch = false;         // declared in the text: found by its name
  bool is_const = false;           // must be unchanged at the end
  std::vector<float> values = {};  // empty: starts poisoned, and comes back
  bool operator==(const GpuTensor&) const = default;
};

struct GpuLaunch {
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<int> tensors = {};  // its parameters
  // Marks of one thread block that are recorded; further ones are dropped.
  std::int64_t most_visits = 0, most_rows = 0;
  bool operator==(const GpuLaunch&) const = default;

  std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::int64_t threads() const { return block[0] * block[1] * block[2]; }
};

struct GpuJob {
  std::string text = {};  // lab/gpu/gpu_text
  std::vector<GpuTensor> tensors = {};
  std::vector<GpuLaunch> launches = {};
  MarkShape shape = {};
  std::string cache_folder = {};      // of compiled kernels; empty: none
  std::int64_t deadline_ms = 10'000;  // of all launches together, without compiling
};

enum class GpuEnd {
  Ran,
  NoGpu,        // no driver, no device
  NoCompiler,   // no NVRTC
  NotCompiled,  // NVRTC refused the text
  TooLarge,
  Deadline,
  Crashed,  // the GPU stopped the kernel: an address that is not its own, for example
  Lost      // the child ended without a result
};

struct GpuRun {
  GpuEnd end = GpuEnd::Lost;
  std::string why = {};                                 // one sentence; empty if it ran
  std::string device = {}, driver = {}, compiler = {};  // "NVIDIA H100 80GB HBM3", "580.159.04", "NVRTC 13.0"
  bool from_cache = false;
  std::vector<RunVisit> visits = {};             // by thread block; marks of one row after the others of their block
  std::vector<std::string> damage = {};          // one sentence each: guard bands and inputs that were written
  std::vector<std::vector<float>> outputs = {};  // of each tensor without values and scratch; else empty
  std::int64_t dropped = 0;                      // marks past most_visits and most_rows, and of tiles that do not exist
};

std::vector<std::byte> bytes_of(const GpuJob&);
std::vector<std::byte> bytes_of(const GpuRun&);
// Refuses incomplete bytes, and bytes behind the end.
Result<GpuJob> job_of(std::span<const std::byte>);
Result<GpuRun> run_of(std::span<const std::byte>);

}  // namespace tilewalk::lab
