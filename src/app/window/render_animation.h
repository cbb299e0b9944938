// Draws a walk off-screen into a film: the window after each step, or after each tile visit, from one cursor to
// another.
#pragma once

#include <functional>

#include "app/window/film_cursors.h"
#include "app/window/render_picture.h"
#include "render/film.h"

namespace tilewalk {

// `go_on` is asked before each frame, with how far it is. Where it says no, nothing takes its place and 0 is returned,
// else how many frames there are.
Result<std::int64_t> render_animation(Opening, const RenderOptions&, const AnimationWish&, const std::string& path,
                                      const std::function<bool(double)>& go_on);

}  // namespace tilewalk
