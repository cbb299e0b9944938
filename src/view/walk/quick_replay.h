// What a frame has time to replay.
#pragma once

#include <vector>

#include "core/replay/replay.h"

namespace tilewalk {

// True if a frame has time to replay a whole head of that problem.
bool is_quick_to_replay(const Problem&);

struct ReplayedQTile {
  std::vector<VisitState> visits;  // in walk order
  std::vector<float> o;            // final, rows x d; empty in a backward pass
};
ReplayedQTile replay_q_tile(Replay&, const QTileId&);  // at once

}  // namespace tilewalk
