// The decision as a path: a branch for each backend in PyTorch's order, and on it the conditions in the order in which
// PyTorch asks them. All conditions on one topic are one stop, at the place of the first, or of the one that refused.
#pragma once

#include <string>
#include <vector>

#include "dispatch/dispatch.h"

namespace tilewalk {

enum class WhichMark { Passed, Refused, NotReached };

struct WhichCheck {
  WhichMark mark{};
  std::string says;       // "no attn_mask"
  std::string value;      // "float, 1×12×1,024×1,024"; empty where not reached
  std::string source;     // for the tooltip
  std::string topic{};    // what of the call it checks: "mask"; empty: of a way in that has its own kernel
  std::string refusal{};  // "it takes no attn_mask"
};

struct PathStop {  // a stop of a backend's branch: its checks on one topic
  std::string topic;
  WhichMark mark{};  // refused: the check at which PyTorch goes on to the next backend
  std::string tip;
};

std::vector<WhichCheck> checks_of(const BackendAnswer&);
std::vector<PathStop> stops_of(const std::vector<WhichCheck>&);

struct StopPlace {
  float x;  // of the stop and of the middle of its label
  int row;  // of its label
};

// Each stop has its label, and no two labels touch: on one row with equal gaps where they fit; else on more rows in
// turn, with equal distances of the stops. widths: of the labels; gap: the least between two; pitch: the widest
// distance of two stops.
std::vector<StopPlace> place_stops(const std::vector<float>& widths, float room, float gap, float pitch);

// What a check asks for, with the call's value where the check refused the call.
std::string check_text(const WhichCheck&);

}  // namespace tilewalk
