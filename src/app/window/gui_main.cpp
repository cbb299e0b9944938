#include "app/window/gui_main.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/jobs/accuracy_run.h"
#include "app/window/gui.h"
#include "app/jobs/race_thread.h"
#include "app/window/window.h"
#include "kernels/kernel_api.h"

namespace tilewalk {
namespace {

constexpr int kInternalError = 4;
constexpr double kSliceSeconds = 0.008;  // replay done between two frames
constexpr std::int64_t kAutoLive =
    1ll << 32;  // score elements times head size up to which a live check starts by itself

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  out += '"';
  return out;
}

void write_state(const char* path, const Session& s, std::uint64_t frames) {
  const std::string part = std::string(path) + ".part";
  {
    std::ofstream file(part);
    file << fmt::format(
        "{{\"cursor\":{},\"steps\":{},\"playing\":{},\"busy\":{},\"dialog\":{},\"n_q\":{},\"br\":{},\"seed\":{},"
        "\"schedule\":{},\"dark\":{},"
        "\"edits\":{},\"speed\":{},\"unit\":{},\"message\":{},\"page\":{},\"pinned\":{},\"racing\":{},\"race_rows\":{},\"frames\":{},\"check\":{}}}\n",
        s.state().cursor, s.schedule().step_count(), s.walk().playback().playing, s.busy(), int(s.view().dialog()), s.problem().shape.n_q,
        s.problem().tiling.br, s.problem().numerics.seed, quoted(name_of(s.problem().schedule)), s.document().view.dark,
        s.document().edits.size(), s.document().view.speed, int(s.document().view.unit),
        quoted(s.message() ? s.message()->text : ""), int(s.page()), quoted(name_of(s.baseline().schedule)), s.race().running, s.race().cpu ? s.race().cpu->rows.size() : 0, frames, int(s.check().state));
  }
  std::error_code ignored;
  std::filesystem::rename(part, path, ignored);
}

// Looks for a GPU once, off this thread: finding one can take longer than the first frame may.
struct DeviceProbe {
  std::thread thread;
  std::atomic<bool> done{false};
  bool told = false;
  DeviceReport report;
  DeviceProbe() {
    thread = std::thread([this] {
      report = probe_devices();
      done = true;
      Window::wake();
    });
  }
  ~DeviceProbe() { thread.join(); }
};

double cost_of(const Problem& p) {
  return double(p.shape.batch) * double(p.shape.heads) * double(p.shape.n_q) * double(p.shape.n_kv) * double(p.shape.d);
}

}  // namespace

int run_window(const Opening& opening) {
  auto opened = Window::open("Tilewalk", 1600, 900);
  if (!opened) {
    fmt::print(stderr, "tilewalk: {}\n", text_of(opened.issues()));
    return kInternalError;
  }
  Window& window = **opened;
  auto created = Gui::create(opening, {});
  if (!created) {
    fmt::print(stderr, "tilewalk: {}\n", text_of(created.issues()));
    return kInternalError;
  }
  Gui& gui = **created;
  Session& session = gui.session();
  window.connect_imgui();
  const char* state_file = std::getenv("TILEWALK_STATE_FILE");

  DeviceProbe probe;
  LiveCheck check(gui.resource_root(), [] { Window::wake(); });
  RaceThread race([] { Window::wake(); });
  std::uint64_t raced = 0, race_stopped = 0;
  AccuracyRun accuracy([] { Window::wake(); });
  std::uint64_t checked = 0, copied = 0, asked_live = 0, written = 0, frames = 0;
  int settling = 3;  // frames still to draw before the window may rest
  while (!window.closing() && !session.view().quit()) {
    // Rest until something happens, the next move of playback is due, or there is replay to do.
    double rest = -1;
    if (settling > 0 || session.busy() || window.has_taps())
      rest = 0;
    else if (const auto seconds = session.seconds_to_change(Window::now()))
      rest = *seconds;
    if (window.minimised() && rest >= 0) rest = std::max(rest, 0.1);  // nothing is drawn, so nothing ever settles
    const bool was_resting = rest < 0;
    window.wait(rest);
    if (was_resting) settling = 3;  // an event: ImGui needs a frame or two to act on it

    // A slice of replay, never longer than a frame can bear.
    const double slice_end = Window::now() + kSliceSeconds;
    while (session.busy() && Window::now() < slice_end)
      session.dispatch(Work{session.walk().visits_at_once()});

    // Checks: the recording at once for each new problem; live where there is a GPU, by itself when it is cheap.
    if (auto report = check.poll()) {
      session.dispatch(ReportCheck{std::move(*report)});
      settling = 3;
    }
    if (auto news = race.poll()) {
      session.dispatch(ReportRace{std::move(*news)});
      settling = 3;
    }
    if (session.race().start_serial != raced) {
      raced = session.race().start_serial;
      race.start(default_plan(session.race().running_on == RaceSource::Gpu ? RaceOn::Gpu : RaceOn::Cpu));
    }
    if (session.race().stop_serial != race_stopped) {
      race_stopped = session.race().stop_serial;
      race.stop();
    }
    if (auto measured = accuracy.poll()) {
      session.dispatch(*measured);
      settling = 3;
    }
    accuracy.follow(session);
    if (probe.done && !probe.told) {
      probe.told = true;
      session.dispatch(ReportDevices{!probe.report.gpus.empty(), probe.report.reason});
      checked = 0;
    }
    const bool wants_live = session.checks().live_check_serial() != asked_live;
    if (checked != session.problem_revision() || wants_live) {
      const bool live = wants_live || (session.checks().gpu_present() && cost_of(session.problem()) <= double(kAutoLive));
      checked = session.problem_revision();
      asked_live = session.checks().live_check_serial();
      CheckReport running;
      running.state = CheckState::Running;
      running.against = live ? CheckAgainst::LiveGpu : CheckAgainst::Recording;
      running.gpu = live && !probe.report.gpus.empty() ? probe.report.gpus.front().name : "";
      running.problem_revision = checked;
      session.dispatch(ReportCheck{running});
      check.start(gui.check_request(live));
      settling = 3;
    }

    if (window.minimised()) continue;
    window.begin_frame();
    const bool painted = gui.frame(window.width(), window.height(), Window::now());
    if (painted) {
      gui.painter().show();
      window.show();
      ++frames;
    }
    settling = painted || gui.commands_last_frame() > 0 ? 3 : settling - 1;

    if (session.view().clipboard_serial() != copied) {
      copied = session.view().clipboard_serial();
      window.set_clipboard(session.view().clipboard());
    }
    window.set_full_screen(session.view().full_screen());
    if (state_file && session.revision() != written) {
      written = session.revision();
      write_state(state_file, session, frames);
    }
  }
  window.disconnect_imgui();
  return 0;
}

}  // namespace tilewalk
