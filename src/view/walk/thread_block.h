// The thread block whose lanes are drawn: the one at a cursor of a walk, and its modelled timeline.
#pragma once

#include "core/chip/timeline.h"
#include "core/values/state.h"
#include "core/walk/schedule.h"

namespace tilewalk {

struct ThreadBlock {
  std::int64_t batch = 0, head = 0, group = 0;
  bool operator==(const ThreadBlock&) const = default;
};

// The thread block of the main launch at the cursor, or the nearest one; and its modelled lanes.
ThreadBlock block_at(const Schedule&, std::int64_t cursor);
Timeline timeline_at(const Schedule&, std::int64_t cursor);

Timeline timeline_of(const Schedule&, const ThreadBlock&, std::int64_t most_visits = TimelineOptions{}.most_visits);
// With so many visits that it lacks no work up to that cycle (view/walk/lanes_axis).
Timeline timeline_until(const Schedule&, const ThreadBlock&, double cycles);

// The group that works on the state's tile; before the first step, the one with the most work.
std::int64_t group_of(const Problem&, const State&);

std::string tile_of(const Problem&, std::int64_t group);  // "Q tile 3", "KV tile 0"

}  // namespace tilewalk
