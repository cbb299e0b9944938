// Replaces window/window.cpp in a browser: the window is the page's canvas. page/host.js listens to the page's events
// and calls the functions exported here. Events between two frames wait in a queue. A frame takes only as many as Dear
// ImGui can distinguish: one press, and no release of a key that was pressed in the same frame.
#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>

#include <deque>
#include <exception>
#include <utility>

#include "app/streams.h"
#include "app/window/window.h"
#include "ui/imgui_compat.h"

namespace tilewalk {

struct Window::Native {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
  bool full_screen = false;
  double frame_at = 0;
};

namespace {

struct Happening {
  enum class Kind { Key, Text, Pointer, Button, Wheel };
  Kind kind = Kind::Key;
  int number = 0;  // of the key, in GLFW's numbering, or of the button
  bool down = false, ctrl = false, shift = false;
  float x = 0, y = 0;
  std::string text = {};
};

struct BrowserPage {
  std::deque<Happening> happenings;
  std::vector<std::string> dropped;
  std::string clipboard;  // the last paste
  std::function<std::optional<double>()> turn;
  bool graphics_are_new = false;

  bool take_front();
  void act_on_happenings();
  int pressed = 0, released = 0;  // keys of the current frame
  bool button_moved = false;
};

BrowserPage& page() {
  static BrowserPage one;
  return one;
}

// Handles the first event. False: it must wait for the next frame.
bool BrowserPage::take_front() {
  const Happening& next = happenings.front();
  switch (next.kind) {
    case Happening::Kind::Key:
      if (next.down ? pressed != 0 || next.number == released : next.number == pressed) return false;
      (next.down ? pressed : released) = next.number;
      inject_modifiers(next.ctrl, next.shift);
      inject_numbered_key(next.number, next.down);
      break;
    case Happening::Kind::Text: inject_text(next.text.c_str()); break;
    case Happening::Kind::Pointer:
      if (button_moved) return false;
      inject_pointer(next.x, next.y);
      break;
    case Happening::Kind::Button:
      if (button_moved) return false;
      button_moved = true;
      inject_button(next.number, next.down);
      break;
    case Happening::Kind::Wheel: inject_wheel(next.y, next.x); break;
  }
  happenings.pop_front();
  return true;
}

void BrowserPage::act_on_happenings() {
  pressed = released = 0;
  button_moved = false;
  while (!happenings.empty() && take_front()) {
  }
}

void happened(Happening what) {
  page().happenings.push_back(std::move(what));
  Window::wake();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void tilewalk_key(int number, bool down, bool ctrl, bool shift) {
  happened({.kind = Happening::Kind::Key, .number = number, .down = down, .ctrl = ctrl, .shift = shift});
}
EMSCRIPTEN_KEEPALIVE void tilewalk_text(const char* text) { happened({.kind = Happening::Kind::Text, .text = text}); }
EMSCRIPTEN_KEEPALIVE void tilewalk_pointer(float x, float y) {
  happened({.kind = Happening::Kind::Pointer, .x = x, .y = y});
}
EMSCRIPTEN_KEEPALIVE void tilewalk_button(int number, bool down) {
  happened({.kind = Happening::Kind::Button, .number = number, .down = down});
}
EMSCRIPTEN_KEEPALIVE void tilewalk_wheel(float x, float y) {
  happened({.kind = Happening::Kind::Wheel, .x = x, .y = y});
}
EMSCRIPTEN_KEEPALIVE void tilewalk_paste(const char* text) { page().clipboard = text; }
EMSCRIPTEN_KEEPALIVE void tilewalk_drop(const char* path) {
  page().dropped.push_back(path);
  Window::wake();
}
EMSCRIPTEN_KEEPALIVE void tilewalk_graphics_are_new() { page().graphics_are_new = true; }
EMSCRIPTEN_KEEPALIVE bool tilewalk_takes_text() { return ImGui::GetIO().WantTextInput; }
EMSCRIPTEN_KEEPALIVE int tilewalk_pointer_shape() { return ImGui::GetMouseCursor(); }

// Seconds to rest; negative: until an event; NaN: the program has ended. A JavaScript exception from a request to the
// page passes through: page/host.js reports it and calls this again.
EMSCRIPTEN_KEEPALIVE double tilewalk_turn() {
  constexpr double kOver = std::numeric_limits<double>::quiet_NaN();
  if (!page().turn) return kOver;
  try {
    if (const std::optional<double> seconds = page().turn()) return *seconds;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    EM_ASM({ Module.host.stop(UTF8ToString($0)); }, error.what());
  }
  page().turn = nullptr;
  return kOver;
}

}  // extern "C"

Window::Window(std::unique_ptr<Native> native) : native_(std::move(native)) {}

Result<std::unique_ptr<Window>> Window::open(const std::string& title, int, int) {
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
  std::unique_ptr<Window> self(new Window(std::make_unique<Native>()));
  self->native_->context = emscripten_webgl_create_context("#canvas", &wanted);
  if (self->native_->context <= 0 ||
      emscripten_webgl_make_context_current(self->native_->context) != EMSCRIPTEN_RESULT_SUCCESS)
    return Issue{"window", "", "this browser gives no WebGL 2", "Another browser, or this one with its GPU allowed"};
  // Emscripten passes an empty upload as length 0, which WebGL reads as everything.
  EM_ASM({
    const upload = GLctx.bufferSubData.bind(GLctx);
    GLctx.bufferSubData = function(target, at, data, from, length) {
      if (length) upload(target, at, data, from, length);
    };
    Module.host.keep_graphics_state(GLctx);
  });
  self->set_title(title);
  return self;
}

Window::~Window() {
  if (native_->context > 0) emscripten_webgl_destroy_context(native_->context);
}

void Window::connect_imgui() {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.BackendPlatformName = "page";
  io.SetClipboardTextFn = [](void*, const char* text) { EM_ASM({ Module.host.copy(UTF8ToString($0)); }, text); };
  io.GetClipboardTextFn = [](void*) { return page().clipboard.c_str(); };
}

void Window::disconnect_imgui() {}

void Window::begin_frame() {
  const double at = now();
  ImGui::GetIO().DeltaTime = native_->frame_at > 0 ? float(at - native_->frame_at) : 1.0f / 60;
  native_->frame_at = at;
  page().act_on_happenings();
}

void Window::show() {
  EM_ASM({ ++Module.host.frames; });
}

void Window::run_turns(std::function<std::optional<double>()> turn) {
  page().turn = std::move(turn);
  wake();
}

bool Window::closing() const { return false; }

void Window::set_full_screen(bool on) {
  if (on != native_->full_screen) EM_ASM({ Module.host.fill($0); }, on);
  native_->full_screen = on;
}

void Window::set_title(const std::string& title) {
  EM_ASM({ document.title = UTF8ToString($0); }, title.c_str());
}
void Window::set_clipboard(const std::string& text) {
  page().clipboard = text;
  EM_ASM({ Module.host.copy(UTF8ToString($0)); }, text.c_str());
}

int Window::width() const {
  return EM_ASM_INT({ return Module.canvas.width; });
}
int Window::height() const {
  return EM_ASM_INT({ return Module.canvas.height; });
}
float Window::pixel_ratio() const {
  return float(EM_ASM_DOUBLE({ return Module.host.ratio(); }));
}
bool Window::minimised() const {
  return EM_ASM_INT({ return document.hidden; }) != 0 || width() <= 0 || height() <= 0;
}
bool Window::take_new_graphics() { return std::exchange(page().graphics_are_new, false); }
Drop Window::take_dropped() {
  const ImVec2 at = ImGui::GetIO().MousePos;
  return {std::exchange(page().dropped, {}), at.x, at.y};
}
bool Window::has_input_to_come() const { return !page().happenings.empty() || events_to_come(); }
std::function<void()> Window::file_picker() {
  return [] { EM_ASM({ Module.host.pick(); }); };
}
double Window::now() { return emscripten_get_now() / 1000; }
void Window::wake() {
  EM_ASM({ Module.host.request(); });
}

}  // namespace tilewalk
