#include "session/controllers/check_controller.h"

namespace tilewalk {

void CheckController::open() {
  check_ = {};
  ++problem_revision_;
  accuracy_.reset();
}

std::optional<AccuracyReport> CheckController::baseline_accuracy(std::uint64_t baseline_revision) const {
  if (!baseline_accuracy_ || baseline_accuracy_->revision != baseline_revision) return std::nullopt;
  return baseline_accuracy_->report;
}

void CheckController::check_live() {
  if (!gpu_present_) return messages_.refuse(why_no_gpu("There is no GPU to check on."), About::Deed);
  ++live_check_serial_;
}

void CheckController::carry_out(const ReportCheck& c) {
  if (c.problem_revision == problem_revision_) check_ = c.report;
}

void CheckController::carry_out(const ReportAccuracy& c) {
  if (c.of_baseline)
    baseline_accuracy_ = c;
  else if (c.revision == problem_revision_)
    accuracy_ = c.report;
}

void CheckController::carry_out(const ReportDevices& c) {
  gpu_present_ = c.gpu_present;
  gpu_reason_ = c.reason;
}

}  // namespace tilewalk
