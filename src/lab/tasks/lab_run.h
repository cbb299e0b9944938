// A learner's text, run for one task: checked on the task's own problem and on its others, and made ready to be walked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/run/run_walk.h"
#include "lab/run/thread_path.h"
#include "lab/tasks/kernel_check.h"

namespace tilewalk::lab {

struct LabRunRequest {
  std::string text;
  std::vector<LabSetup> setups;  // checked one by one, up to the first that fails
  int thread = 0;                // whose lines the walk follows
};

struct LabRunResult {
  std::string text;
  LabSetup setup;                  // the one that is walked: the first that fails, else the first
  LabReport report;                // of the same; its sentence is about all setups
  LabReport walked;                // the same, its sentence about that setup alone
  std::size_t passed = 0, of = 0;  // setups
  // The rest is empty where the text does not compile.
  std::shared_ptr<const Program> program;
  LabInputs inputs;
  std::vector<CheckedVisit> visits;
  std::unique_ptr<RunWalk> walk;
  std::vector<PathStop> stops;
  bool stops_cut = false;
  int thread = 0;
};

// "Right for the task's own problem, but not with --n-q 13 …. There: …", or "… And right for 3 other problems."
std::string verdict_over_problems(const std::vector<LabSetup>&, std::size_t passed, const std::string& sentence);

class LabRun {
 public:
  explicit LabRun(LabRunRequest);
  bool work(std::int64_t steps);  // true once the result is whole
  double progress() const;
  LabRunResult take() { return std::move(result_); }  // once

 private:
  void end_check();

  LabRunRequest request_;
  LabRunResult result_;
  std::unique_ptr<KernelCheck> check_;
  std::unique_ptr<ThreadPath> path_;
  bool seeking_ = false, whole_ = false;
};

}  // namespace tilewalk::lab
