// The lanes recorded from the chip (measured/chip_timeline), in the place of the pinned ones: which run is nearest to
// the problem on screen, and in words what it was recorded on and where that differs from what the model is asked
// about.
#pragma once

#include <string>

#include "measured/chip_timeline.h"
#include "pages/compare/lanes_model.h"

namespace tilewalk {

struct ChipLanes {
  const ChipRun* run = nullptr;  // null: no build was recorded with these switches
  Timeline timeline;
  std::string card;
};

ChipLanes chip_lanes_for(const ChipTimelines&, const Problem& now);

// Titles, note and sentence of a page whose first picture is the chip's.
void describe_chip(const ChipLanes&, const Problem& now, const Timeline& modelled, LanesModel&);

}  // namespace tilewalk
