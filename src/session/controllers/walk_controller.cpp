#include "session/controllers/walk_controller.h"

#include <algorithm>
#include <cmath>

#include "core/schedules/registry.h"

namespace tilewalk {

bool takes_a_mistake_back(Problem before, const Problem& now) {
  if (before.fault == Fault::None || now.fault != Fault::None) return false;
  before.fault = Fault::None;
  return before == now;
}

void WalkController::open(std::shared_ptr<const Schedule> schedule, const Inputs& inputs,
                          const std::shared_ptr<WorkerPool>& workers, bool keep_view) {
  worker_count_ = workers ? workers->size() : 1;
  const bool heals = schedule_ && takes_a_mistake_back(schedule_->problem(), schedule->problem());
  schedule_ = std::move(schedule);
  right_.reset();
  if (problem().fault != Fault::None) {
    Problem right = problem();
    right.fault = Fault::None;
    std::shared_ptr<const Schedule> without = make_schedule(right);
    if (without->step_count() == schedule_->step_count())
      right_ = std::make_unique<Replay>(without, inputs.under(right), workers);
  }
  replay_ = std::make_unique<Replay>(schedule_, inputs, workers);
  shown_ = State{};
  busy_ = false;
  last_card_closed_ = false;
  playback_ = {};
  motion_.rest();
  healing_.rest();
  if (heals && document_.view.motion) healing_.begin(kSecondsOfHealing);
  if (!keep_view) grid_view_ = {}, keeps_whole_ = false;
  if (selection_ && (selection_->row >= problem().shape.n_q || selection_->col >= problem().shape.n_kv))
    selection_.reset();
  seek(document_.cursor);
}

void WalkController::rescheduled(std::shared_ptr<const Schedule> schedule, std::int64_t cursor) {
  schedule_ = std::move(schedule);
  if (cursor != this->cursor()) seek(cursor);
}

// About 2^24 multiply-adds for each of several workers. A single worker may be a browser's, where the frame waits for
// it.
std::int64_t WalkController::visits_at_once() const {
  const Problem& p = problem();
  const double products = worker_count_ > 1 ? double(1 << 24) * worker_count_ : double(1 << 21);
  const double each =
      double(std::min(p.tiling.br, p.shape.n_q)) * double(std::min(p.tiling.bc, p.shape.n_kv)) * double(p.shape.d) * 2;
  return std::max<std::int64_t>(1, std::int64_t(products / each));
}

bool WalkController::is_small() const { return visits_at_once() >= 64; }

void WalkController::keep_before(std::int64_t cursor) {
  before_.reset();
  if (cursor <= 0) return;
  if (busy_ || shown_.cursor != cursor - 1) {
    if (!is_small()) return;
    seek(cursor - 1);
  }
  if (!busy_) before_ = shown_;
}

void WalkController::seek_moving(std::int64_t cursor, double seconds) {
  if (!document_.view.motion) seconds = std::min(seconds, kSecondsOfFade);
  if (seconds < kLeastMotion) return seek(cursor);  // too short to be seen
  keep_before(cursor);
  seek(cursor);
  if (before_) motion_.begin(seconds);
}

void WalkController::hold_motion(double t) {
  pause();
  if (healing_.moves() || healing_.is_held()) return healing_.hold_at(t);
  const std::int64_t at = cursor();
  keep_before(at);
  seek(at);
  if (before_) motion_.hold_at(t);
}

void WalkController::seek(std::int64_t cursor) {
  motion_.rest();
  const std::int64_t was = document_.cursor;
  document_.cursor = std::clamp<std::int64_t>(cursor, 0, schedule().step_count());
  if (document_.cursor != was) last_card_closed_ = false;
  replay_->begin(document_.cursor);
  if (right_) right_->begin(document_.cursor);
  busy_ = true;
  messages_.done(About::Cursor);
  work(visits_at_once());
}

bool WalkController::work(std::int64_t visits) {
  if (!busy_) return false;
  if (replay_->work(std::max<std::int64_t>(1, visits))) {
    if (right_ && !right_->work(std::max<std::int64_t>(1, visits))) return true;
    busy_ = false;
    shown_ = replay_->state();
  } else if (const State* early = replay_->early_state(); early && shown_.cursor != early->cursor) {
    shown_ = *early;
  } else {
    return true;
  }
  follow_cursor();
  return true;
}

void WalkController::move_to(std::int64_t cursor) {
  pause();
  seek(cursor);
}

void WalkController::open_last_card() {
  if (has_last_card()) return;
  move_to(schedule().step_count());
  last_card_closed_ = false;
}

void WalkController::close_last_card() { last_card_closed_ = last_card_closed_ || has_last_card(); }

void WalkController::play(int direction, std::optional<std::int64_t> target) {
  playback_ = {};
  playback_.playing = true;
  playback_.direction = direction;
  playback_.target = target;
  if (playing_by() == StepUnit::Phase) playback_.owed = 1;  // the current step counts as read
}

// A run to a tile moves by whole tiles at least, since its steps are not read.
StepUnit WalkController::playing_by() const {
  const StepUnit unit = document_.view.unit;
  return playback_.target && unit == StepUnit::Phase ? StepUnit::Tile : unit;
}

double WalkController::moves_a_second() const {
  const bool reads = playing_by() == StepUnit::Phase && reading_time_;
  const double seconds = reads ? reading_time_(schedule(), shown_) : playing_by() == StepUnit::Tile ? kSecondsATile : 1;
  return document_.view.speed / seconds;
}

std::optional<double> WalkController::seconds_to_next_move(double now) const {
  const bool moves = motion_.moves() || healing_.moves();
  if (!playback_.playing) return moves ? std::optional(kMotionFrame) : std::nullopt;
  const double seconds = tilewalk::seconds_to_next_move(playback_, now, moves_a_second());
  return moves ? std::min(seconds, kMotionFrame) : seconds;
}

bool WalkController::tick(double now) {
  const bool moved = motion_.moves(), healed = healing_.moves();
  motion_.advance(now);
  healing_.advance(now);
  if (healed && !healing_.moves()) return tick(now), true;  // the marks are gone
  const bool landed = moved && !motion_.moves();            // the badge counts the visit, and the last card opens
  if (!playback_.playing) return landed;
  std::int64_t moves = due_moves(playback_, now, moves_a_second());
  if (moves == 0) return landed;
  if (busy_) {  // the state is not ready, so no move is made
    playback_.owed = std::min(1.0, playback_.owed + double(moves));
    return landed;
  }
  std::int64_t at = cursor();
  const bool back = playback_.direction < 0;
  const std::int64_t end = playback_.target.value_or(back ? 0 : schedule().step_count());
  for (; moves > 0 && at != end; --moves) {
    at = back ? previous_stop(schedule(), playing_by(), at) : next_stop(schedule(), playing_by(), at);
    at = back ? std::max(at, end) : std::min(at, end);
  }
  const double seconds = 1 / moves_a_second();
  if (at == end) pause();
  if (back)
    seek(at);
  else
    seek_moving(at, seconds);
  motion_.advance(now);
  return true;
}

std::optional<std::int64_t> WalkController::end_of_tile(std::int64_t q_tile, std::int64_t kv_tile) const {
  const Problem& p = problem();
  if (q_tile < 0 || kv_tile < 0 || q_tile >= p.q_tiles() || kv_tile >= p.kv_tiles()) return std::nullopt;
  const int section = shown_.started ? shown_.step.section : 0;
  for (const int s : {section, schedule().visit_section()}) {
    const std::int64_t end = schedule().end_step_of_visit(
        s, {.batch = batch_in_view(), .head = head_in_view(), .q_tile = q_tile, .kv_tile = kv_tile});
    if (end >= 0) return end;
  }
  return std::nullopt;
}

void WalkController::run_to(std::int64_t q_tile, std::int64_t kv_tile) {
  const auto end = end_of_tile(q_tile, kv_tile);
  if (!end) return messages_.refuse("That tile is skipped: the walk never visits it.", About::Cursor);
  if (*end == cursor()) return messages_.note("The walk is there already.", About::Cursor);
  play(*end < cursor() ? -1 : 1, *end);
}

void WalkController::run_to_selection() {
  if (!selection_) return messages_.refuse("Select a tile first: click it in the score matrix.", About::Selection);
  run_to(selection_->row / problem().tiling.br, selection_->col / problem().tiling.bc);
}

void WalkController::play_or_pause() {
  if (playback_.playing)
    pause();
  else if (cursor() < schedule().step_count())
    play(1, std::nullopt);
  else
    messages_.note("The walk is finished. Home goes back to the start.", About::Cursor);
}

void WalkController::step(StepUnit unit, int direction) {
  if (direction < 0) return move_to(previous_stop(schedule(), unit, cursor()));
  const bool held = motion_.moves();  // the key repeats before the motion ended: the motion is left out
  const std::int64_t to = next_stop(schedule(), unit, cursor());
  pause();
  if (to > cursor()) return seek_moving(to, held ? 0 : kSecondsOfKeyStep);
  seek(to);
}

void WalkController::next_unit() { document_.view.unit = StepUnit((int(document_.view.unit) + 1) % 3); }

void WalkController::carry_out(const GoToTile& c) {
  if (const auto end = end_of_tile(c.q_tile, c.kv_tile)) return move_to(*end);
  messages_.refuse(
      "Tile " + std::to_string(c.q_tile) + ", " + std::to_string(c.kv_tile) + " is not visited by this walk.",
      About::Cursor);
}

void WalkController::carry_out(const GoToHead& c) {
  ViewSettings& view = document_.view;
  view.batch = std::clamp<std::int64_t>(c.batch, 0, problem().shape.batch - 1);
  view.head = std::clamp<std::int64_t>(c.head, 0, problem().shape.heads - 1);
  move_to(schedule().first_step_of_group(0, {.batch = view.batch, .head = view.head, .group = 0}) + 1);
}

void WalkController::set_speed(double moves_a_second) {
  if (std::isfinite(moves_a_second)) document_.view.speed = std::clamp(moves_a_second, kMinSpeed, kMaxSpeed);
}

void WalkController::carry_out(const SelectCell& c) {
  if (c.row < 0 || c.row >= problem().shape.n_q || c.col < 0 || c.col >= problem().shape.n_kv)
    return messages_.refuse(
        "Row " + std::to_string(c.row) + ", column " + std::to_string(c.col) + " lies outside the score matrix.",
        About::Selection);
  selection_ = Selection{c.row, c.col};
  messages_.done(About::Selection);
}

void WalkController::carry_out(const SetGridView& c) {
  const double most = double(std::max(problem().shape.n_q, problem().shape.n_kv));
  grid_view_.zoom = std::clamp(std::isfinite(c.zoom) ? c.zoom : 1.0, 1.0, most);
  grid_view_.row = std::clamp(std::isfinite(c.row) ? c.row : 0.5, 0.0, 1.0);
  grid_view_.col = std::clamp(std::isfinite(c.col) ? c.col : 0.5, 0.0, 1.0);
  if (grid_view_.zoom == 1.0) return show_all();
  keeps_whole_ = false;
}

void WalkController::zoom_by(double factor) {
  const double most = double(std::max(problem().shape.n_q, problem().shape.n_kv));
  grid_view_.zoom = std::clamp(grid_view_.zoom * factor, 1.0, most);
  if (grid_view_.zoom == 1.0) return show_all();
  keeps_whole_ = false;
}

void WalkController::zoom_to_tile() {
  keeps_whole_ = false;
  grid_view_.zoom = std::max(1.0, double(std::min(problem().q_tiles(), problem().kv_tiles())) / 1.6);
  grid_view_.row = grid_view_.col = 2;  // outside the view, so that the cursor's tile is moved to the centre
  follow_cursor();
  if (grid_view_.row > 1) grid_view_.row = grid_view_.col = 0.5 / grid_view_.zoom;
}

// When zoomed in, the view follows the current tile.
void WalkController::follow_cursor() {
  if (grid_view_.zoom <= 1 || !shown_.started || shown_.step.kv_tile < 0) return;
  const Problem& p = problem();
  const double row = (double(shown_.step.row_begin) + double(shown_.step.rows()) / 2) / double(p.shape.n_q);
  const double col = (double(shown_.step.col_begin) + double(shown_.step.cols()) / 2) / double(p.shape.n_kv);
  const double reach = 0.5 / grid_view_.zoom;
  if (std::fabs(row - grid_view_.row) > reach || std::fabs(col - grid_view_.col) > reach) {
    grid_view_.row = row;
    grid_view_.col = col;
  }
}

// Cycles: what the phase computes, S, P, in backward passes dP and dS.
void WalkController::next_cells() {
  std::vector<Quantity> all = quantities_of(QuantityShape::Cell);
  while (!makes(row_of(problem()), all.back())) all.pop_back();
  const auto next = cells_ ? std::upper_bound(all.begin(), all.end(), *cells_) : all.begin();
  if (next != all.end())
    cells_ = *next;
  else
    cells_.reset();
}

}  // namespace tilewalk
