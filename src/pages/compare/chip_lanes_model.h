// The lanes recorded on a GPU (measured/chip_timeline), shown instead of the pinned ones: the run nearest to the
// problem on screen, and the words for its machine and its differences from the modelled problem.
#pragma once

#include <string>

#include "measured/chip_timeline.h"
#include "pages/compare/lanes_model.h"

namespace tilewalk {

struct ChipLanes {
  const ChipRun* run = nullptr;  // null: no build with these options was recorded
  Timeline timeline;
  std::string card;
};

ChipLanes chip_lanes_for(const ChipTimelines&, const Problem& now);

// Titles, note and sentence of a page whose first picture is the recorded one.
// of_walk: the modelled problem is the walk's, not one modelled only to compare it with the recording.
void describe_chip(const ChipLanes&, const Problem& now, const Timeline& modelled, LanesModel&, bool of_walk = true);

}  // namespace tilewalk
