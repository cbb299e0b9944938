#include "app/jobs/accuracy_run.h"

#include <exception>

#include "core/chip/compare.h"
#include "core/schedules/validate.h"

namespace tilewalk {

std::optional<AccuracyRequest> wanted_accuracy(const Session& s) {
  if (!s.checks().accuracy()) return AccuracyRequest{s.problem(), s.files(), s.document().edits, s.problem_revision(), false};
  if (s.page() != Page::Compare || s.baseline_accuracy()) return std::nullopt;
  const Problem baseline = s.baseline();
  if (!why_not_comparable(baseline, s.problem()).empty() || !validate(baseline).empty()) return std::nullopt;
  return AccuracyRequest{baseline, s.files(), s.document().edits, s.compare().baseline_revision(), true};
}

std::optional<Command> run_accuracy(const AccuracyRequest& request, const std::function<bool()>& cancelled) {
  AccuracyReport report;
  try {
    const Inputs inputs(request.problem, request.files, request.edits);
    report = measure_accuracy(inputs, {}, [&](double) { return !cancelled || !cancelled(); });
    if (cancelled && cancelled()) return std::nullopt;
  } catch (const std::exception& error) {
    report.reason = std::string("The comparison with float64 could not be made: ") + error.what();
  }
  return ReportAccuracy{std::move(report), request.revision, request.of_baseline};
}

void AccuracyRun::stop() {
  cancel_ = true;
  if (thread_.joinable()) thread_.join();
  cancel_ = false;
}

void AccuracyRun::follow(const Session& session) {
  const std::optional<AccuracyRequest> wanted = wanted_accuracy(session);
  if (!wanted) return;
  const std::pair<std::uint64_t, bool> name{wanted->revision, wanted->of_baseline};
  if (at_work_on_ == name) return;
  stop();
  at_work_on_ = name;
  {
    const std::lock_guard lock(mutex_);
    found_.reset();
  }
  thread_ = std::thread([this, request = *wanted] {
    std::optional<Command> found = run_accuracy(request, [this] { return cancel_.load(); });
    if (!found) return;
    {
      const std::lock_guard lock(mutex_);
      found_ = std::move(found);
    }
    if (wake_) wake_();
  });
}

std::optional<Command> AccuracyRun::poll() {
  const std::lock_guard lock(mutex_);
  std::optional<Command> found;
  found.swap(found_);
  return found;
}

}  // namespace tilewalk
