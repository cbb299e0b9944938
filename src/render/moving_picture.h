// A picture that moves, made frame by frame. It writes what changed in each frame, as soon as it is made, and stores
// the last frame alone: memory does not grow with the number of frames. A GIF has at most 256 colours a frame and times
// in hundredths of a second; an APNG is exact. Both run for ever.
#pragma once

#include <memory>

#include "base/result.h"
#include "files/output_file.h"
#include "render/png_file.h"

namespace tilewalk {

class MovingPicture {
 public:
  virtual ~MovingPicture() = default;
  virtual Result<Done> add(const Picture&, int milliseconds) = 0;  // all of one size; shown so long
  virtual Result<Done> finish() = 0;
};

std::unique_ptr<MovingPicture> make_gif(ByteSink);
std::unique_ptr<MovingPicture> make_apng(ByteSink, std::int64_t frames);  // so many must be added

struct PictureRect {
  int x = 0, y = 0, width = 0, height = 0;
  bool operator==(const PictureRect&) const = default;
};
// The least rectangle outside which two pictures of one size are the same; a pixel where they are the same everywhere,
// everything where there was none before.
PictureRect changed_part(const Picture& before, const Picture& now);
Picture cut_out(const Picture&, const PictureRect&);

}  // namespace tilewalk
