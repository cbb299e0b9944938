// The text mode of the window: the same view models, as lines, for users who cannot see it or have no display.
#pragma once

#include <string>

#include "core/problem/inputs.h"
#include "core/replay/replay.h"
#include "core/walk/schedule.h"
#include "session/session.h"

namespace tilewalk {

// Q, K and V of the tile visit, then the quantities computed from them.
std::string visit_text(const Schedule&, const Inputs&, const SeenState&);
std::string heading_text(const Schedule&);                    // schedule and problem, one line
std::string tile_map_text(const Schedule&, const State&);     // classes and progress, with a legend
std::string softmax_text(const Schedule&, const SeenState&);  // a row a line: m, alpha, l
std::string o_tile_text(const Schedule&, const SeenState&);
std::string memory_text(const Schedule&, const State&);                    // HBM, moves, residents of SRAM
std::string traffic_text(const Schedule&, std::int64_t cursor);            // bars and tensors as a table
std::string state_text(const Schedule&, const Inputs&, const SeenState&);  // all of it; "?" for fields of work by hand

}  // namespace tilewalk
