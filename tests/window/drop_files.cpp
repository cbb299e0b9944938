// Drops files on a window, as a file manager does: the source's side of XDND, version 5, in plain Xlib.
//   drop_files WINDOW FILE…   WINDOW: its number, as xdotool search prints it
// Exits with 0 once the window reports that it accepted them, 1 where it accepts none or does not answer for five
// seconds, 2 where the arguments are wrong. Files are offered by their absolute paths, percent-encoded, as
// text/uri-list.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

constexpr long kVersion = 5;
constexpr auto kPatience = std::chrono::seconds(5);

std::string uri_of(const std::string& path) {
  std::string out = "file://";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) || std::string("/-._~").find(c) != std::string::npos)) {
      out += c;
      continue;
    }
    char text[4];
    std::snprintf(text, sizeof text, "%%%02X", byte);
    out += text;
  }
  return out + "\r\n";
}

class Source {
 public:
  Source(Display* display, Window target, std::string list)
      : display_(display), target_(target), list_(std::move(list)) {
    own_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(display_, selection_, own_, CurrentTime);
  }

  // The protocol's messages in order: enter, position, its answer, drop, the request for the list, the end.
  bool drop() {
    if (!target_is_aware()) return false;
    tell("XdndEnter", kVersion << 24, long(uri_list_), 0, 0);
    tell("XdndPosition", 0, middle_of_target(), CurrentTime, long(atom("XdndActionCopy")));
    const std::optional<XClientMessageEvent> status = answer("XdndStatus");
    if (!status || (status->data.l[1] & 1) == 0) return false;
    tell("XdndDrop", 0, CurrentTime, 0, 0);
    const std::optional<XClientMessageEvent> finished = answer("XdndFinished");
    return finished && finished->data.l[1] != 0;  // GLFW puts a length where a flag belongs
  }

 private:
  Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

  bool target_is_aware() const {
    Atom type = None;
    int format = 0;
    unsigned long count = 0, left = 0;
    unsigned char* data = nullptr;
    XGetWindowProperty(display_, target_, atom("XdndAware"), 0, 1, False, AnyPropertyType, &type, &format, &count,
                       &left, &data);
    if (data) XFree(data);
    return type != None;
  }

  long middle_of_target() const {
    XWindowAttributes size;
    XGetWindowAttributes(display_, target_, &size);
    int x = 0, y = 0;
    Window child = None;
    XTranslateCoordinates(display_, target_, DefaultRootWindow(display_), size.width / 2, size.height / 2, &x, &y,
                          &child);
    return (long(x) << 16) | long(y);
  }

  void tell(const char* message, long one, long two, long three, long four) const {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(message);
    event.xclient.format = 32;
    event.xclient.data.l[0] = long(own_);
    event.xclient.data.l[1] = one;
    event.xclient.data.l[2] = two;
    event.xclient.data.l[3] = three;
    event.xclient.data.l[4] = four;
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  void hand_over(const XSelectionRequestEvent& request) const {
    XEvent event{};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request.requestor;
    event.xselection.selection = request.selection;
    event.xselection.target = request.target;
    event.xselection.time = request.time;
    event.xselection.property = None;
    if (request.target == uri_list_) {
      XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                      reinterpret_cast<const unsigned char*>(list_.data()), int(list_.size()));
      event.xselection.property = request.property;
    }
    XSendEvent(display_, request.requestor, False, NoEventMask, &event);
    XFlush(display_);
  }

  std::optional<XClientMessageEvent> answer(const char* message) const {
    const Clock::time_point end = Clock::now() + kPatience;
    while (Clock::now() < end) {
      while (XPending(display_) > 0) {
        XEvent event;
        XNextEvent(display_, &event);
        if (event.type == SelectionRequest) hand_over(event.xselectionrequest);
        if (event.type == ClientMessage && event.xclient.message_type == atom(message)) return event.xclient;
      }
      pollfd socket{ConnectionNumber(display_), POLLIN, 0};
      poll(&socket, 1, 100);
    }
    return std::nullopt;
  }

  Display* display_;
  Window target_, own_ = None;
  std::string list_;
  Atom selection_ = atom("XdndSelection"), uri_list_ = atom("text/uri-list");
};

}  // namespace

int main(int count, char** words) {
  char* end = nullptr;
  const unsigned long target = count > 2 ? std::strtoul(words[1], &end, 0) : 0;
  if (target == 0 || *end != '\0') {
    std::fprintf(stderr, "usage: drop_files WINDOW FILE...\n");
    return 2;
  }
  Display* display = XOpenDisplay(nullptr);
  if (!display) {
    std::fprintf(stderr, "drop_files: no display\n");
    return 2;
  }
  std::string list;
  for (int i = 2; i < count; ++i) list += uri_of(words[i]);
  const bool taken = Source(display, target, list).drop();
  XCloseDisplay(display);
  return taken ? 0 : 1;
}
