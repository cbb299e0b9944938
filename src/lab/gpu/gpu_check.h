// The same text on a GPU: its states must equal the interpreter's bits. NaN equals NaN, whatever its payload: x86 and
// GPUs make other ones.
#pragma once

#include <optional>
#include <string>

#include "lab/gpu/gpu_job.h"
#include "lab/gpu/interpreter_run.h"

namespace tilewalk::lab {

// The first place where the GPU's numbers part from the interpreter's.
struct GpuDifference {
  std::int64_t visit = -1;  // in record order (lab/gpu/records), from 0; -1: in a tensor at the end
  std::int64_t batch = 0, head = 0, q_tile = 0, kv_tile = 0, row = 0;
  std::optional<std::int64_t> column;  // of o
  std::string quantity;                // "m", "l", "o", a tensor's element "O[3]", "visits"
  float here = 0, on_gpu = 0;
  std::string sentence;
};

struct GpuCheck {
  GpuRun run;
  std::int64_t visits = 0, numbers = 0;  // compared
  std::optional<GpuDifference> first;    // none: equal
  bool equal = false;                    // it ran, nothing differs and nothing was damaged
  std::string sentence;                  // the verdict, one line or several
};

GpuJob gpu_job(const InterpreterRun&, const MarkShape&);
GpuCheck compare_with_gpu(const InterpreterRun&, GpuRun);

// One verdict of several problems: the first that is not equal, else the sum. Precondition: all is none or equal.
void add_problem(std::optional<GpuCheck>& all, GpuCheck next);

// A digest of all that is compared: the visits in record order, then outputs and scratch. NaN has one payload here.
std::uint64_t digest_of_run(const InterpreterRun&);
std::uint64_t digest_of_run(const GpuRun&);  // the same of the GPU

}  // namespace tilewalk::lab
