// Draws a walk off-screen into a film: the window after each step, or after each tile visit, from one cursor to
// another.
#pragma once

#include <functional>
#include <vector>

#include "app/window/render_picture.h"
#include "render/film.h"
#include "session/document.h"

namespace tilewalk {

struct AnimationWish {
  std::int64_t from = 0, to = 0;
  StepUnit every = StepUnit::Phase;
  int milliseconds = 700;
};

// The cursors that are drawn: the first and the last, and the stops between. At most one more than a film may have.
std::vector<std::int64_t> cursors_of(const Schedule&, const AnimationWish&);

// `go_on` is asked before each frame, with how far it is. Where it says no, nothing takes its place and 0 is returned,
// else how many frames there are.
Result<std::int64_t> render_animation(Opening, const RenderOptions&, const AnimationWish&, const std::string& path,
                                      const std::function<bool(double)>& go_on);

}  // namespace tilewalk
