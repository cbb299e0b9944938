#include "app/window/film_cursors.h"

#include <algorithm>

#include "render/film.h"
#include "session/document/playback.h"

namespace tilewalk {

std::vector<std::int64_t> cursors_of(const Schedule& schedule, const AnimationWish& wish) {
  std::vector<std::int64_t> out = {wish.from};
  while (out.back() < wish.to && std::int64_t(out.size()) <= kMostFrames)
    out.push_back(std::min(wish.to, next_stop(schedule, wish.every, out.back())));
  return out;
}

}  // namespace tilewalk
