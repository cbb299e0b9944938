#include "app/jobs/check_problem.h"

#include "app/jobs/available_file.h"
#include "app/jobs/kernel_run.h"
#include "trace/recording.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kVisitsAtOnce = 2;  // between two calls of the progress function: some milliseconds in a browser

struct Witness {
  std::shared_ptr<const Trace> trace;  // null: there is none; the outcome says why
  TraceOrigin origin;
};

Witness recorded(const CheckRequest& request, const Problem& right, CheckOutcome& outcome) {
  const TraceOrigin origin{.kernel_digest = rung_for(right.schedule).digest};
  if (request.recording) return {request.recording, origin};
  const std::string path = find_recording(request.recordings, right);
  const std::string missing = why_missing(path);
  if (path.empty() || !missing.empty()) {
    outcome.no_recording = true;
    outcome.report.reason =
        missing.empty() ? "There is no recording of this very problem, and no live check has run." : missing;
    return {};
  }
  Result<Trace> loaded = load_recording(path);
  if (!loaded) {
    outcome.bad_recording = loaded.issues();
    outcome.report.reason = text_of(loaded.issues());
    return {};
  }
  return {std::make_shared<const Trace>(std::move(*loaded)), origin};
}

Witness made_now(const CheckRequest& request, const Problem& right, const CheckProgress& progress,
                 CheckOutcome& outcome) {
  KernelOutcome run =
      run_kernel_if_any(runner_for(request.against), Inputs(right, request.files, request.edits), detail_for(right),
                        [&](double fraction) { return progress(CheckStage::Kernel, fraction); });
  if (run.result && run.result->trace) {
    auto trace = std::make_shared<const Trace>(std::move(*run.result->trace));
    return {trace, {.inputs_digest = trace->inputs_digest}};
  }
  outcome.kernel_failure =
      run.failure ? *run.failure : KernelFailure{KernelFailure::Kind::Failed, "The kernel kept no trace."};
  outcome.report.reason = outcome.kernel_failure->text;
  return {};
}

}  // namespace

Runner runner_for(CheckAgainst against) { return against == CheckAgainst::LiveGpu ? Runner::Gpu : Runner::Cpu; }

// Returns false while the page still fetches the recording. A problem without a recording does not wait.
bool ProblemCheck::begin(const CheckProgress& progress) {
  Problem right = request_.problem;
  right.fault = Fault::None;
  const bool recording = request_.against == CheckAgainst::Recording;
  if (recording && !request_.recording)
    if (const std::string path = find_recording(request_.recordings, right); !path.empty() && !is_available(path))
      return false;
  Witness witness = recording ? recorded(request_, right, outcome_) : made_now(request_, right, progress, outcome_);
  if (witness.trace)
    verifier_.emplace(make_schedule(request_.problem), Inputs(request_.problem, request_.files, request_.edits),
                      std::move(witness.trace), witness.origin);
  return true;
}

bool ProblemCheck::work(const CheckProgress& progress) {
  if (!verifier_) return begin(progress) ? !verifier_ : !progress(CheckStage::Comparing, 0);
  const bool whole = verifier_->work(kVisitsAtOnce);
  const bool stopped = !whole && !progress(CheckStage::Comparing, verifier_->progress());
  if (!whole && !stopped) return false;
  outcome_.report = verifier_->report();
  if (outcome_.report.verdict != Verdict::NotChecked) outcome_.report.against = request_.against;
  if (stopped) outcome_.report.reason = "The check was stopped.";
  return true;
}

CheckOutcome check_problem(const CheckRequest& request, const CheckProgress& progress) {
  ProblemCheck check(request);
  while (!check.work(progress)) {
  }
  return check.outcome();
}

}  // namespace tilewalk
