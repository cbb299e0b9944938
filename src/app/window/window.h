// The window itself: GLFW, its OpenGL 3.3 context, ImGui's window backend, clipboard, full screen. Independent of
// attention. One at a time. In a browser web/web_window.cpp replaces window.cpp; there the window is the page's canvas.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct Drop {  // files dropped on the window
  std::vector<std::string> paths;
  float x = 0, y = 0;  // where, as the pointer's place
};

class Window {
 public:
  static Result<std::unique_ptr<Window>> open(const std::string& title, int width, int height);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void connect_imgui();     // after ImGui's context was created; before the first frame
  void disconnect_imgui();  // before ImGui's context is destroyed
  void begin_frame();
  void show();  // swaps buffers
  bool closing() const;
  void set_full_screen(bool);
  void set_title(const std::string&);
  void set_clipboard(const std::string&);
  int width() const;  // of the framebuffer, pixels
  int height() const;
  float pixel_ratio() const;  // see Screen::scale_pixels
  bool minimised() const;
  bool take_new_graphics();        // true once after the context was lost and restored: all objects in it are gone
  Drop take_dropped();             // since the last call
  bool has_input_to_come() const;  // keys that later frames still have to handle
  static std::function<void()> file_picker();  // null where files have paths
  static double now();                         // seconds since the first window
  static void wake();                          // ends a rest; from any thread
  // Calls `turn` until it returns nothing, and waits for events after each call: at most the returned seconds;
  // negative: without limit. A browser calls back, so there this returns at once and stores `turn`.
  static void run_turns(std::function<std::optional<double>()> turn);

 private:
  struct Native;
  explicit Window(std::unique_ptr<Native>);
  std::unique_ptr<Native> native_;
};

}  // namespace tilewalk
