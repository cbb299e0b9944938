#include "app/window/film_cursors.h"

#include <algorithm>

#include "render/film.h"
#include "session/controllers/endless_zoom_controller.h"
#include "session/document/playback.h"
#include "session/document/step_motion.h"

namespace tilewalk {
namespace {

// Seconds of a motion: of a phase somewhat less than a slow reader's, of a tile visit as while playing.
double seconds_of(StepUnit every) { return every == StepUnit::Phase ? 1.2 : kSecondsATile; }

}  // namespace

std::vector<FilmFrame> frames_of(const Schedule& schedule, const AnimationWish& wish) {
  const int moving = int(seconds_of(wish.every) * wish.rate);
  std::vector<FilmFrame> out = {{wish.from, 1, wish.milliseconds}};
  for (std::int64_t at = wish.from; at < wish.to && std::int64_t(out.size()) <= kMostFrames;) {
    at = std::min(wish.to, next_stop(schedule, wish.every, at));
    for (int i = 1; i < moving; ++i) out.push_back({at, double(i) / moving, 1000 / wish.rate});
    out.push_back({at, 1, wish.milliseconds});
  }
  if (std::int64_t(out.size()) > kMostFrames) out.resize(std::size_t(kMostFrames) + 1);
  return out;
}

std::vector<FilmFrame> frames_of_zoom(const Problem& problem, const AnimationWish& wish) {
  std::vector<FilmFrame> out;
  const auto add = [&](double t, int milliseconds) { out.push_back({wish.from, 1, milliseconds, t}); };
  if (wish.rate == 0) {
    for (const ZoomSquare& square : zoom_squares(problem)) add(square.t, wish.milliseconds);
    return out;
  }
  const int moving = int(kSecondsOfZoom * wish.rate);
  add(0, wish.milliseconds);
  for (int i = 1; i < moving; ++i) add(eased(double(i) / moving), 1000 / wish.rate);
  add(1, 2 * wish.milliseconds);
  return out;
}

}  // namespace tilewalk
