// The common part of the window, the off-screen picture and the frame benchmark: a session, its view models, the
// interface and the painter. A frame is five calls, in this order: input, dispatch, prepare, draw, present. Keys become
// Commands before the frame is prepared, so the frame after a key press shows its effect. Commands of the mouse are
// made while drawing and executed by the next dispatch. Needs a current OpenGL context during its lifetime; has no
// window.
#pragma once

#include <memory>
#include <string>

#include "app/window/frame_painter.h"
#include "render/heat_map.h"
#include "session/session.h"
#include "ui/ui.h"
#include "view/views.h"

namespace tilewalk {

struct KnownLessons {  // the available lessons, and a person's progress in them and in the lab
  LessonLoader load;
  LessonsProgress progress;
  LabProgress lab = {};      // texts and progress in the lab
  bool first_start = false;  // no choice and no answer was ever stored: the first minute plays
  std::string unread = {};   // which stored files could not be read, in words; empty: none
};

class Screen {
 public:
  // `ui_scale` 0: from the size of the framebuffer.
  static Result<std::unique_ptr<Screen>> create(Opening, float ui_scale = 0, const Settings& = {}, KnownLessons = {},
                                                MeasuredMachine = {});
  ~Screen();

  void input(int width, int height);  // in pixels; call after the platform's new-frame function (if any)
  void dispatch();                    // executes the commands of keys and clicks
  void prepare(double now);           // seconds; advances the time, prepares fonts, layout and view models
  void draw();
  bool present();  // paints; false if nothing changed since the frame before
  // All five calls.
  bool frame(int width, int height, double now);

  std::optional<double> seconds_to_tooltip(double now) const;  // empty while none waits
  bool has_commands() const { return !commands_.empty(); }     // for the next dispatch
  void set_drop_position(float x, float y);                    // the file that the last command opened
  void let_things_move() { ui_.motion = true; }
  void keep_panels_beside() { ui_.stacks = false; }  // a page never scrolls: its panels are at their places
  void set_film_title(const std::string& title);     // over the window; empty: none
  void arrange_as_post() { post_ = true; }           // the parts of ui/layout's post_layout alone
  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  const FramePainter& painter() const { return *painter_; }
  const std::string& resource_root() const { return root_; }
  const Layout& layout() const { return layout_; }
  const Views& views() const { return *views_; }  // of the current frame
  const Rects& rects() const { return ui_.rects; }
  void show_again() { painter_->repaint_all(); }
  Result<Done> set_up_graphics();  // creates the objects in the OpenGL context, again after a context was lost
  // Framebuffer pixels for each pixel of sizes.
  void scale_pixels(float ratio) { pixel_ratio_ = ratio; }
  float pixel_ratio() const { return pixel_ratio_; }
  void let_pick(std::function<void()> pick_file) { host_.pick_file = std::move(pick_file); }

 private:
  Screen() = default;
  float ui_scale() const;
  float text_scale() const;
  float wanted_scale() const;  // of the theme, text size included
  void begin_frame();
  ImTextureID picture_of(const ScoresModel&, int width, int height, const Palette&);

  float ui_scale_ = 0, pixel_ratio_ = 1;
  std::string root_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<ViewBuilder> view_builder_;
  const Views* views_ = nullptr;
  std::unique_ptr<HeatMap> heat_map_;
  std::unique_ptr<FramePainter> painter_ = std::make_unique<FramePainter>();
  Theme theme_;
  Layout layout_;
  UiState ui_;
  UiHost host_;
  Commands commands_;
  int width_ = 0, height_ = 0;
  double now_ = 0;
  bool renderer_ready_ = false, has_fonts_ = false, post_ = false;
};

}  // namespace tilewalk
