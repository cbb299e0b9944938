#include "render/film.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"

namespace tilewalk {

bool names_pictures(const std::string& path) { return path.find('%') != std::string::npos; }

std::int64_t most_frames(const std::string& path) { return names_pictures(path) ? kMostPictures : kMostFrames; }

Result<std::unique_ptr<Film>> Film::open(const FilmRequest& request) {
  if (request.frames < 1 || request.frames > most_frames(request.path))
    return Issue{"animate", fmt::format("{} frames", request.frames),
                 fmt::format("must be from 1 to {}", most_frames(request.path)),
                 "Take a shorter walk, or --every tile"};
  std::unique_ptr<Film> film(new Film(request));
  if (const std::size_t sign = request.path.find('%'); sign != std::string::npos) {
    const std::size_t end = request.path.find('d', sign);
    const std::string digits = end == std::string::npos ? "" : request.path.substr(sign + 1, end - sign - 1);
    if (!put(within<std::size_t>(parse_integer<std::size_t>(digits), 1, 9), film->digits_) || digits[0] != '0' ||
        request.path.find('%', end) != std::string::npos || !request.path.ends_with(".png"))
      return Issue{request.field, request.path, "must have one number such as %04d in it and end in .png",
                   "Such as frames/%04d.png"};
    film->before_ = request.path.substr(0, sign);
    film->after_ = request.path.substr(end + 1);
    for (std::int64_t frame = 1; frame <= request.frames; ++frame) {
      Result<OutputFile> file = OutputFile::open(
          {.field = request.field, .path = film->name_of_frame(frame), .clears_part_files = frame == 1});
      if (!file) return file.issues();
      film->files_.push_back(std::move(*file));
    }
    return film;
  }
  Result<OutputFile> file =
      OutputFile::open({.field = request.field, .path = request.path, .endings = {".gif", ".apng"}});
  if (!file) return file.issues();
  film->files_.push_back(std::move(*file));
  const ByteSink sink = sink_of(film->files_.front());
  film->moving_ = request.path.ends_with(".gif") ? make_gif(sink) : make_apng(sink, request.frames);
  return film;
}

std::string Film::name_of_frame(std::int64_t frame) const {
  return fmt::format("{}{:0{}}{}", before_, frame, digits_, after_);
}

Result<Done> Film::add(const Picture& picture, int milliseconds) {
  ++added_;
  if (moving_) return moving_->add(picture, std::clamp(milliseconds, kLeastMilliseconds, kMostMilliseconds));
  const std::vector<std::byte> png = png_bytes(picture);
  if (png.empty())
    return Issue{request_.field, request_.path, "is a picture that libpng could not pack", "Make it smaller"};
  return files_[std::size_t(added_ - 1)].write(png);
}

Result<Done> Film::finish() {
  if (moving_)
    if (const Result<Done> done = moving_->finish(); !done) return done;
  return rename_into_place(files_);
}

}  // namespace tilewalk
