#include "session/controllers/one_row_controller.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

RowScene row_scene_at(double t) {
  return RowScene(std::clamp(int(std::ceil(t * kRowScenes - 1e-9)) - 1, 0, kRowScenes - 1));
}

double row_scene_share(double t) { return std::clamp(t * kRowScenes - double(row_scene_at(t)), 0.0, 1.0); }

double end_of(RowScene scene) { return double(int(scene) + 1) / kRowScenes; }

double OneRowController::seconds_from(double t) const {
  const RowScene scene = row_scene_at(t);
  double seconds = (1 - row_scene_share(t)) * seconds_of(scene);
  for (int later = int(scene) + 1; later < kRowScenes; ++later) seconds += seconds_of(RowScene(later));
  return seconds;
}

// Equal parts of t take unequal times.
double OneRowController::played(double from, double share) const {
  double left = seconds_from(from) * (1 - share);
  for (int scene = kRowScenes - 1; scene >= 0; --scene) {
    const double seconds = seconds_of(RowScene(scene));
    if (left <= seconds) return end_of(RowScene(scene)) - left / seconds / kRowScenes;
    left -= seconds;
  }
  return 0;
}

std::vector<double> OneRowController::stops() const {
  std::vector<double> out;
  for (int scene = 0; scene < kRowScenes; ++scene) out.push_back(end_of(RowScene(scene)));
  return out;
}

}  // namespace tilewalk
