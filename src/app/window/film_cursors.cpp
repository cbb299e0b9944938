#include "app/window/film_cursors.h"

#include <algorithm>

#include "render/film.h"
#include "session/document/playback.h"

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

}  // namespace tilewalk
