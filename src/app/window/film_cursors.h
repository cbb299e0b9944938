// The pictures of a film: of one with an end, first what it shows in one sentence; a still after each step, or after
// each tile visit, from one cursor to another, and between two stills the motion of the step that leads to the second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/walk/schedule.h"
#include "session/document/document.h"
#include "session/document/zoom_squares.h"

namespace tilewalk {

inline constexpr int kFilmRate = 20, kMostFilmRate = 50;  // pictures of a motion a second

enum class FilmOf {
  Walk,
  Zoom,  // out of one score, at one cursor
  Tour   // of the first minute, as it plays in the window
};

struct AnimationRequest {
  FilmOf of = FilmOf::Walk;
  std::int64_t from = 0, to = 0;
  StepUnit every = StepUnit::Phase;
  int milliseconds = 700;  // of a still
  int rate = kFilmRate;    // pictures of a motion a second; 0: stills alone
  bool ends = false;       // first the title, last the finished walk, for two seconds each
};

struct FilmFrame {
  std::int64_t cursor = 0;
  double t = 1;  // of the motion of the step before the cursor; 1: the still
  int milliseconds = 700;
  std::string title = {};           // over the picture, before the walk begins
  std::optional<double> zoom = {};  // t of the zoom out of one score, which is shown instead of the walk
  bool operator==(const FilmFrame&) const = default;
};

// The first and the last still, those between them, and the motions. Returns at most one more than a film may have.
std::vector<FilmFrame> frames_of(const Schedule&, const AnimationRequest&);
// The zoom out of one score, from it to the largest square, at the cursor request.from; stills alone are one of
// each square.
std::vector<FilmFrame> frames_of_zoom(const std::vector<ZoomSquare>&, const AnimationRequest&);

}  // namespace tilewalk
