#include "session/controllers/endless_zoom_controller.h"

#include <cmath>

#include "session/document/step_motion.h"

namespace tilewalk {

void EndlessZoomController::zoom_by(double factor) { hold(t() - std::log2(factor) / doublings(squares())); }

std::vector<double> EndlessZoomController::stops() const {
  std::vector<double> out;
  for (const ZoomSquare& square : squares()) out.push_back(square.t);
  return out;
}

double EndlessZoomController::way(double share) const { return eased(share); }

bool EndlessZoomController::carry_out_own(Action action) {
  switch (action) {
    case Action::ZoomToTile: return move_to(0), true;
    case Action::ZoomFit: return move_to(1), true;
    case Action::ZoomIn: return zoom_by(1.5), true;
    case Action::ZoomOut: return zoom_by(1 / 1.5), true;
    default: return false;
  }
}

}  // namespace tilewalk
