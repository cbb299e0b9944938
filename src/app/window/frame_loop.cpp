#include "app/window/frame_loop.h"

#include <stdexcept>

#include "app/cli/output.h"
#include "app/jobs/session_jobs.h"
#include "app/streams.h"
#include "app/window/frame_pacer.h"
#include "app/window/kept_files.h"
#include "app/window/mirror.h"
#include "app/window/picture_export.h"
#include "app/window/screen.h"
#include "app/window/window.h"
#include "session/document/settings.h"
#include "session/script.h"
#include "ui/imgui_compat.h"

namespace tilewalk {
namespace {

constexpr double kReplaySeconds = 0.008;  // of replay between two frames

class FrameLoop {
 public:
  FrameLoop(Window& window, Screen& screen)
      : window_(window),
        screen_(screen),
        session_(screen.session()),
        jobs_(screen.resource_root(), [] { Window::wake(); }),
        kept_files_(screen.session()) {
    window_.connect_imgui();
    screen_.let_things_move();
    screen_.let_pick(Window::file_picker());
  }
  ~FrameLoop() { window_.disconnect_imgui(); }
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  // Returns the time to rest afterwards (see Window::run_turns); empty: the window closes.
  std::optional<double> turn() {
    if (!std::exchange(whole_, false)) drop_broken_turn();
    if (window_.take_new_graphics()) renew_graphics();
    if (rest_ != 0) pacer_.owe(Stir::Input);
    hidden_ = window_.minimised();
    input();
    dispatch();
    prepare();
    draw();
    present();
    whole_ = true;
    if (window_.closing() || session_.view().quit()) return std::nullopt;
    return rest_ = rest();
  }

 private:
  // An exception ended the last turn early; in a browser the loop continues after one of JavaScript's.
  void drop_broken_turn() {
    end_broken_frame();
    screen_.show_again();
  }

  void renew_graphics() {
    pictures_.drop_film(screen_);
    if (const Result<Done> done = screen_.set_up_graphics(); !done) throw std::runtime_error(text_of(done.issues()));
    pacer_.owe(Stir::Input);
  }

  // Rests until an event, until the picture changes by itself (a move of playback, the end of a message, a tooltip), or
  // not at all while there is replay to do.
  double rest() const {
    std::optional<double> next_change = session_.seconds_to_change(Window::now());
    if (const auto tooltip = screen_.seconds_to_tooltip(Window::now()))
      next_change = std::min(*tooltip, next_change.value_or(*tooltip));
    const bool at_once = session_.busy() || pictures_.busy() || window_.has_input_to_come();
    const double seconds = pacer_.rest(at_once, next_change, window_.minimised());
    // During a motion, frames follow at an even pace; input ends the rest.
    if (at_once || !session_.is_in_motion()) return seconds;
    return std::max(seconds, shown_at_ + kMotionFrame - Window::now());
  }

  void input() {
    if (hidden_) return;
    window_.begin_frame();
    screen_.scale_pixels(window_.pixel_ratio());
    screen_.input(window_.width(), window_.height());
  }

  void dispatch() {
    if (screen_.has_commands()) pacer_.owe(Stir::Dispatch);
    screen_.dispatch();
    open_dropped(window_.take_dropped());
    kept_files_.keep();
    if (!session_.busy() && !window_.has_input_to_come()) jobs_.lend();  // replay and input have priority
    if (jobs_.exchange(session_)) pacer_.owe(Stir::Answer);
    if (pictures_.work(screen_, window_.width(), window_.height())) pacer_.owe(Stir::Answer);
    const double end = Window::now() + kReplaySeconds;
    while (session_.busy() && Window::now() < end) session_.dispatch(Work{session_.walk().visits_at_once()});
  }

  void open_dropped(Drop drop) {
    for (std::string& path : drop.paths) {
      session_.dispatch(OpenFile{std::move(path)});
      screen_.set_drop_position(drop.x, drop.y);
      pacer_.owe(Stir::Dispatch);
    }
  }

  void prepare() {
    if (hidden_) return;
    screen_.prepare(Window::now());
  }

  void draw() {
    if (hidden_) return;
    screen_.draw();
    if (screen_.has_commands()) pacer_.owe(Stir::Dispatch);
  }

  void present() {
    if (hidden_) return;
    if (FramePacer::leaves_out(window_.has_input_to_come(), Window::now() - shown_at_)) return;
    if (screen_.present()) {
      screen_.painter().show();
      window_.show();
      shown_at_ = Window::now();
      ++frames_;
      pacer_.owe(Stir::Repaint);
    } else {
      pacer_.drew_the_same();
    }
    if (session_.view().clipboard_serial() != copied_) window_.set_clipboard(session_.view().clipboard());
    copied_ = session_.view().clipboard_serial();
    window_.set_full_screen(session_.view().full_screen());
    if (pictures_.after_frame(screen_)) pacer_.owe(Stir::Answer);
    mirror_.follow(screen_, frames_);
  }

  Window& window_;
  Screen& screen_;
  Session& session_;
  SessionJobs jobs_;
  FramePacer pacer_;
  Mirror mirror_;
  PictureExports pictures_;
  bool hidden_ = false, whole_ = true;  // whole_: the last turn was completed
  double shown_at_ = 0, rest_ = 0;
  std::uint64_t frames_ = 0, copied_ = 0;
  KeptFiles kept_files_;
};

struct OpenWindow {
  OpenWindow(std::unique_ptr<Window> w, std::unique_ptr<Screen> s)
      : window(std::move(w)), screen(std::move(s)), loop(*window, *screen) {}
  const std::unique_ptr<Window> window;
  const std::unique_ptr<Screen> screen;
  FrameLoop loop;
};

int fail(const Issues& issues) {
  complain(text_of(issues));
  return kExitInternal;
}

}  // namespace

int run_window(Opening opening, const Settings& settings, KnownLessons known, MeasuredMachine machine,
               const std::vector<Command>& then) {
  auto window = Window::open("Tilewalk", 1600, 900);
  if (!window) return fail(window.issues());
  const bool first_start = known.first_start;
  const std::string unread = known.unread;
  auto screen = Screen::create(std::move(opening), 0, settings, std::move(known), std::move(machine));
  if (!screen) return fail(screen.issues());
  if (first_start) (*screen)->session().dispatch(Action::FirstStart);
  if (!unread.empty()) (*screen)->session().dispatch(ReportKeeping{unread});
  if (const Result<Done> done = carry_out((*screen)->session(), then); !done) {
    complain(text_of(done.issues()));
    (*screen)->session().dispatch(ReportKeeping{in_one_line(done.issues())});
  }
  Window::run_turns(
      [open = std::make_shared<OpenWindow>(std::move(*window), std::move(*screen))] { return open->loop.turn(); });
  return kExitOk;
}

}  // namespace tilewalk
