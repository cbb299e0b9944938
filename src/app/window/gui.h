// What the window, the off-screen picture and the frame benchmark share: a session, its view models, the interface and
// the painter. One frame(): prepare, draw, then carry out the Commands that came of it. Needs a current OpenGL context
// for as long as it lives; has no window of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/window/frame_painter.h"
#include "app/jobs/live_check.h"
#include "render/heat_map.h"
#include "session/session.h"
#include "ui/ui.h"
#include "view/views.h"

namespace tilewalk {

struct GuiOptions {
  float ui_scale = 0;  // 0: from the size of the framebuffer
  bool software_fonts = false;
};

class Gui {
 public:
  static Result<std::unique_ptr<Gui>> create(const Opening&, const GuiOptions&);
  ~Gui();

  // One frame at `now` seconds. The platform's new-frame call (if any) comes before; sizes are in pixels.
  // True if anything on screen changed.
  bool frame(int width, int height, double now);

  Session& session() { return *session_; }
  const FramePainter& painter() const { return painter_; }
  const std::string& resource_root() const { return root_; }
  UiState& ui() { return ui_; }
  const Layout& layout() const { return layout_; }
  const Theme& theme() const { return theme_; }
  std::size_t commands_last_frame() const { return commands_last_frame_; }
  CheckRequest check_request(bool live) const;
  void show_again() { painter_.repaint_all(); }

 private:
  Gui() = default;
  void match_theme(int width, int height);
  GuiOptions options_;
  std::string root_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<ViewBuilder> views_;
  std::unique_ptr<HeatMap> heat_map_;
  FramePainter painter_;
  Theme theme_;
  Layout layout_;
  UiState ui_;
  UiHost host_;
  bool renderer_ready_ = false, themed_ = false;
  std::size_t commands_last_frame_ = 0;
};

}  // namespace tilewalk
