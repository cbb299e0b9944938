#include "session/document/playback.h"

#include <algorithm>

namespace tilewalk {

std::int64_t due_moves(Playback& playback, double now, double moves_a_second) {
  if (!playback.playing) return 0;
  if (playback.last_tick < 0) {
    playback.last_tick = now;
    return 0;
  }
  const double elapsed = std::clamp(now - playback.last_tick, 0.0, std::max(1.0, 1 / moves_a_second));
  playback.last_tick = now;
  playback.owed += elapsed * moves_a_second;
  // The tolerance keeps rounding from losing a tick that is due exactly at a move.
  const std::int64_t moves = std::int64_t(playback.owed + 1e-6);
  playback.owed = std::max(0.0, playback.owed - double(moves));
  return moves;
}

double seconds_to_next_move(const Playback& playback, double now, double moves_a_second) {
  if (!playback.playing || playback.last_tick < 0) return 0;
  const double owed = playback.owed + std::max(0.0, now - playback.last_tick) * moves_a_second;
  return owed >= 1 ? 0 : (1 - owed) / moves_a_second;
}

std::int64_t next_stop(const Schedule& schedule, StepUnit unit, std::int64_t cursor) {
  const std::int64_t last = schedule.step_count();
  if (cursor >= last) return last;
  if (unit == StepUnit::Phase) return cursor + 1;
  Step step = schedule.step(cursor);
  const std::int64_t group_end = schedule.end_step_of_group(step.section, step.group_id());
  if (unit == StepUnit::QTile) return group_end;
  while (!step.in_visit() && step.index + 1 < group_end) step = schedule.step(step.index + 1);  // past the prologue
  if (!step.in_visit()) return group_end;
  return schedule.end_step_of_visit(step.section, step.tile());
}

std::int64_t previous_stop(const Schedule& schedule, StepUnit unit, std::int64_t cursor) {
  if (cursor <= 0) return 0;
  if (unit == StepUnit::Phase) return cursor - 1;
  Step step = schedule.step(std::min(cursor, schedule.step_count()) - 1);
  const std::int64_t group_begin = schedule.first_step_of_group(step.section, step.group_id());
  if (unit == StepUnit::QTile) return group_begin;
  // Backwards out of the epilogue: the end of the last visit is a stop.
  while (!step.in_visit() && step.index > group_begin) {
    step = schedule.step(step.index - 1);
    if (step.in_visit()) return step.index + 1;
  }
  if (!step.in_visit() || step.visit == 0) return group_begin;
  return schedule.first_step_of_visit(step.section, step.tile());
}

}  // namespace tilewalk
