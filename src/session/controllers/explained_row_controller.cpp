#include "session/controllers/explained_row_controller.h"

#include <algorithm>

#include "session/document/step_motion.h"

namespace tilewalk {
namespace {

QTileId q_tile_of(const Step& step) { return {step.batch, step.head, step.q_tile}; }

}  // namespace

QTileId q_tile_at(const Schedule& schedule, const State& state) {
  return q_tile_of(state.cursor < schedule.step_count() ? schedule.step(state.cursor) : state.step);
}

std::optional<double> ExplainedRowController::seconds_to_next() const {
  return moves() ? std::optional(kMotionFrame) : std::nullopt;
}

void ExplainedRowController::begin(const QTileId& q_tile, std::uint64_t problem_revision, bool motion) {
  q_tile_ = q_tile, problem_revision_ = problem_revision;
  share_ = motion ? 0 : 1, began_ = -1;
}

void ExplainedRowController::follow(const Schedule& schedule, const State& state, std::uint64_t problem_revision) {
  if (!q_tile_) return;
  const bool there = q_tile_at(schedule, state) == *q_tile_ || (state.started && q_tile_of(state.step) == *q_tile_);
  if (!there || problem_revision != problem_revision_) q_tile_.reset();
}

bool ExplainedRowController::tick(double now) {
  if (!moves()) return false;
  if (began_ < 0) began_ = now;
  share_ = std::clamp((now - began_) / kSecondsOfReturn, 0.0, 1.0);
  return true;
}

}  // namespace tilewalk
