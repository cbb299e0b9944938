// The one check of a problem's values, for the window and for `verify`: its replay is compared, visit by visit, with
// its recording, against the kernel run live on a GPU, or against the kernel source run on the CPU. A fault is the
// replay's alone; what it is compared with never has one. Blocks: the window calls it off the thread that draws. Inputs
// are digested once a check: a trace made here and now needs no second look at what it was made from.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "kernels/kernel_api.h"
#include "trace/verdict.h"
#include "trace/verify.h"

namespace tilewalk {

struct CheckRequest {
  Problem problem;
  FileInputs files;
  std::vector<InputEdit> edits;
  CheckAgainst against = CheckAgainst::Recording;
  std::string recordings;                            // the folder to look in,
  std::shared_ptr<const Trace> recording = nullptr;  // unless it is here already
};

Runner runner_for(CheckAgainst);  // what runs the kernel of a check that runs one

enum class CheckStage { Kernel, Comparing };
using CheckProgress = std::function<bool(CheckStage, double fraction)>;  // return false to stop

struct CheckOutcome {
  CheckReport report;         // not checked, with the reason, where there was nothing to compare with:
  bool no_recording = false;  // there is none of this problem,
  Issues bad_recording;       // it cannot be read,
  std::optional<KernelFailure> kernel_failure;  // or the kernel did not run
};

CheckOutcome check_problem(const CheckRequest&, const CheckProgress&);

// The same in slices of some milliseconds, but for a kernel that runs. The request must live as long.
class ProblemCheck {
 public:
  explicit ProblemCheck(const CheckRequest& request) : request_(request) {}
  bool work(const CheckProgress&);  // true: the outcome is there
  const CheckOutcome& outcome() const { return outcome_; }

 private:
  bool begin(const CheckProgress&);

  const CheckRequest& request_;
  std::optional<Verifier> verifier_;
  CheckOutcome outcome_;
};

}  // namespace tilewalk
