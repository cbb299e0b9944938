// Exports of pictures, made on the thread of the OpenGL context, one slice between two frames of the window: the view
// as painted, or, drawn on a screen of their own, films of the current Q tile and of the zoom out of one score, and
// square pictures and films for a post. The target file is replaced only by a complete one; a cancelled export leaves
// no file.
#pragma once

#include <memory>
#include <optional>

#include "app/jobs/export_task.h"
#include "app/jobs/followed_job.h"
#include "app/window/film_cursors.h"
#include "app/window/screen.h"
#include "render/film.h"

namespace tilewalk {

// Writes the view at once. Precondition: the frame to save has been painted.
Result<Done> write_view(const FramePainter&, const std::string& path);

class FilmExport {
 public:
  // Films what the session shows, in its theme; as large as the window, or square.
  static Result<std::unique_ptr<FilmExport>> begin(const Screen& of, int width, int height, const Exports&);
  ~FilmExport();
  FilmExport(const FilmExport&) = delete;
  FilmExport& operator=(const FilmExport&) = delete;

  Result<bool> work();  // draws one frame; true: the file is complete and has replaced the target
  double fraction() const { return double(drawn_) / double(frames_.size()); }

 private:
  FilmExport(int width, int height, std::string picture)
      : width_(width), height_(height), picture_(std::move(picture)) {}
  void turn_to(const FilmFrame&);

  int width_, height_;
  std::string picture_;  // the path of a picture; empty for a film
  std::vector<FilmFrame> frames_;
  std::optional<double> held_;  // t of the next frame, once the walk is there
  std::size_t drawn_ = 0;
  std::unique_ptr<Film> film_;
  ImGuiContext* context_ = nullptr;  // of the film's screen
  std::unique_ptr<Screen> screen_;
};

// Handles the session's requests for these exports, and reports their progress.
class PictureExports {
 public:
  bool busy() const { return film_ || frames_until_view_ > 0; }
  // Call before a frame: starts an export, continues it for a slice, or ends it. True if the session got a report.
  bool work(Screen&, int width, int height);
  bool after_frame(Screen&);  // after it was painted
  void drop_film(Screen&);    // its pictures were lost with the graphics context

 private:
  void begin(Screen&, int width, int height);
  void report(Screen&, const ExportNews&);

  std::unique_ptr<FilmExport> film_;
  int frames_until_view_ = 0;
  JobSerials serials_;
};

}  // namespace tilewalk
