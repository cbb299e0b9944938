// Exports that are pictures, made on the thread that has the OpenGL context, a slice between two frames of the window:
// the view as it is painted, or the walk of the Q tile at hand, drawn on a screen of its own. Nothing takes its place
// before it is whole; dropped half-way, nothing is left.
#pragma once

#include <memory>

#include "app/jobs/export_task.h"
#include "app/jobs/followed_job.h"
#include "app/window/screen.h"
#include "render/film.h"

namespace tilewalk {

// The view at once. Precondition: the frame that is to be kept has been painted.
Result<Done> write_view(const FramePainter&, const std::string& path);

class FilmExport {
 public:
  // Of the walk that the session stands in; as large as the window, in its theme.
  static Result<std::unique_ptr<FilmExport>> begin(const Screen& of, int width, int height, const std::string& path);
  ~FilmExport();
  FilmExport(const FilmExport&) = delete;
  FilmExport& operator=(const FilmExport&) = delete;

  Result<bool> work();  // one frame of it; true: the film is whole and has taken its place
  double fraction() const { return double(drawn_) / double(cursors_.size()); }

 private:
  FilmExport(int width, int height) : width_(width), height_(height) {}

  int width_, height_;
  std::vector<std::int64_t> cursors_;
  std::size_t drawn_ = 0;
  std::unique_ptr<Film> film_;
  ImGuiContext* context_ = nullptr;  // of the screen
  std::unique_ptr<Screen> screen_;
};

// What the session asks for of these, and how far it is.
class PictureExports {
 public:
  bool busy() const { return film_ || frames_until_view_ > 0; }
  // Before a frame: begins one, goes on with it for a slice, or ends it. True if the session was told something.
  bool work(Screen&, int width, int height);
  bool after_frame(Screen&);  // that has been painted
  void drop_film(Screen&);    // what was drawn of one is gone with the graphics

 private:
  void begin(Screen&, int width, int height);
  void report(Screen&, const ExportNews&);

  std::unique_ptr<FilmExport> film_;
  int frames_until_view_ = 0;
  WishSerials wishes_;
};

}  // namespace tilewalk
