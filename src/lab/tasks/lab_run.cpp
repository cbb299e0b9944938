#include "lab/tasks/lab_run.h"

#include <algorithm>

#include "core/fields/fields.h"

namespace tilewalk::lab {
namespace {

constexpr std::int64_t kMostSteps = 50'000'000;  // a task needs fewer than a million

}  // namespace

std::string verdict_over_problems(const std::vector<LabSetup>& setups, std::size_t passed,
                                  const std::string& sentence) {
  if (passed > 0 && passed < setups.size()) {
    std::string changed;
    for (const Field& field : fields())
      if (const std::string text = field.text(setups[passed].problem); text != field.text(setups.front().problem))
        changed += " --" + std::string(field.name) + " " + text;
    return "Right for the task's own problem, but not with" + changed + ". There: " + sentence;
  }
  if (passed > 1)
    return sentence + " And right for " + std::to_string(passed - 1) +
           (passed == 2 ? " other problem." : " other problems.");
  return sentence;
}

LabRun::LabRun(LabRunRequest request) : request_(std::move(request)) {
  result_.text = request_.text;
  result_.of = request_.setups.size();
  result_.thread = request_.thread;
  whole_ = request_.setups.empty();
  if (!whole_) result_.setup = request_.setups.front();
}

double LabRun::progress() const {
  if (whole_) return 1;
  const double checks = double(result_.of), done = double(result_.passed) + (check_ ? check_->progress() : 0);
  return path_ ? 0.9 : 0.8 * done / checks;
}

// The first check's run is walked, or that of the first check that fails.
void LabRun::end_check() {
  const LabReport& report = check_->report();
  if (result_.passed == 0 || !report.passed) {
    result_.report = result_.walked = report;
    result_.setup = request_.setups[result_.passed];
    if (report.compiled) {
      result_.program = std::make_shared<const Program>(check_->compiled().program);
      result_.inputs = check_->inputs();
      result_.visits = check_->checked_visits();
      result_.walk = std::make_unique<RunWalk>(check_->fresh_machine());
    }
  }
  if (report.passed) ++result_.passed;
  const bool next = report.passed && result_.passed < result_.of;
  check_.reset();
  if (next) return;
  result_.report.sentence = verdict_over_problems(request_.setups, result_.passed, result_.report.sentence);
  if (!result_.walk) {
    whole_ = true;
    return;
  }
  path_ = std::make_unique<ThreadPath>(result_.walk->machine(), request_.thread);
  result_.walk->begin(result_.walked.totals.steps);
  seeking_ = true;
}

bool LabRun::work(std::int64_t steps) {
  if (whole_) return true;
  if (seeking_) {  // leaves checkpoints for the seeks to come
    seeking_ = !result_.walk->work(steps);
  } else if (path_) {
    if (!path_->work(steps)) return false;
    result_.stops = path_->stops();
    result_.stops_cut = path_->cut();
    whole_ = true;
  } else {
    if (!check_) {
      LabSetup setup = request_.setups[result_.passed];
      setup.keeps_visits = true;
      setup.most_steps = std::min(setup.most_steps, kMostSteps);
      check_ = std::make_unique<KernelCheck>(request_.text, std::move(setup));
    }
    if (check_->work(steps)) end_check();
  }
  return whole_;
}

}  // namespace tilewalk::lab
