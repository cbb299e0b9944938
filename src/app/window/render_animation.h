// Draws a walk off-screen into a film: the window after each step, or after each tile visit, from one cursor to
// another, and the motions between them.
#pragma once

#include <functional>

#include "app/window/film_cursors.h"
#include "app/window/render_picture.h"
#include "render/film.h"

namespace tilewalk {

// Calls `go_on` before each frame with the fraction done. Where it returns false, writes no file and returns 0; else
// returns the number of frames.
Result<std::int64_t> render_animation(Opening, const RenderOptions&, const AnimationRequest&, const std::string& path,
                                      const std::function<bool(double)>& go_on);

}  // namespace tilewalk
