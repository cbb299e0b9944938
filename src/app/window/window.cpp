#include "app/window/window.h"

#include <epoxy/gl.h>
// GLFW must not bring its own GL header.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/window/imgui_backends.h"
#include "ui/imgui_compat.h"

namespace tilewalk {

Result<std::unique_ptr<Window>> Window::open(const std::string& title, int width, int height) {
  if (!glfwInit()) {
    const char* why = nullptr;
    glfwGetError(&why);
    return Issue{"window", "", why ? why : "no display was found",
                 "tilewalk render draws without a display, tilewalk replay --walk tells the walk as text"};
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, wide = 0, high = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &wide, &high);
    if (wide > 200 && high > 200) width = std::min(width, wide), height = std::min(height, high);
  }
  std::unique_ptr<Window> self(new Window);
  self->window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!self->window_) {
    const char* why = nullptr;
    glfwGetError(&why);
    return Issue{"window", "", why ? why : "OpenGL 3.3 is not to be had", "Install Mesa's drivers (libgl1-mesa-dri)"};
  }
  glfwMakeContextCurrent(self->window_);
  glfwSwapInterval(1);
  return self;
}

Window::~Window() {
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::on_key(int key, int action, int mods) {
  if (key < 0 || !loses_quick_taps()) return;
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER) return;
  const auto press = std::find_if(pressed_.begin(), pressed_.end(), [key](const Press& p) { return p.key == key; });
  if (action == GLFW_PRESS && press == pressed_.end()) {
    pressed_.push_back({key, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0});
  } else if (action == GLFW_RELEASE && press != pressed_.end()) {
    taps_.push_back({press->key, press->ctrl, press->shift, false});
    pressed_.erase(press);
  }
}

void Window::connect_imgui() {
  glfwSetWindowUserPointer(window_, this);
  // Set first, so that ImGui's own callback passes keys on to it.
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int mods) {
    static_cast<Window*>(glfwGetWindowUserPointer(window))->on_key(key, action, mods);
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    auto& dropped = static_cast<Window*>(glfwGetWindowUserPointer(window))->dropped_;
    dropped.insert(dropped.end(), paths, paths + count);
  });
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  connected_ = true;
}

void Window::disconnect_imgui() {
  if (connected_) ImGui_ImplGlfw_Shutdown();
  connected_ = false;
}

// A key goes up in the frame after that in which it went down; the next one goes down in that same frame, except in a
// text field, which may need a frame of its own to take the focus.
void Window::begin_frame() {
  ImGui_ImplGlfw_NewFrame();
  const ImGuiIO& io = ImGui::GetIO();
  // A key that is still down waits its turn behind taps, or what they were typed for may be gone. And where its Ctrl or
  // Shift is up already, what was pressed is the chord.
  for (const Press& press : std::exchange(pressed_, {}))
    if (taps_wait() || press.ctrl != io.KeyCtrl || press.shift != io.KeyShift) {
      taps_.push_back({press.key, press.ctrl, press.shift, false});
      play_tap(press.key, io.KeyCtrl, io.KeyShift, false);
    }
  int released = 0;
  if (!taps_.empty() && taps_.front().down) {
    const Tap tap = taps_.front();
    taps_.erase(taps_.begin());
    play_tap(tap.key, tap.ctrl, tap.shift, false);
    released = tap.key;
    if (ImGui::GetIO().WantTextInput) return;
  }
  if (taps_.empty() || taps_.front().key == released) return;
  Tap& tap = taps_.front();
  tap.down = true;
  play_tap(tap.key, tap.ctrl, tap.shift, true);
}

std::vector<std::string> Window::take_dropped() { return std::exchange(dropped_, {}); }

bool Window::taps_wait() const { return !taps_.empty() && !(taps_.size() == 1 && taps_.front().down); }

bool Window::has_input_to_come() const { return !taps_.empty() || events_to_come(); }

void Window::show() { glfwSwapBuffers(window_); }

void Window::wait(double seconds) {
  if (seconds < 0)
    glfwWaitEvents();
  else if (seconds < 0.001)
    glfwPollEvents();
  else
    glfwWaitEventsTimeout(seconds);
}

bool Window::closing() const { return glfwWindowShouldClose(window_); }

void Window::set_full_screen(bool on) {
  if (on == full_screen_) return;
  full_screen_ = on;
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (on && mode) {
    glfwGetWindowPos(window_, &x_, &y_);
    glfwGetWindowSize(window_, &width_, &height_);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else if (!on && width_ > 0) {
    glfwSetWindowMonitor(window_, nullptr, x_, y_, width_, height_, 0);
  }
}

void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
void Window::set_clipboard(const std::string& text) { glfwSetClipboardString(window_, text.c_str()); }

int Window::width() const {
  int w = 0, h = 0;
  glfwGetFramebufferSize(window_, &w, &h);
  return w;
}

int Window::height() const {
  int w = 0, h = 0;
  glfwGetFramebufferSize(window_, &w, &h);
  return h;
}

bool Window::minimised() const {
  return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) != 0 || width() <= 0 || height() <= 0;
}
double Window::now() { return glfwGetTime(); }
void Window::wake() { glfwPostEmptyEvent(); }

}  // namespace tilewalk
