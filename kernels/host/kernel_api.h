// The header of the teaching kernels for other folders; race/live_race.h is that of the fast ones. Plain C++: no CUDA
// types.
//
// The same kernel sources run on an NVIDIA GPU (Runner::Gpu) and, compiled as plain C++, on the CPU (Runner::Cpu). The
// CPU is for tests and for `verify --cpu`, and is never labelled GPU. Without CUDA in the build, Runner::Gpu returns
// NoDevice with a sentence. Calls block; run them off the UI thread. KernelProgress reports progress and cancels.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/problem/problem.h"
#include "core/problem/tensor.h"
#include "trace/trace.h"

namespace tilewalk {

enum class Runner { Gpu, Cpu };

struct GpuInfo {
  std::string name;  // "NVIDIA H200"
  int sm_major = 0, sm_minor = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t shared_per_block_bytes = 0;  // opt-in limit
};

struct DeviceReport {
  bool built_with_cuda = false;
  std::string cuda;    // toolkit built with, "13.0"; empty without CUDA
  std::string driver;  // "580.159.04"; empty if there is none
  std::vector<GpuInfo> gpus;
  std::string reason;  // why there is no usable GPU, one sentence; empty if there is one
};

DeviceReport probe_devices();

struct PassPlan;     // kernels/host/passes.h
struct Rung {        // one kernel file of the ladder
  int number = 0;    // 1 for 01_standard.cu
  std::string file;  // "01_standard.cu"
  ScheduleKind schedule{};
  std::string idea;                                           // one sentence
  std::vector<PassPlan> (*passes)(const Problem&) = nullptr;  // its launches
  std::string needs;                                          // "any CUDA GPU"
  int min_sm = 0;                                             // 70 for sm_70
  std::string digest;                                         // SHA-256 of the source as built
};

const std::vector<Rung>& kernel_registry();
bool has_kernel(ScheduleKind);
const Rung& rung_for(ScheduleKind);  // without file and digest where there is no kernel yet

struct KernelFailure {
  enum class Kind { NoDevice, DoesNotFit, Failed, Cancelled } kind = Kind::Failed;
  std::string text;  // a sentence with the numbers in it
};

struct KernelResult {
  Tensor o;           // [batch, heads, n_q, d], rounded to the dtype
  Tensor lse;         // [batch, heads, n_q, 1], log2 units
  Tensor dq, dk, dv;  // the backward passes: shaped as Q, K and V, rounded to the dtype; else empty
  std::optional<Trace> trace;
  // Kernel time: CUDA events on a GPU, wall clock on the CPU. For a backward pass, without the forward pass before it.
  double milliseconds = 0;
};

struct KernelOutcome {  // exactly one of the two is set
  std::optional<KernelResult> result;
  std::optional<KernelFailure> failure;
};

using KernelProgress = std::function<bool(double fraction)>;  // return false to cancel

// Runs the teaching kernel of inputs.problem().schedule. `trace`: nothing recorded if empty.
KernelOutcome run_kernel(Runner, const Inputs&, std::optional<TraceDetail> trace, const KernelProgress& = {});

// Shared memory of the kernel in bytes, and its parts as "Q 16 KiB + K 16 KiB + … = 80 KiB".
std::int64_t kernel_shared_bytes(const Problem&);
std::string kernel_shared_sum(const Problem&);

}  // namespace tilewalk
