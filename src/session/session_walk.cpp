// The part of a Session that moves the cursor: steps, playing, go to, run to.
#include <algorithm>
#include <cmath>

#include "session/session.h"

namespace tilewalk {

void Session::play(int direction, std::optional<std::int64_t> target) {
  playback_ = {};
  playback_.playing = true;
  playback_.direction = direction;
  playback_.target = target;
}

void Session::tick(double now) {
  if (!playback_.playing) return;
  std::int64_t moves = due_moves(playback_, now, document_.view.speed);
  if (moves == 0) return;
  if (busy_) {  // the picture waits for the numbers, and the moves wait with it
    playback_.owed = std::min(1.0, playback_.owed + double(moves));
    return;
  }
  std::int64_t cursor = document_.cursor;
  const bool back = playback_.direction < 0;
  const std::int64_t end = playback_.target.value_or(back ? 0 : schedule().step_count());
  for (; moves > 0 && cursor != end; --moves) {
    cursor = back ? previous_stop(schedule(), document_.view.unit, cursor)
                  : next_stop(schedule(), document_.view.unit, cursor);
    cursor = back ? std::max(cursor, end) : std::min(cursor, end);
  }
  if (cursor == end) playback_ = {};
  ++revision_;
  seek(cursor);
}

std::optional<std::int64_t> Session::end_of_tile(std::int64_t q_tile, std::int64_t kv_tile) const {
  const Problem& p = problem();
  if (q_tile < 0 || kv_tile < 0 || q_tile >= p.q_tiles() || kv_tile >= p.kv_tiles()) return std::nullopt;
  const int section = shown_.started ? shown_.step.section : 0;
  for (const int s : {section, schedule().visit_section()}) {
    const std::int64_t end = schedule().end_step_of_visit(s, batch_in_view(), head_in_view(), q_tile, kv_tile);
    if (end >= 0) return end;
  }
  return std::nullopt;
}

void Session::run_to(std::int64_t q_tile, std::int64_t kv_tile) {
  const auto end = end_of_tile(q_tile, kv_tile);
  if (!end) return say("That tile is skipped: the walk never visits it.", true);
  if (*end == cursor()) return say("The walk is there already.");
  play(*end < cursor() ? -1 : 1, *end);
}

void Session::move_to(std::int64_t cursor) {
  playback_ = {};
  seek(cursor);
}

void Session::carry_out(const GoToStep& c) { move_to(c.cursor); }

void Session::carry_out(const GoToTile& c) {
  if (const auto end = end_of_tile(c.q_tile, c.kv_tile)) return move_to(*end);
  say("Tile " + std::to_string(c.q_tile) + ", " + std::to_string(c.kv_tile) + " is not visited by this walk.", true);
}

void Session::carry_out(const GoToHead& c) {
  document_.view.batch = std::clamp<std::int64_t>(c.batch, 0, problem().shape.batch - 1);
  document_.view.head = std::clamp<std::int64_t>(c.head, 0, problem().shape.heads - 1);
  move_to(schedule().first_step_of_group(0, document_.view.batch, document_.view.head, 0) + 1);
}

void Session::carry_out(const RunToTile& c) { run_to(c.q_tile, c.kv_tile); }
void Session::carry_out(const SetSpeed& c) {
  document_.view.speed = std::isfinite(c.moves_a_second) ? std::clamp(c.moves_a_second, kMinSpeed, kMaxSpeed) : 1;
}
void Session::carry_out(const SetUnit& c) { document_.view.unit = c.unit; }

bool Session::walk(Action action) {
  switch (action) {
    case Action::PlayPause:
      if (playback_.playing)
        playback_ = {};
      else if (cursor() < schedule().step_count())
        play(1, std::nullopt);
      else
        say("The walk is finished. Home goes back to the start.");
      return true;
    case Action::StepForward: move_to(next_stop(schedule(), StepUnit::Phase, cursor())); return true;
    case Action::StepBack: move_to(previous_stop(schedule(), StepUnit::Phase, cursor())); return true;
    case Action::TileForward: move_to(next_stop(schedule(), StepUnit::Tile, cursor())); return true;
    case Action::TileBack: move_to(previous_stop(schedule(), StepUnit::Tile, cursor())); return true;
    case Action::QTileForward: move_to(next_stop(schedule(), StepUnit::QTile, cursor())); return true;
    case Action::QTileBack: move_to(previous_stop(schedule(), StepUnit::QTile, cursor())); return true;
    case Action::First: move_to(0); return true;
    case Action::Last: move_to(schedule().step_count()); return true;
    case Action::RunToSelection:
      if (!selection_)
        say("Select a tile first: click it in the score matrix.", true);
      else
        run_to(selection_->row / problem().tiling.br, selection_->col / problem().tiling.bc);
      return true;
    case Action::Faster: document_.view.speed = std::min(kMaxSpeed, document_.view.speed * 2); return true;
    case Action::Slower: document_.view.speed = std::max(kMinSpeed, document_.view.speed / 2); return true;
    case Action::NextUnit: document_.view.unit = StepUnit((int(document_.view.unit) + 1) % 3); return true;
    default: return false;
  }
}

}  // namespace tilewalk
