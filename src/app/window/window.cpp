#include "app/window/window.h"

// No GL calls in this file, so GLFW needs no GL header.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/imgui_backends.h"
#include "ui/imgui_compat.h"

namespace tilewalk {

struct Window::Native {
  struct Press {
    int key;
    bool ctrl, shift;  // when the key was pressed
  };
  struct Tap {
    int key;
    bool ctrl, shift, down;
  };

  void on_key(int key, int action, int mods);
  bool taps_wait() const;  // of keys pressed and released between two frames
  void begin_frame();

  GLFWwindow* handle = nullptr;
  std::vector<Press> pressed;  // keys pressed since the last frame
  std::vector<Tap> taps;
  Drop dropped;
  bool connected = false, full_screen = false;
  int x = 0, y = 0, width = 0, height = 0;
};

Window::Window(std::unique_ptr<Native> native) : native_(std::move(native)) {}

Result<std::unique_ptr<Window>> Window::open(const std::string& title, int width, int height) {
  if (!glfwInit()) {
    const char* why = nullptr;
    glfwGetError(&why);
    return Issue{"window", "", why ? why : "no display was found",
                 "tilewalk render draws without a display, tilewalk replay --walk prints the walk as text"};
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, wide = 0, high = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &wide, &high);
    if (wide > 200 && high > 200) width = std::min(width, wide), height = std::min(height, high);
  }
  std::unique_ptr<Window> self(new Window(std::make_unique<Native>()));
  GLFWwindow*& handle = self->native_->handle;
  handle = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!handle) {
    const char* why = nullptr;
    glfwGetError(&why);
    return Issue{"window", "", why ? why : "OpenGL 3.3 is not to be had", "Install Mesa's drivers (libgl1-mesa-dri)"};
  }
  glfwMakeContextCurrent(handle);
  glfwSwapInterval(1);
  return self;
}

Window::~Window() {
  if (native_->handle) glfwDestroyWindow(native_->handle);
  glfwTerminate();
}

void Window::Native::on_key(int key, int action, int mods) {
  if (key < 0 || !loses_quick_taps()) return;
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER) return;
  const auto press = std::find_if(pressed.begin(), pressed.end(), [key](const Press& p) { return p.key == key; });
  if (action == GLFW_PRESS && press == pressed.end()) {
    pressed.push_back({key, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0});
  } else if (action == GLFW_RELEASE && press != pressed.end()) {
    taps.push_back({press->key, press->ctrl, press->shift, false});
    pressed.erase(press);
  }
}

bool Window::Native::taps_wait() const { return !taps.empty() && !(taps.size() == 1 && taps.front().down); }

void Window::connect_imgui() {
  glfwSetWindowUserPointer(native_->handle, native_.get());
  // Set first, so that ImGui's own callback passes keys on to it.
  glfwSetKeyCallback(native_->handle, [](GLFWwindow* window, int key, int, int action, int mods) {
    static_cast<Native*>(glfwGetWindowUserPointer(window))->on_key(key, action, mods);
  });
  glfwSetDropCallback(native_->handle, [](GLFWwindow* window, int count, const char** paths) {
    Drop& dropped = static_cast<Native*>(glfwGetWindowUserPointer(window))->dropped;
    dropped.paths.insert(dropped.paths.end(), paths, paths + count);
    double x = 0, y = 0;
    glfwGetCursorPos(window, &x, &y);
    dropped.x = float(x), dropped.y = float(y);
  });
  ImGui_ImplGlfw_InitForOpenGL(native_->handle, true);
  native_->connected = true;
}

void Window::disconnect_imgui() {
  if (native_->connected) ImGui_ImplGlfw_Shutdown();
  native_->connected = false;
}

// A key is released in the frame after its press. The next key is pressed in that same frame, except in a text field,
// which may need another frame to get the focus.
void Window::Native::begin_frame() {
  const ImGuiIO& io = ImGui::GetIO();
  // A key that is still down waits behind earlier taps, whose target it could close. If its Ctrl or Shift is already
  // up, the chord at the time of the press counts.
  for (const Press& press : std::exchange(pressed, {}))
    if (taps_wait() || press.ctrl != io.KeyCtrl || press.shift != io.KeyShift) {
      taps.push_back({press.key, press.ctrl, press.shift, false});
      play_tap(press.key, io.KeyCtrl, io.KeyShift, false);
    }
  int released = 0;
  if (!taps.empty() && taps.front().down) {
    const Tap tap = taps.front();
    taps.erase(taps.begin());
    play_tap(tap.key, tap.ctrl, tap.shift, false);
    released = tap.key;
    if (io.WantTextInput) return;
  }
  if (taps.empty() || taps.front().key == released) return;
  Tap& tap = taps.front();
  tap.down = true;
  play_tap(tap.key, tap.ctrl, tap.shift, true);
}

void Window::begin_frame() {
  ImGui_ImplGlfw_NewFrame();
  native_->begin_frame();
}

bool Window::take_new_graphics() { return false; }

Drop Window::take_dropped() { return std::exchange(native_->dropped, {}); }

bool Window::has_input_to_come() const { return !native_->taps.empty() || events_to_come(); }

void Window::show() { glfwSwapBuffers(native_->handle); }

void Window::run_turns(std::function<std::optional<double>()> turn) {
  const std::function<std::optional<double>()> one = std::move(turn);
  while (const std::optional<double> seconds = one()) {
    if (*seconds < 0)
      glfwWaitEvents();
    else if (*seconds < 0.001)
      glfwPollEvents();
    else
      glfwWaitEventsTimeout(*seconds);
  }
}

bool Window::closing() const { return glfwWindowShouldClose(native_->handle); }

void Window::set_full_screen(bool on) {
  Native& n = *native_;
  if (on == n.full_screen) return;
  n.full_screen = on;
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (on && mode) {
    glfwGetWindowPos(n.handle, &n.x, &n.y);
    glfwGetWindowSize(n.handle, &n.width, &n.height);
    glfwSetWindowMonitor(n.handle, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else if (!on && n.width > 0) {
    glfwSetWindowMonitor(n.handle, nullptr, n.x, n.y, n.width, n.height, 0);
  }
}

void Window::set_title(const std::string& title) { glfwSetWindowTitle(native_->handle, title.c_str()); }
void Window::set_clipboard(const std::string& text) { glfwSetClipboardString(native_->handle, text.c_str()); }

int Window::width() const {
  int w = 0, h = 0;
  glfwGetFramebufferSize(native_->handle, &w, &h);
  return w;
}

int Window::height() const {
  int w = 0, h = 0;
  glfwGetFramebufferSize(native_->handle, &w, &h);
  return h;
}

// Rounds the desktop's scale to quarters: a screen that nearly has 96 dots an inch counts as 1.
float Window::pixel_ratio() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(native_->handle, &x, &y);
  return std::max(1.0f, std::round(std::max(x, y) * 4) / 4);
}

bool Window::minimised() const {
  return glfwGetWindowAttrib(native_->handle, GLFW_ICONIFIED) != 0 || width() <= 0 || height() <= 0;
}
std::function<void()> Window::file_picker() { return {}; }
double Window::now() { return glfwGetTime(); }
void Window::wake() { glfwPostEmptyEvent(); }

}  // namespace tilewalk
