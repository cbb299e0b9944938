#include "session/controllers/call_walk.h"

#include <algorithm>

#include "core/schedules/registry.h"
#include "core/walk/in_step.h"
#include "session/document/playback.h"

namespace tilewalk {

namespace {

constexpr std::int64_t kVisitsBegun = 3;  // of the thread block in the middle: its lanes are at work

std::int64_t middle_of(const Schedule& call) {
  const std::int64_t visits = progress_at(call, call.step_count()).of_visits;
  const std::int64_t half = std::max<std::int64_t>(1, last_cursor_within(call, visits / 2, Pace::Tile));
  const Step at = call.step(std::min(half, call.step_count() - 1));
  const std::int64_t first =
      call.first_step_of_group(at.section, {.batch = at.batch, .head = at.head, .group = at.group});
  return last_cursor_within(call, progress_at(call, first).visits + kVisitsBegun, Pace::Tile);
}

}  // namespace

std::int64_t first_cursor(const Schedule& walk, std::int64_t cursor, const Schedule& call) {
  if (cursor >= walk.step_count()) return call.step_count();
  if (cursor == 0) return middle_of(call);
  const WalkProgress at = progress_at(walk, cursor), whole = progress_at(call, call.step_count());
  const double share = double(at.visits) / double(std::max<std::int64_t>(1, at.of_visits));
  return last_cursor_within(call, std::int64_t(share * double(whole.of_visits)), Pace::Tile);
}

std::int64_t first_cursor_in_pipes(const Schedule& call, const Schedule* pinned) {
  if (!pinned) return call.step_count();
  const std::int64_t before =
      last_cursor_within(call, progress_at(*pinned, pinned->step_count()).bytes - 1, Pace::Byte);
  return std::min(before + 1, call.step_count());
}

std::optional<std::int64_t> CallWalk::cursor(const Problem& call) const {
  return schedule_ && schedule_->problem() == call ? std::optional(cursor_) : std::nullopt;
}

void CallWalk::move_to(std::int64_t cursor) {
  pause();
  cursor_ = std::clamp<std::int64_t>(cursor, 0, schedule_->step_count());
}

void CallWalk::step(StepUnit unit, int direction) {
  move_to(direction < 0 ? previous_stop(*schedule_, unit, cursor_) : next_stop(*schedule_, unit, cursor_));
}

void CallWalk::move_by(double share) {
  const double steps = share * double(schedule_->step_count());
  move_to(cursor_ + std::int64_t(share < 0 ? std::min(-1.0, steps) : std::max(1.0, steps)));
}

void CallWalk::play_or_pause() {
  if (plays_) return pause();
  if (cursor_ == schedule_->step_count()) cursor_ = 0;
  plays_ = true;
  last_tick_ = -1, owed_ = 0;
}

void CallWalk::forget() {
  pause();
  schedule_.reset();
}

bool CallWalk::tick(double now, double speed) {
  if (!plays_) return false;
  if (last_tick_ < 0) last_tick_ = now;
  const double steps = double(schedule_->step_count());
  owed_ += std::clamp(now - last_tick_, 0.0, 1.0) * speed * steps / kSecondsOfCall;
  last_tick_ = now;
  const auto due = std::int64_t(owed_);
  owed_ -= double(due);
  cursor_ = std::min(cursor_ + due, schedule_->step_count());
  if (cursor_ == schedule_->step_count()) pause();
  return due > 0;
}

}  // namespace tilewalk
