// Two schedules walked in step: the position of one when the other has visited tiles of as many scores, done as many
// FLOPs or asked global memory for as many bytes. Counted, not modelled; each is a search over totals_before, O(log
// steps) of them.
#pragma once

#include "core/walk/schedule.h"

namespace tilewalk {

enum class Pace { Tile, Flop, Byte, Time };  // Time needs timelines: view/in_step
const char* name_of(Pace);                   // "tile", "FLOP", "byte", "modelled time"

struct WalkProgress {
  std::int64_t cursor = 0, steps = 0;
  std::int64_t visits = 0, of_visits = 0;  // begun
  std::int64_t bytes = 0, of_bytes = 0;    // read and written, HBM
  std::int64_t flops = 0, of_flops = 0;    // products, exponentials and others
};
WalkProgress progress_at(const Schedule&, std::int64_t cursor);

// The cursor that `to` has reached. By byte: the last cursor with no more bytes. By FLOP: the same, without loading
// ahead. By tile: the end of the visit with as many
// scores, which is as many tiles where both have one tile size. A finished walk matches a finished one if that one
// needed no more. By Time: as by tile.
std::int64_t cursor_in_step(const Schedule& from, std::int64_t cursor, const Schedule& to, Pace);

// The last cursor at which the walk has used no more than that: bytes, FLOPs or tile visits begun.
std::int64_t last_cursor_within(const Schedule&, std::int64_t most, Pace);

}  // namespace tilewalk
