#include "pages/compare/compare_controller.h"

#include <algorithm>
#include <cmath>

#include "core/chip/warps.h"
#include "core/fields/validate.h"
#include "core/predict/compare.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "dispatch/cudnn_kernels.h"
#include "session/document/step_motion.h"

namespace tilewalk {
namespace {

constexpr double kMostLanesZoom = 4096, kPan = 0.25;  // kPan: fraction of the view

ScheduleKind recorded_schedule() {
  for (const ScheduleKind kind : all_schedules())
    if (schedule_row(kind).lanes.recorded_on_chip) return kind;
  return ScheduleKind::FlashV3;
}

// A schedule of the other scheme of warps, which the panels of warps compare: FA-1 divides keys, later ones rows.
ScheduleKind other_scheme(ScheduleKind now) {
  const WarpScheme other = divides_so(now, WarpScheme::SplitK) ? WarpScheme::SplitQ : WarpScheme::SplitK;
  return schedule_by(other, now).value_or(schedule_row(now).family.before);
}

}  // namespace

Problem CompareController::baseline() const { return baseline_of(compared()); }

Problem CompareController::baseline_of(Compared of) const {
  const Pinned& pinned = document_.pinned;
  if (pinned.problem && why_not_comparable(*pinned.problem, problem()).empty()) return *pinned.problem;
  const ScheduleKind now = problem().schedule;
  const std::vector<ScheduleKind> all = same_pass(now);
  const bool usable =
      pinned.schedule && *pinned.schedule != now && std::find(all.begin(), all.end(), *pinned.schedule) != all.end();
  const ScheduleFamily& family = schedule_row(now).family;
  const bool beside_naive = filling() == Filling::Pipes || of == Compared::Call;
  const auto keeps_heads = [](ScheduleKind kind) { return schedule_row(kind).walk.block == BlockKind::Head; };
  const auto few_blocks = std::find_if(all.begin(), all.end(), keeps_heads);  // it fills the fewest SMs
  const bool beside_few = filling() == Filling::Waves && few_blocks != all.end() && *few_blocks != now;
  const ScheduleKind usual = filling() == Filling::Warps ? other_scheme(now)
                             : beside_few                ? *few_blocks
                             : beside_naive              ? (family.naive == now ? family.tiled : family.naive)
                                                         : family.before;
  return compared_under(problem(), usable ? *pinned.schedule : usual);
}

std::string CompareController::why_not_the_call() const {
  const std::vector<ScheduleKind> pass = same_pass(problem().schedule);
  if (std::find(pass.begin(), pass.end(), ScheduleKind::Standard) == pass.end())  // the call is a forward pass
    return "time and lanes are modelled for forward passes alone";
  if (std::string why = why_not_modelled(window_.call); !why.empty()) return why;
  const DeviceModel& device = device_of(window_.call.device);
  for (const Problem& side : {problem(), baseline_of(Compared::Call)})
    if (const Issues issues = validate(at_call(side, *modelled_call(window_.call), device)); !issues.empty())
      return issues.front().field + " " + issues.front().rule;
  return "";
}

bool CompareController::walks_call() const {
  const Problem& walk = problem();
  const std::optional<AttentionCall> call = modelled_call(window_.call);
  return call && call == call_of(walk) && walk.machine.device == device_of(window_.call.device).name &&
         walk.fault == Fault::None && (walked_call(walk) || has_cudnn_tiles(walk));
}

// The tiles of PyTorch's kernel, which only the walk has, stay.
Problem CompareController::at_window_call(const Problem& side) const {
  if (side == problem() && walks_call()) return side;
  return at_call(side, *modelled_call(window_.call), device_of(window_.call.device));
}

Compared CompareController::compared() const {
  return why_not_the_call().empty() ? document_.view.compared : Compared::Walk;
}

Compared CompareController::compared_at_first() const {
  if (chip() || !why_not_the_call().empty()) return Compared::Walk;
  if (is_tiny(problem())) return of_tiny_;
  return walks_call() ? Compared::Call : Compared::Walk;
}

Filling CompareController::filling_at_first() const { return chip() ? Filling::Sms : chosen_filling_; }

void CompareController::opened() {
  document_.view.compared = Compared::Walk;
  show_filling(Filling::Sms);
  call_.forget();
}

Problem CompareController::under(ScheduleKind kind) const {
  const ComparedProblems of = problems();
  if (chip() && !of.of_walk) return under_schedule(of.now, kind);
  const Problem p = kind == problem().schedule ? problem() : compared_under(problem(), kind);
  return compared() == Compared::Call ? at_window_call(p) : p;
}

ComparedProblems CompareController::problems() const {
  const Problem& walk = problem();
  const Problem pinned = baseline();
  if (const ChipTimelines* const recorded = chip()) {
    const ChipRun* const run = recorded->nearest(walk);
    if (!run) return {walk, pinned, true};
    const Problem there = at_recorded(walk, *run);  // its Q tile is the recorded one, wherever the walk is
    return {there, under_schedule(there, pinned.schedule), false};
  }
  if (compared() == Compared::Walk) return {walk, pinned, true};
  return {at_window_call(walk), at_window_call(pinned), false};  // its own cursor, even where the walk is the call
}

const ChipTimelines* CompareController::chip() const {
  return document_.pinned.chip && row_of(problem()).lanes.recorded_on_chip ? chip_.get() : nullptr;
}

CallWalk& CompareController::call() {
  plays_when_shown_ = false;  // whoever moves the call decides where it is
  const ComparedProblems of = problems();
  if (call_.cursor(of.now)) return call_;
  const std::shared_ptr<const Schedule> now = make_schedule(of.now),
                                        pinned = validate(of.baseline).empty() ? make_schedule(of.baseline) : nullptr;
  call_.open(now, first_call_cursor(*now, pinned.get()));
  return call_;
}

std::int64_t CompareController::first_call_cursor(const Schedule& call, const Schedule* pinned) const {
  switch (filling()) {
    case Filling::Pipes: return first_cursor_in_pipes(call, pinned);
    case Filling::Waves: return call.step_count() / 2;
    default: return first_cursor(walk_.schedule(), walk_.cursor(), call);
  }
}

void CompareController::carry_out(const GoToCallStep& c) {
  if (!moves_call()) return messages_.refuse("The walk itself is compared, not the call", About::Cursor);
  call().move_to(c.cursor);
}

std::optional<double> CompareController::seconds_to_next() const {
  return call_.plays() || visit_.moves() || plays_when_shown_ ? std::optional(kMotionFrame) : std::nullopt;
}

bool CompareController::shows_visit() const {
  return filling() == Filling::Warps && !chip() && schedule_by(WarpScheme::SplitQ, problem().schedule).has_value();
}

void CompareController::play_visit() {
  plays_when_shown_ = false;
  if (visit_.open())
    visit_.carry_out(Action::PlayPause);
  else
    visit_.begin();
}

void CompareController::hold_visit(double t) {
  plays_when_shown_ = false;
  visit_.hold(t);
}

void CompareController::play_when_shown() {
  const bool moves = filling() == Filling::Waves || shows_visit();
  plays_when_shown_ = moves && document_.view.motion;
  shown_at_.reset();
}

bool CompareController::tick(double now) {
  if (plays_when_shown_ && !shown_at_) {
    shown_at_ = now;
  } else if (plays_when_shown_ && now > *shown_at_) {  // in a picture that is drawn off-screen no time passes
    plays_when_shown_ = false;
    if (shows_visit()) visit_.begin();
    if (filling() == Filling::Waves && moves_call()) call().play_or_pause();
  }
  const bool called = call_.tick(now, document_.view.speed), visited = visit_.tick(now);
  return called || visited;
}

void CompareController::pause() {
  call_.pause();
  visit_.close();
  plays_when_shown_ = false;
}

void CompareController::show_lanes(double zoom, double centre) {
  lanes_view_.zoom = std::clamp(std::isfinite(zoom) ? zoom : 1.0, 1.0, kMostLanesZoom);
  const double half = 0.5 / lanes_view_.zoom;
  lanes_view_.centre = std::clamp(std::isfinite(centre) ? centre : 0.5, half, 1 - half);
}

void CompareController::exchange_sides(std::optional<std::int64_t> cursor) {
  const Problem was = problem();
  Document next = document_;
  next.problem = baseline();
  if (next.problem == was) return;
  if (Issues issues = validate(next.problem); !issues.empty()) return messages_.refuse(issues, About::Problem);
  const std::shared_ptr<const Schedule> other = make_schedule(next.problem);
  next.cursor = cursor ? *cursor : cursor_in_step(walk_.schedule(), walk_.cursor(), *other, document_.view.pace);
  next.pinned.problem = was;
  if (const Issues issues = owner_.adopt(std::move(next), true); !issues.empty())
    messages_.refuse(issues, About::Problem);
}

void CompareController::read_chip() {
  if (!document_.pinned.chip) return;
  document_.pinned.chip = false;
  if (!chip_ && setup_.load_chip) {
    Result<ChipTimelines> chip = setup_.load_chip();
    if (!chip) return messages_.refuse(chip.issues(), About::Problem);
    chip_ = std::make_shared<const ChipTimelines>(std::move(*chip));
  }
  if (!chip_) return messages_.refuse("There is no recorded timeline here", About::Problem);
  document_.pinned.chip = true;
}

void CompareController::pin_chip() {
  document_.pinned.chip = true;
  read_chip();
  if (document_.pinned.chip && filling() == Filling::Pipes) show_filling(Filling::Sms);  // it is recorded as lanes
  if (!document_.pinned.chip || row_of(problem()).lanes.recorded_on_chip) return;
  Document next = document_;
  next.problem = under_schedule(problem(), recorded_schedule());
  const std::shared_ptr<const Schedule> other = make_schedule(next.problem);
  next.cursor = cursor_in_step(walk_.schedule(), walk_.cursor(), *other, document_.view.pace);
  if (const Issues issues = owner_.adopt(std::move(next), true); !issues.empty())
    messages_.refuse(issues, About::Problem);
}

void CompareController::pin_now() {
  document_.pinned.chip = false;
  document_.pinned.problem = problem();
  forget_baseline();
  messages_.say(std::string("Pinned: ") + title_of(problem().schedule) + " as it stands");
}

std::optional<Action> toggle_of(Filling filling) {
  switch (filling) {
    case Filling::Sms: break;
    case Filling::Warps: return Action::ShowWarps;
    case Filling::Pipes: return Action::ShowPipes;
    case Filling::Waves: return Action::ShowWaves;
  }
  return std::nullopt;
}

void CompareController::toggle_filling(Filling filling) {
  show_filling(this->filling() == filling ? Filling::Sms : filling);
}

void CompareController::show_filling(Filling filling) {
  ViewSettings& view = document_.view;
  view.filling = filling;
  plays_when_shown_ = false;
  if (filling != Filling::Warps) visit_.close();
  // Pipes have one clock, of bytes, unless another pace is chosen. What they replaced comes back after them.
  if (view.filling == Filling::Pipes && view.pace == Pace::Tile) {
    before_pipes_ = view.pace;
    view.pace = Pace::Byte;
  } else if (view.filling != Filling::Pipes && before_pipes_) {
    if (view.pace == Pace::Byte) view.pace = *before_pipes_;
    before_pipes_.reset();
  }
  forget_baseline();
}

void CompareController::next_pace() {
  document_.view.pace = Pace((int(document_.view.pace) + 1) % 4);
  before_pipes_.reset();
}

void CompareController::pan(int direction) {
  show_lanes(lanes_view_.zoom, lanes_view_.centre + direction * kPan / lanes_view_.zoom);
}

void CompareController::carry_out(const PinSchedule& c) {
  document_.pinned.chip = false;
  document_.pinned.schedule = c.schedule;
  document_.pinned.problem.reset();
  forget_baseline();
}

void CompareController::carry_out(const ChooseCompared& c) {
  if (c.of == Compared::Call)
    if (const std::string why = why_not_the_call(); !why.empty())
      return messages_.refuse("The call cannot be compared: " + why, About::Deed);
  // The walk in place of the call is compared with what the call was, as the window shows it.
  if (c.of == Compared::Walk && compared() == Compared::Call) document_.pinned.schedule = baseline().schedule;
  document_.view.compared = c.of;
  forget_baseline();
  if (is_tiny(problem())) of_tiny_ = c.of;
  call_.forget();
  show_all();
}

void CompareController::carry_out(const SetLaneOption& c) {
  Document next = document_;
  set_lane_option(next.problem, c.option, c.value);
  if (next.problem == problem()) return;
  if (const Issues issues = owner_.adopt(std::move(next), true); !issues.empty())
    messages_.refuse(issues, About::Problem);
}

bool CompareController::asks_about_lanes() const {
  return filling() == Filling::Sms && !chip() && presented_step_ == 0 && has_lanes(problems().now.schedule);
}

bool CompareController::step_presented(StepUnit unit, int direction) {
  const bool pipes = filling() == Filling::Pipes;
  if (!pipes && (chip() || filling() == Filling::Warps)) {
    presented_step_ = std::clamp(presented_step_ + direction, 0, chip() ? kStepsOfChip : kStepsOfWarps);
    return true;
  }
  if (asks_about_lanes() && direction > 0) {
    presented_step_ = 1;
    return true;
  }
  if (unit != StepUnit::Phase || !moves_call()) return false;
  call().move_by(direction * kShareOfClick);  // a class sees no single step of a call of real size
  return true;
}

}  // namespace tilewalk
