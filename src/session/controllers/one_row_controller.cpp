#include "session/controllers/one_row_controller.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

RowScene row_scene_at(double t) {
  return RowScene(std::clamp(int(std::ceil(t * kRowScenes - 1e-9)) - 1, 0, kRowScenes - 1));
}

double row_scene_share(double t) { return std::clamp(t * kRowScenes - double(row_scene_at(t)), 0.0, 1.0); }

double end_of(RowScene scene) { return double(int(scene) + 1) / kRowScenes; }

std::vector<double> OneRowController::stops() const {
  std::vector<double> out;
  for (int scene = 0; scene < kRowScenes; ++scene) out.push_back(end_of(RowScene(scene)));
  return out;
}

}  // namespace tilewalk
