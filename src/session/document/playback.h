// Playing: the number of due moves, from times that are passed in. Reads no clock.
// Also the stops of a walk by a unit. For each unit these are a fixed set that depends on the schedule alone, so
// walking backwards visits the same stops as walking forwards:
//   Phase: every cursor. Tile: 0, the end of each tile visit, the end of each Q tile. QTile: 0 and the end of each Q
//   tile.
#pragma once

#include <cstdint>
#include <optional>

#include "core/walk/schedule.h"
#include "session/document/document.h"

namespace tilewalk {

inline constexpr double kMinSpeed = 0.25, kMaxSpeed = 4096;  // factors of the usual pace
inline constexpr double kSecondsATile = 0.8;  // at the usual pace; a Q tile takes 1 second, a phase its reading time

struct Playback {
  bool playing = false;
  int direction = 1;                   // −1 while running back to an earlier tile
  std::optional<std::int64_t> target;  // run-to: stop there
  double last_tick = -1;               // seconds; −1 before the first tick of this run
  double owed = 0;                     // fraction of a move not made yet
  bool operator==(const Playback&) const = default;
};

// Returns the moves due at `now` at that rate and keeps the remainder. The first tick of a run gives 0 moves. A late
// tick gives at most one second of moves, or one move.
std::int64_t due_moves(Playback&, double now, double moves_a_second);
// Seconds until the next move; 0 if a move is due.
double seconds_to_next_move(const Playback&, double now, double moves_a_second);

std::int64_t next_stop(const Schedule&, StepUnit, std::int64_t cursor);      // > cursor, or step_count
std::int64_t previous_stop(const Schedule&, StepUnit, std::int64_t cursor);  // < cursor, or 0

}  // namespace tilewalk
