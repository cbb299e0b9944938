#include "app/jobs/live_check.h"

#include <fmt/format.h>

#include <exception>

#include "base/units.h"
#include "kernels/kernel_api.h"
#include "trace/recording.h"
#include "trace/verify.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kFullStateBytes = 256ll << 20;  // above it a live trace keeps digests

std::string text_of_value(const std::optional<float>& value) { return value ? fmt::format("{:.9g}", *value) : ""; }

void fill(CheckReport& report, const VerifyReport& found) {
  report.visits = found.tile_visits;
  report.values = found.values;
  report.differing = found.differing;
  report.max_ulp = found.max_ulp.value_or(0);
  report.reason = found.reason;
  switch (found.verdict) {
    case Verdict::Equal: report.state = CheckState::Equal; break;
    case Verdict::WithinRule: report.state = CheckState::WithinRule; break;
    case Verdict::Diverged: report.state = CheckState::Diverged; break;
    case Verdict::NotFinite: report.state = CheckState::NotFinite; break;
    case Verdict::NotChecked: report.state = CheckState::NotChecked; break;
  }
  if (!found.first) return;
  const TraceDivergence& first = *found.first;
  Divergence out;
  out.step = first.step;
  out.visit_index = first.visit_index;
  out.q_tile = first.q_tile;
  out.kv_tile = first.kv_tile;
  out.row = first.row;
  out.col = first.col;
  out.quantity = name_of(first.quantity);
  out.expected = text_of_value(first.expected);
  out.got = text_of_value(first.got);
  report.first = out;
}

CheckReport check(const CheckRequest& request, const std::string& root, const std::function<bool()>& cancelled) {
  CheckReport report;
  report.problem_revision = request.problem_revision;
  const std::shared_ptr<const Schedule> schedule = make_schedule(request.problem);
  const Inputs inputs(request.problem, request.files, request.edits);
  std::shared_ptr<const Trace> trace;
  std::string digest;
  if (request.live) {
    Problem right = request.problem;
    right.fault = Fault::None;
    const Inputs clean(right, request.files, request.edits);
    const TraceDetail detail = full_state_bytes(right) <= kFullStateBytes ? TraceDetail::State : TraceDetail::Hashes;
    KernelOutcome outcome = run_kernel(Runner::Gpu, clean, detail, [&](double) { return !cancelled || !cancelled(); });
    if (!outcome.result || !outcome.result->trace) {
      report.reason = outcome.failure ? outcome.failure->text : "The kernel kept no trace.";
      return report;
    }
    trace = std::make_shared<const Trace>(std::move(*outcome.result->trace));
    report.against = CheckAgainst::LiveGpu;
  } else {
    const std::string path = find_recording(root + "/assets/recordings", request.problem);
    if (path.empty()) {
      report.reason = "There is no recording of this very problem, and no live check has run.";
      return report;
    }
    Result<Trace> loaded = load_recording(path);
    if (!loaded) {
      report.reason = text_of(loaded.issues());
      return report;
    }
    digest = rung_for(request.problem.schedule).digest;
    if (const Issues issues = check_trace(*loaded, inputs, digest); !issues.empty()) {
      report.reason = text_of(issues);
      return report;
    }
    trace = std::make_shared<const Trace>(std::move(*loaded));
    report.against = CheckAgainst::Recording;
  }
  if (trace->provenance.ran_on != "gpu") {
    report.against = CheckAgainst::Nothing;
    report.reason = "The recording is of the kernel source run on the CPU, which is no GPU check.";
    return report;
  }
  report.gpu = trace->provenance.gpu;
  report.date = trace->provenance.date;
  Verifier verifier(schedule, inputs, trace, digest);
  while (!verifier.work(16))
    if (cancelled && cancelled()) {
      report.reason = "The check was stopped.";
      return report;
    }
  fill(report, verifier.report());
  if (report.state == CheckState::NotChecked) report.against = CheckAgainst::Nothing;
  return report;
}

}  // namespace

CheckReport run_check(const CheckRequest& request, const std::string& root, const std::function<bool()>& cancelled) {
  try {
    return check(request, root, cancelled);
  } catch (const std::exception& error) {
    CheckReport report;
    report.problem_revision = request.problem_revision;
    report.reason = std::string("The check could not be carried out: ") + error.what();
    return report;
  }
}

LiveCheck::LiveCheck(std::string root, std::function<void()> wake) : root_(std::move(root)), wake_(std::move(wake)) {}
LiveCheck::~LiveCheck() { stop(); }

void LiveCheck::stop() {
  cancel_ = true;
  if (thread_.joinable()) thread_.join();
  cancel_ = false;
}

void LiveCheck::start(CheckRequest request) {
  stop();
  {
    const std::lock_guard lock(mutex_);
    found_.reset();
  }
  thread_ = std::thread([this, request = std::move(request)] {
    CheckReport report = run_check(request, root_, [this] { return cancel_.load(); });
    if (cancel_) return;
    {
      const std::lock_guard lock(mutex_);
      found_ = std::move(report);
    }
    if (wake_) wake_();
  });
}

std::optional<CheckReport> LiveCheck::poll() {
  const std::lock_guard lock(mutex_);
  std::optional<CheckReport> found;
  found.swap(found_);
  return found;
}

}  // namespace tilewalk
