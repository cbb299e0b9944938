// The window itself: GLFW, its OpenGL 3.3 context, ImGui's window backend, clipboard, full screen. Knows nothing of
// attention. One at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

struct GLFWwindow;

namespace tilewalk {

class Window {
 public:
  static Result<std::unique_ptr<Window>> open(const std::string& title, int width, int height);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void connect_imgui();     // once ImGui's context is there; before the first frame
  void disconnect_imgui();  // before ImGui's context goes
  void begin_frame();
  void show();                // swaps buffers
  void wait(double seconds);  // for events; negative: as long as it takes
  bool closing() const;
  void set_full_screen(bool);
  void set_title(const std::string&);
  void set_clipboard(const std::string&);
  int width() const;  // of the framebuffer, pixels
  int height() const;
  bool minimised() const;
  std::vector<std::string> take_dropped();  // files let go over the window since this was asked last
  bool has_input_to_come() const;           // keys that frames after this one have still to see
  static double now();                      // seconds since the first window
  static void wake();                       // ends a wait; from any thread

 private:
  struct Tap {
    int key;
    bool ctrl, shift, down;
  };
  Window() = default;
  void on_key(int key, int action, int mods);
  bool taps_wait() const;  // of keys that went down and up between two frames
  GLFWwindow* window_ = nullptr;
  struct Press {
    int key;
    bool ctrl, shift;  // as the key went down
  };
  std::vector<Press> pressed_;  // keys that went down since the last frame
  std::vector<Tap> taps_;
  std::vector<std::string> dropped_;
  bool connected_ = false, full_screen_ = false;
  int x_ = 0, y_ = 0, width_ = 0, height_ = 0;
};

}  // namespace tilewalk
