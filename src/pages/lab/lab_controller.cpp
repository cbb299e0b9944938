#include "pages/lab/lab_controller.h"

#include <algorithm>

#include "base/replace_all.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kStepsAtOnce = 50'000;  // some milliseconds, in a browser too
constexpr double kLookSeconds = 0.4;           // between two looks at the watched file
constexpr std::pair<std::string_view, std::string_view> kInLinks[] = {{"\n", "␤"}, {"'", "ʼ"}};
constexpr double kMoveSeconds = 0.5;  // while playing at speed 1

// The first line, from 1, that two different texts do not share.
int first_difference(std::string_view a, std::string_view b) {
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return 1 + int(std::count(a.begin(), at, '\n'));
}

}  // namespace

std::string text_in_link(std::string_view kernel) {
  std::string out(kernel);
  for (const auto& [plain, shared] : kInLinks) replace_all(out, plain, shared);
  return out;
}

std::string text_of_link(std::string_view shared) {
  std::string out(shared);
  for (const auto& [plain, in_link] : kInLinks) replace_all(out, in_link, plain);
  return out;
}

void LabController::read_tasks() {
  if (std::exchange(read_, true) || !setup_.load_tasks) return;
  Result<std::vector<lab::LabTask>> tasks = setup_.load_tasks();
  if (tasks)
    tasks_ = std::move(*tasks);
  else
    missing_ = text_of(tasks.issues());
  find_holes();
}

void LabController::find_holes() {
  holes_of_task_ = task() ? lab::TaskHoles(task()->start, task()->solution) : lab::TaskHoles();
}

const lab::LabTask* LabController::task() const {
  for (const lab::LabTask& each : tasks_)
    if (each.number == progress_.task) return &each;
  return tasks_.empty() ? nullptr : &tasks_.front();
}

LabTaskProgress LabController::of_task() const {
  const lab::LabTask* const open = task();
  const auto found = open ? progress_.tasks.find(open->name) : progress_.tasks.end();
  return found == progress_.tasks.end() ? LabTaskProgress{} : found->second;
}

std::string LabController::text() const {
  if (!task()) return "";
  std::string own = of_task().text;
  return own.empty() ? task()->start : own;
}

std::vector<lab::HoleLines> LabController::holes() const {
  if (!task()) return {};
  return holes_of_task_.find(text());
}

void LabController::drop_result() {
  job_.reset();
  result_.reset();
  flood_.rest();
  stop_ = 0;
  seeking_ = playing_ = false;
}

void LabController::carry_out(const ChooseTask& c) {
  read_tasks();
  const bool known =
      std::any_of(tasks_.begin(), tasks_.end(), [&](const auto& each) { return each.number == c.number; });
  if (!known) {
    const std::string most = tasks_.empty() ? "0" : std::to_string(tasks_.back().number);
    return messages_.refuse("The lab has the tasks 1 to " + most, About::Deed);
  }
  if (progress_.task == int(c.number)) return;
  progress_.task = int(c.number);
  find_holes();
  filled_line_ = 0;
  thread_ = 0;
  watched_.clear();
  drop_result();
}

void LabController::put_text(std::string text) {
  if (text.size() > kMostKernelText)
    return messages_.refuse("A kernel has at most " + std::to_string(kMostKernelText / 1024) + " KiB of text",
                            About::Deed);
  filled_line_ = 0;
  own().text = text == task()->start ? "" : std::move(text);
}

void LabController::replace_text(std::string text) {
  LabTaskProgress& progress = own();
  if (text != progress.text && !progress.text.empty() && progress.before.empty()) progress.before = progress.text;
  put_text(std::move(text));
}

void LabController::carry_out(const OpenSharedKernel& c) {
  carry_out(ChooseTask{c.task});
  if (!task() || task()->number != int(c.task)) return;
  replace_text(text_of_link(c.text));
  messages_.say(of_task().before.empty() ? "The text is the link's"
                                         : "The text is the link's. Reset twice to restore yours");
}

void LabController::carry_out(const EditKernel& c) {
  read_tasks();
  if (task()) put_text(c.text);
}

void LabController::run() {
  read_tasks();
  if (!task()) return messages_.refuse(missing_, About::Deed);
  keeps_place_ = false;
  playing_ = false;
  job_ = std::make_unique<lab::LabRun>(lab::LabRunRequest{text(), lab::setups_of(*task()), thread_});
}

void LabController::give_hint() {
  if (!task()) return;
  LabTaskProgress& progress = own();
  if (progress.hints >= int(task()->hints.size())) return messages_.note("There are no more hints", About::Deed);
  ++progress.hints;
}

void LabController::show_hole() {
  if (!task()) return;
  std::optional<std::string> filled = holes_of_task_.fill_next(text());
  if (!filled)
    return messages_.note(text() == task()->solution ? "All holes are filled"
                                                     : "The lines beside the holes were changed: reset the text first",
                          About::Deed);
  const std::string before = text();
  put_text(*filled);
  filled_line_ = first_difference(before, *filled);
  ++own().shown;
}

// A second reset brings the replaced text back.
void LabController::reset() {
  if (!task()) return;
  LabTaskProgress& progress = own();
  filled_line_ = 0;
  if (progress.text.empty() && progress.before.empty()) return messages_.note("The text is the start", About::Deed);
  if (progress.text.empty()) {
    progress.text = std::exchange(progress.before, {});
    return messages_.say("Your text is back");
  }
  if (progress.before.empty()) progress.before = progress.text;
  progress.text.clear();
  messages_.say("The start again. The button restores your text");
}

void LabController::carry_out(const SetLabThread& c) {
  if (!task()) return;
  const std::int64_t most = task()->setup.threads - 1;
  if (c.thread < 0 || c.thread > most)
    return messages_.refuse("The block has the threads 0 to " + std::to_string(most), About::Deed);
  thread_ = int(c.thread);
  if (!result_) return;
  run();
  keeps_place_ = true;
}

void LabController::carry_out(const WatchKernel& c) {
  read_tasks();
  if (!task()) return;
  if (!c.path.empty() && !setup_.read_changed)
    return messages_.refuse("A file cannot be watched here. Open it instead, or paste its text", About::Deed);
  watched_ = c.path;
  read_version_ = {};
  looked_at_.reset();
  if (c.path.empty())
    messages_.say("The file is not watched any more");
  else
    read_file();
}

bool LabController::follow_file(double now) {
  if (watched_.empty() || (looked_at_ && now - *looked_at_ < kLookSeconds)) return false;
  looked_at_ = now;
  return read_file();
}

bool LabController::read_file() {
  const bool again = read_version_ != FileIdentity{};
  const std::optional<Result<std::string>> changed = setup_.read_changed(watched_, read_version_);
  if (!changed) return false;
  if (!*changed) {  // an editor may be about to replace the file; one that was never there is not watched
    if (again) return false;
    messages_.refuse(changed->issues(), About::Deed);
    watched_.clear();
    return true;
  }
  replace_text(**changed);
  run();
  keeps_place_ = again && result_;
  return true;
}

void LabController::take_result() {
  const std::int64_t visits = visits_before();
  result_ = std::make_shared<lab::LabRunResult>(job_->take());
  job_.reset();
  stop_ = 0;
  seeking_ = false;
  LabTaskProgress& progress = own();
  ++progress.runs;
  progress.solved = progress.solved || result_->report.passed;
  flood_.rest();
  if (result_->report.passed && document_.view.motion) flood_.begin(kSecondsOfFlood);
  if (result_->stops.empty()) return;
  const std::size_t last = result_->stops.size() - 1;
  if (keeps_place_) return go_to(visits > 0 ? stop_of_visit(visits - 1).value_or(last) : 0);
  const auto& visited = result_->visits;
  const auto wrong = std::find_if(visited.begin(), visited.end(), [](const auto& each) { return !each.right; });
  go_to(wrong == visited.end() ? last : stop_of_visit(wrong - visited.begin()).value_or(last));
}

const lab::Machine* LabController::machine() const {
  return result_ && result_->walk && !seeking_ && !result_->stops.empty() ? &result_->walk->machine() : nullptr;
}

std::int64_t LabController::visits_before() const {
  return result_ && stop_ < result_->stops.size() ? result_->stops[stop_].visits : 0;
}

std::optional<std::size_t> LabController::stop_of_visit(std::int64_t visit) const {
  if (!result_) return std::nullopt;
  const auto found = std::find_if(result_->stops.begin(), result_->stops.end(),
                                  [&](const lab::PathStop& each) { return each.visits > visit; });
  if (found == result_->stops.end()) return std::nullopt;
  return std::size_t(found - result_->stops.begin());
}

void LabController::go_to(std::size_t stop) {
  if (!result_ || result_->stops.empty()) return;
  stop_ = std::min(stop, result_->stops.size() - 1);
  result_->walk->begin(result_->stops[stop_].step);
  seeking_ = !result_->walk->work(kStepsAtOnce);
}

bool LabController::work() {
  if (job_) {
    if (job_->work(kStepsAtOnce)) take_result();
    return true;
  }
  if (!seeking_) return false;
  seeking_ = !result_->walk->work(kStepsAtOnce);
  return !seeking_;
}

bool LabController::same_place(const lab::PathStop& a, const lab::PathStop& b) const {
  if (a.block != b.block || a.kernel != b.kernel) return false;
  if (unit_ == LabUnit::Barrier) return a.barriers == b.barriers;
  return unit_ == LabUnit::Phase && result_->program->tag_of(a.line) == result_->program->tag_of(b.line) &&
         a.visits == b.visits;
}

void LabController::step(StepUnit unit, int direction) {
  if (!result_ || result_->stops.empty()) return messages_.note("Run the text first (Ctrl+Enter)", About::Deed);
  const std::vector<lab::PathStop>& stops = result_->stops;
  const std::size_t last = stops.size() - 1;
  if ((direction > 0 && stop_ == last) || (direction < 0 && stop_ == 0))
    return messages_.note(direction > 0 ? "This is the end of the run" : "This is the start of the run", About::Cursor);
  const auto same = [&](const lab::PathStop& a, const lab::PathStop& b) {
    if (unit == StepUnit::Tile) return a.visits == b.visits;
    if (unit == StepUnit::QTile) return a.block == b.block;
    return same_place(a, b);
  };
  std::size_t to = stop_;
  if (direction > 0) {
    do ++to;
    while (to < last && same(stops[stop_], stops[to]));
  } else {  // to the beginning of the stretch before
    const lab::PathStop& before = stops[--to];
    while (to > 0 && same(before, stops[to - 1])) --to;
  }
  messages_.done(About::Cursor);
  go_to(to);
}

void LabController::to_end(int direction) {
  playing_ = false;
  if (result_) go_to(direction < 0 ? 0 : result_->stops.size() - 1);
}

void LabController::carry_out(const GoToLabVisit& c) {
  playing_ = false;
  if (const std::optional<std::size_t> stop = stop_of_visit(c.visit - 1)) return go_to(*stop);
  messages_.refuse(result_ ? "The run has " + std::to_string(result_->visits.size()) + " visits" : "Run the text first",
                   About::Deed);
}

void LabController::play_or_pause() {
  if (!result_ || result_->stops.empty()) return messages_.note("Run the text first (Ctrl+Enter)", About::Deed);
  playing_ = !playing_;
  moved_at_.reset();
  if (playing_ && at_end()) go_to(0);
}

void LabController::hold_flood(double t) {
  if (result_ && result_->report.passed) flood_.hold_at(t);
}

bool LabController::tick(double now) {
  const bool flows = flood_.moves();
  flood_.advance(now);
  if (follow_file(now)) return true;
  if (!playing_ || busy()) return flows;
  if (!moved_at_) moved_at_ = now;
  if (now - *moved_at_ < kMoveSeconds / document_.view.speed) return flows;
  moved_at_ = now;
  if (at_end())
    playing_ = false;
  else
    step(StepUnit::Phase, 1);
  return true;
}

std::optional<double> LabController::seconds_to_next(double now) const {
  std::optional<double> seconds;
  if (playing_) seconds = moved_at_ ? std::max(0.0, *moved_at_ + kMoveSeconds / document_.view.speed - now) : 0.0;
  if (flood_.moves()) seconds = std::min(kMotionFrame, seconds.value_or(kMotionFrame));
  if (watched_.empty()) return seconds;
  const double look = looked_at_ ? std::max(0.0, *looked_at_ + kLookSeconds - now) : 0.0;
  return std::min(look, seconds.value_or(look));
}

}  // namespace tilewalk
