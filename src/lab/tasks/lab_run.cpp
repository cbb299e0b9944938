#include "lab/tasks/lab_run.h"

namespace tilewalk::lab {

std::string verdict_over_problems(const std::vector<LabWish>& wishes, std::size_t passed, const std::string& sentence) {
  if (passed > 0 && passed < wishes.size()) {
    const Shape& shape = wishes[passed].problem.shape;
    return "Right for the task's own sizes, but with n-q=" + std::to_string(shape.n_q) +
           " n-kv=" + std::to_string(shape.n_kv) + " d=" + std::to_string(shape.d) +
           " heads=" + std::to_string(shape.heads) + ": " + sentence;
  }
  if (passed > 1) return sentence + " And right for " + std::to_string(passed - 1) + " other problems.";
  return sentence;
}

LabRun::LabRun(LabRunRequest request) : request_(std::move(request)) {
  result_.text = request_.text;
  result_.of = request_.wishes.size();
  result_.thread = request_.thread;
  whole_ = request_.wishes.empty();
  if (!whole_) result_.wish = request_.wishes.front();
}

double LabRun::progress() const {
  if (whole_) return 1;
  const double checks = double(result_.of), done = double(result_.passed) + (check_ ? check_->progress() : 0);
  return path_ ? 0.9 : 0.8 * done / checks;
}

// The first check's run is walked, whatever becomes of the others.
void LabRun::end_check() {
  const bool first = !result_.program && result_.passed == 0;
  const LabReport& report = check_->report();
  if (first) {
    result_.walked = report;
    if (report.compiled) {
      result_.program = std::make_shared<const Program>(check_->compiled().program);
      result_.inputs = check_->inputs();
      result_.visits = check_->checked_visits();
      result_.walk = std::make_unique<RunWalk>(check_->fresh_machine());
    }
  }
  if (first || !report.passed) result_.report = report;
  if (report.passed) ++result_.passed;
  const bool next = report.passed && result_.passed < result_.of;
  check_.reset();
  if (next) return;
  result_.report.sentence = verdict_over_problems(request_.wishes, result_.passed, result_.report.sentence);
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
      LabWish wish = request_.wishes[result_.passed];
      wish.keeps_visits = result_.passed == 0;
      check_ = std::make_unique<KernelCheck>(request_.text, std::move(wish));
    }
    if (check_->work(steps)) end_check();
  }
  return whole_;
}

}  // namespace tilewalk::lab
