#include "app/jobs/check_problem.h"

#include "app/jobs/kernel_run.h"
#include "trace/recording.h"
#include "trace/verify.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kVisitsAtOnce = 16;  // between two questions whether to go on

struct Witness {
  std::shared_ptr<const Trace> trace;  // null: there is none, and the outcome says why
  TraceOrigin origin;
};

Witness recorded(const CheckRequest& request, const Problem& right, CheckOutcome& outcome) {
  const TraceOrigin origin{.kernel_digest = rung_for(right.schedule).digest};
  if (request.recording) return {request.recording, origin};
  const std::string path = find_recording(request.recordings, right);
  if (path.empty()) {
    outcome.no_recording = true;
    outcome.report.reason = "There is no recording of this very problem, and no live check has run.";
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

CheckOutcome check_problem(const CheckRequest& request, const CheckProgress& progress) {
  CheckOutcome outcome;
  Problem right = request.problem;
  right.fault = Fault::None;
  Witness witness = request.against == CheckAgainst::Recording ? recorded(request, right, outcome)
                                                               : made_now(request, right, progress, outcome);
  if (!witness.trace) return outcome;
  Verifier verifier(make_schedule(request.problem), Inputs(request.problem, request.files, request.edits),
                    std::move(witness.trace), witness.origin);
  bool go_on = true;
  while (go_on && !verifier.work(kVisitsAtOnce)) go_on = progress(CheckStage::Comparing, verifier.progress());
  outcome.report = verifier.report();
  if (outcome.report.verdict != Verdict::NotChecked) outcome.report.against = request.against;
  if (!go_on) outcome.report.reason = "The check was stopped.";
  return outcome;
}

}  // namespace tilewalk
