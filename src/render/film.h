// A walk as a file that moves: .gif, .apng, or a picture a frame, such as frames/%04d.png, numbered from 1. It takes
// its place whole, once it is finished: of a sequence all pictures or none. Opened before the work, so that a sequence
// takes two open files a picture.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "files/output_file.h"
#include "render/moving_picture.h"

namespace tilewalk {

inline constexpr std::int64_t kMostFrames = 4000;    // of a file that moves
inline constexpr std::int64_t kMostPictures = 1000;  // a file each
inline constexpr int kLeastMilliseconds = 20, kMostMilliseconds = 60000;

struct FilmRequest {
  std::string field, path;  // as in OutputRequest
  std::int64_t frames = 1;
};

bool names_pictures(const std::string& path);  // a picture a frame
std::int64_t most_frames(const std::string& path);

class Film {
 public:
  static Result<std::unique_ptr<Film>> open(const FilmRequest&);
  // Shown so long; a picture a frame has no time. Precondition: fewer have been added than the request names.
  Result<Done> add(const Picture&, int milliseconds);
  Result<Done> finish();  // precondition: all frames are there

 private:
  explicit Film(FilmRequest request) : request_(std::move(request)) {}
  std::string name_of_frame(std::int64_t) const;

  FilmRequest request_;
  std::vector<OutputFile> files_;  // of a sequence one a frame
  std::unique_ptr<MovingPicture> moving_;
  std::string before_, after_;  // of the number in the name of a picture
  std::size_t digits_ = 0;
  std::int64_t added_ = 0;
};

}  // namespace tilewalk
