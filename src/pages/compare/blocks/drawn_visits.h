// The visits of a call's thread block that are drawn at once: so many that their work has names, around the cursor. The
// lanes before them are modelled, but out of view.
#pragma once

#include <vector>

#include "core/chip/timeline.h"
#include "view/walk/thread_block.h"

namespace tilewalk {

inline constexpr double kSameCycle = 1e-6;  // two cycles that differ by less are the same

// Ends with the drawn visits. The cycles of the whole thread block are the same at every cursor.
Timeline timeline_drawing(const Schedule&, const ThreadBlock&, std::int64_t cursor);
// False where another end of the timeline would draw the work at that cursor, and this one does not.
bool draws_cursor(const Timeline&, std::int64_t cursor);
// begin, end: a part of the drawn visits of the first argument, as fractions. They become that part of the axis of all
// these timelines, on which long waits are folded (view/walk/lanes_axis). In a narrow area fewer visits are drawn,
// those around the cursor, so that each product has its word. width: of the axis, before scaling. Returns true if the
// drawn visits end after these.
bool place_on_axis(const Timeline&, const std::vector<const Timeline*>& on_axis, std::int64_t cursor, double width,
                   double& begin, double& end);

}  // namespace tilewalk
