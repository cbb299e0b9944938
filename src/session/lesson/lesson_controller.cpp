#include "session/lesson/lesson_controller.h"

#include <algorithm>
#include <cmath>

#include "base/typed_quantity.h"
#include "base/words.h"
#include "session/command/command_text.h"
#include "session/lesson/roof_marks.h"

namespace tilewalk {
namespace {

// The error of a guess, clamped to the range of the progress file.
double share_off(double typed, double right) {
  const double off = typed / right - 1;
  return std::isnan(off) ? kMostMiss : std::clamp(off, -1.0, kMostMiss);
}

}  // namespace

void LessonController::read() {
  if (!load_) return;
  Result<std::vector<Lesson>> lessons = std::exchange(load_, nullptr)();
  if (!lessons) return messages_.refuse(lessons.issues(), About::Problem);
  lessons_ = std::move(*lessons);
}

TaskProgress LessonController::task() const {
  if (!lesson()) return {};
  const auto kept = progress_.find(lesson()->id);
  if (kept == progress_.end()) return {};
  const auto task = kept->second.tasks.find(screen_ + 1);
  return task == kept->second.tasks.end() ? TaskProgress{} : task->second;
}

TaskProgress& LessonController::task_progress() { return progress_[lesson()->id].tasks[screen_ + 1]; }

bool LessonController::done() const { return !lesson() || !screen().task || task().done(); }

const LessonScene& LessonController::scene() const {
  const std::vector<LessonScreen>& screens = lesson()->screens;
  int at = screen_;
  while (at > 0 && !screens[std::size_t(at)].scene) --at;
  static const LessonScene kNone;
  const std::optional<LessonScene>& scene = screens[std::size_t(at)].scene;
  return scene ? *scene : kNone;
}

bool LessonController::hides(const std::string& word) const {
  if (!lesson()) return false;
  const std::vector<std::string>& hides = scene().hides;
  const auto among = [&](const std::string& each) {
    return std::find(hides.begin(), hides.end(), each) != hides.end();
  };
  return among(word + " throughout") || (among(word) && !(screen().task && task().done()));
}

bool LessonController::has_picture() const {
  if (!lesson() || !screen().picture) return false;
  return !(screen().task && screen().task->kind == TaskKind::ByHand);
}

bool LessonController::asks_for_a_number() const {
  if (!lesson() || done() || !screen().task) return false;
  const TaskKind kind = screen().task->kind;
  return kind == TaskKind::Number || kind == TaskKind::Predict || kind == TaskKind::ByHand;
}

std::vector<Command> LessonController::take_due() { return std::exchange(due_, {}); }

void LessonController::carry_out(const OpenLesson& c) {
  read();
  const auto found =
      std::find_if(lessons_.begin(), lessons_.end(), [&](const Lesson& l) { return l.number == c.number; });
  if (found == lessons_.end()) {
    std::string numbers;
    for (const Lesson& each : lessons_) add_to_list(numbers, std::to_string(each.number));
    return messages_.refuse(
        Issues{{"lesson", std::to_string(c.number), "is not there", numbers.empty() ? "" : "There are " + numbers}},
        About::Problem);
  }
  const int screens = int(found->screens.size());
  const auto kept = progress_.find(found->id);
  std::int64_t screen = c.screen.value_or(kept == progress_.end() ? 1 : kept->second.screen);
  if (c.screen && (*c.screen < 1 || *c.screen > screens))
    return messages_.refuse(Issues{{"screen", std::to_string(*c.screen), "is not there",
                                    "This lesson has 1 to " + std::to_string(screens)}},
                            About::Problem);
  if (screen > screens) screen = 1;
  open_ = int(found - lessons_.begin());
  turn_to(int(screen - 1));
}

// A screen always starts afresh; only the progress remembers that its task was done.
void LessonController::turn_to(int screen) {
  stop_work_by_hand();
  screen_ = screen;
  progress_[lesson()->id].screen = screen + 1;
  draft_.clear();
  checked_draft_.clear();
  checked_.reset();
  figures_at_first_.reset();
  tried_ = shown_here_ = false;
  due_.insert(due_.end(), scene().commands.begin(), scene().commands.end());
  draw();
  note_guess();
  const std::optional<LessonTask>& task = this->screen().task;
  if (!task) return;
  if (task->by_hand) due_.push_back(*task->by_hand);
  if ((task->kind == TaskKind::Draw || task->kind == TaskKind::MarkTiles) && this->task().done())
    draft_ = right_answer(*task, facts_);
  if (task->kind == TaskKind::Order || task->kind == TaskKind::Label)
    for (std::size_t i = 0; i < task->options.size(); ++i) draft_ += (i ? " " : "") + letter_of(int(i));
}

// Shows the sampled call on the page of the roofline.
void LessonController::draw() {
  roofline_.read_cards();
  std::optional<SampledWin> win;
  const std::optional<LessonTask>& task = screen().task;
  if (task && task->draw > 0 && roofline_.recorded())
    win = sampled_win(*roofline_.recorded(), progress_[lesson()->id].round, int(task->draw));
  if (win) {
    const AttentionCall& call = win->shape.call;
    due_.push_back(ChooseRoofline{.device = kRecordedOn,
                                  .n = call.n,
                                  .d = call.d,
                                  .heads = call.heads,
                                  .kv_heads = call.kv_heads,
                                  .batch = call.batch,
                                  .causal = call.causal,
                                  .dtype = call.dtype});
  }
  facts_.set(win);
  count_guesses();
}

void LessonController::count_guesses() {
  const LessonProgress& kept = progress_[lesson()->id];
  Guesses guesses{.round = kept.round, .misses = {}};
  for (const auto& [place, each] : kept.tasks)
    if (each.miss) guesses.misses.push_back(*each.miss);
  facts_.set(std::move(guesses));
}

// Forgets the lesson's progress and samples other calls.
void LessonController::again() {
  if (!is_open()) return;
  LessonProgress& kept = progress_[lesson()->id];
  const int round = kept.round + 1;
  kept = {};
  kept.round = round;
  turn_to(0);
}

void LessonController::carry_out(const DraftAnswer& c) {
  if (!lesson()) return;
  if (draft_ != c.text) checked_.reset();
  draft_ = c.text;
  note_guess();
}

// A picture may show the number that is drafted.
void LessonController::note_guess() {
  const std::optional<LessonTask>& task = screen().task;
  const bool number = task && (task->kind == TaskKind::Number || task->kind == TaskKind::Predict);
  facts_.set_guess(number ? typed_quantity(draft_, task->unit).value : std::nullopt);
}

void LessonController::carry_out(const CheckAnswer& c) {
  if (!lesson() || !screen().task) return messages_.refuse("Nothing is asked here", About::Problem);
  const LessonTask& task = *screen().task;
  if (task.kind == TaskKind::Draw) {
    if (std::string error = placed_marks(task, c.text).error; !error.empty())
      return void(checked_ = CheckedAnswer{AnswerVerdict::Unread, {}, std::move(error)});
    draft_ = with_marks(task, draft_, c.text);
  } else {
    draft_ = c.text;
  }
  note_guess();
  checked_draft_ = draft_;
  checked_ = check_answer(task, draft_, facts_);
  if (task.draw > 0) return take_guess();
  if (checked_->verdict == AnswerVerdict::Right) return pass(false);
  if (checked_->verdict == AnswerVerdict::Wrong) ++task_progress().tries;
}

bool LessonController::is_open() {
  if (!lesson()) messages_.refuse("No lesson is open. Ctrl+L lists them", About::Problem);
  return lesson() != nullptr;
}

void LessonController::next_screen() {
  if (!is_open()) return;
  if (screen_ + 1 < int(lesson()->screens.size())) return turn_to(screen_ + 1);
  if (open_ + 1 == int(lessons_.size())) return due_.push_back(Action::ShowReview);
  progress_[lesson()->id].screen = 1;
  ++open_;
  turn_to(0);
}

void LessonController::previous_screen() {
  if (!is_open()) return;
  if (screen_ > 0) return turn_to(screen_ - 1);
  messages_.note("This is the first screen");
}

void LessonController::check_draft() {
  if (is_open()) carry_out(CheckAnswer{draft_});
}

void LessonController::leave() {
  if (!is_open()) return;
  stop_work_by_hand();
  open_ = -1;
}

// There is one guess; then the recorded pair is shown, however near the guess was.
void LessonController::take_guess() {
  if (checked_->verdict != AnswerVerdict::Right && checked_->verdict != AnswerVerdict::Wrong) return;
  if (task().done()) return;
  const Result<Figure> right = screen().task->answer->value(facts_);
  const std::optional<double> typed = typed_quantity(draft_, screen().task->unit).value;
  if (right && right->number() && typed) task_progress().miss = share_off(*typed, *right->number());
  pass(false);
  count_guesses();
}

void LessonController::stop_work_by_hand() {
  if (hand_.on()) due_.push_back(AskByHand{});
}

void LessonController::give_hint() {
  if (!is_open()) return;
  if (done() || screen().task->hints.empty()) return messages_.note("There is no hint here");
  TaskProgress& task = task_progress();
  task.hints = std::min(task.hints + 1, int(screen().task->hints.size()));
}

void LessonController::show_answer() {
  if (!is_open()) return;
  if (!screen().task) return messages_.note("Nothing is asked here");
  draft_ = right_answer(*screen().task, facts_);
  note_guess();
  checked_.reset();
  if (screen().task->by_hand) return show_by_hand();
  shown_here_ = true;
  pass(true);
}

// Shows the open fields of this step; without any, steps forward.
void LessonController::show_by_hand() {
  for (const HandField& field : hand_.fields())
    if (!field.stands()) due_.push_back(ShowField{field.place});
  if (hand_.all_right() && !task().done()) due_.push_back(Action::StepForward);
}

// The answer may be visible now, so the lesson's commands show it.
void LessonController::pass(bool shown) {
  const LessonTask& task = *screen().task;
  if (task.kind != TaskKind::Do || shown) due_.insert(due_.end(), task.show.begin(), task.show.end());
  TaskProgress& kept = task_progress();
  if (shown && !kept.right) kept.shown = true;
  if (!shown) kept.right = true, kept.shown = false;
}

bool LessonController::fields_stand() const { return hand_.on() && hand_.all_right() && all_were_asked(); }

// Quantities become fields one step after the other, so those of later steps are not among the fields yet.
bool LessonController::all_were_asked() const {
  const std::vector<HandField>& fields = hand_.fields();
  const HandQuantities asked = screen().task->by_hand->ask.value_or(HandQuantities{});
  return !fields.empty() && std::all_of(asked.begin(), asked.end(), [&](Quantity quantity) {
    return std::any_of(fields.begin(), fields.end(), [&](const HandField& f) { return f.place.quantity == quantity; });
  });
}

std::vector<Figure> LessonController::figures_of_says() const {
  std::vector<Figure> out;
  for (const Run& run : screen().task->says)
    if (run.figure)
      if (const Result<Figure> figure = run.figure->value(facts_)) out.push_back(*figure);
  return out;
}

bool LessonController::observe() {
  if (!lesson() || !screen().task) return false;
  const bool done_in_window = screen().task->kind == TaskKind::Do || screen().task->by_hand;
  const bool again = done_in_window && !task().right && !shown_here_;  // not at this visit
  if (task().done() && !again) return false;
  if (screen().task->by_hand) {
    if (!fields_stand() || (task().done() && hand_.shown() > 0)) return false;
    pass(hand_.shown() > 0);
    return true;
  }
  if (screen().task->kind != TaskKind::Do) return false;
  const Result<Figure> goal = screen().task->goal->value(facts_);
  if (!goal || !goal->yes()) {
    std::vector<Figure> figures = figures_of_says();
    if (!figures_at_first_) figures_at_first_ = figures;
    tried_ = tried_ || figures != *figures_at_first_;
    return false;
  }
  pass(false);
  return true;
}

}  // namespace tilewalk
