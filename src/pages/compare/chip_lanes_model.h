// The lanes recorded on a GPU (measured/chip_timeline), shown instead of the pinned ones: the first Q tile of the first
// recorded thread block, from the moment at which it has the tile's number, of the run nearest to the problem on
// screen; and the titles of both pictures.
#pragma once

#include <string>

#include "measured/chip_timeline.h"
#include "pages/compare/lanes_model.h"

namespace tilewalk {

struct ChipLanes {
  const ChipRun* run = nullptr;  // null: no build with these options was recorded
  Timeline timeline;             // of the first Q tile, or of what was recorded of it
  std::int64_t q_tile = 0;
  std::int64_t first_kv_tile = 0, last_kv_tile = 0;  // in the order of visits: from the last one down
  bool whole = true;                                 // up to the end of the Q tile
  std::string skipped;  // "consumer 0 sees no key of tile 14 and skips it", for each tile that one skips
  std::string card;
};

ChipLanes chip_lanes_for(const ChipTimelines&, const Problem& now);

// The stamps of a thread block's first Q tile. Time begins where the first lane has the tile's number.
ChipBlock first_q_tile(const ChipBlock&);

std::string differences_from(const ChipRun&, const Problem& walk);  // "N 2,048, not 16, bf16"; empty: none

// Titles and notes of two pictures, the first of which is the recorded one. Where no run was recorded with these
// switches, the sentence says so.
void describe_chip(const ChipLanes&, const Problem& modelled, const Timeline&, LanesModel&);

}  // namespace tilewalk
