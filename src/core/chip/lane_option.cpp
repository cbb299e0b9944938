#include "core/chip/lane_option.h"

#include <algorithm>

namespace tilewalk {

const char* title_of(LaneOption option) {
  switch (option) {
    case LaneOption::WarpSpecialisation: return "warp specialisation";
    case LaneOption::PingPong: return "ping-pong";
    case LaneOption::Overlap: return "overlap inside a warpgroup";
    case LaneOption::ConditionalRescale: return "conditional rescale";
    case LaneOption::PolynomialExp2: return "polynomial exp2";
    case LaneOption::Stages: return "stages beyond two";
  }
  return "";
}

void set_lane_option(Problem& p, LaneOption option, std::int64_t value) {
  const auto share = [on = value != 0](double now, double usual) { return !on ? 0 : now > 0 ? now : usual; };
  switch (option) {
    case LaneOption::WarpSpecialisation: p.lanes.warp_specialised = value != 0; return;
    case LaneOption::PingPong: p.lanes.ping_pong = value != 0; return;
    case LaneOption::Overlap: p.lanes.overlap = value != 0; return;
    case LaneOption::ConditionalRescale:
      p.tiling.rescale_threshold = share(p.tiling.rescale_threshold, Problem{}.tiling.rescale_threshold);
      return;
    case LaneOption::PolynomialExp2: p.lanes.exp2_share = share(p.lanes.exp2_share, Problem{}.lanes.exp2_share); return;
    case LaneOption::Stages: p.tiling.stages = int(std::clamp<std::int64_t>(value, 0, 1 << 20)); return;
  }
}

}  // namespace tilewalk
