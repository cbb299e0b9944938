// The one check of a problem's values, for the window and for `verify`: compares the replay, visit by visit, with its
// recording, with a live run of the kernel on a GPU, or with the kernel source run on the CPU. Only the replay has the
// fault, never its reference. Blocks, so the window calls it on another thread. Inputs are digested once for each
// check; a trace that was just made is not compared with the inputs' digest.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "kernels/host/kernel_api.h"
#include "trace/verdict.h"
#include "trace/verify.h"

namespace tilewalk {

struct CheckRequest {
  Problem problem;
  FileInputs files;
  std::vector<InputEdit> edits;
  CheckAgainst against = CheckAgainst::Recording;
  std::string recordings;                            // the folder to search
  std::shared_ptr<const Trace> recording = nullptr;  // or the recording itself
};

Runner runner_for(CheckAgainst);  // the runner for a live check

enum class CheckStage { Kernel, Comparing };
using CheckProgress = std::function<bool(CheckStage, double fraction)>;  // return false to stop

struct CheckOutcome {
  CheckReport report;                           // not checked, with the reason, for one of these:
  bool no_recording = false;                    // there is no recording of this problem
  Issues bad_recording;                         // it cannot be read
  std::optional<KernelFailure> kernel_failure;  // or the kernel did not run
};

CheckOutcome check_problem(const CheckRequest&, const CheckProgress&);

// The same in slices of some milliseconds, except a running kernel. The request must outlive it.
class ProblemCheck {
 public:
  explicit ProblemCheck(const CheckRequest& request) : request_(request) {}
  bool work(const CheckProgress&);  // true: the outcome is complete
  const CheckOutcome& outcome() const { return outcome_; }

 private:
  bool begin(const CheckProgress&);

  const CheckRequest& request_;
  std::optional<Verifier> verifier_;
  CheckOutcome outcome_;
};

}  // namespace tilewalk
