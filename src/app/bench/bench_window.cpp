#include "app/bench/bench_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "app/window/screen.h"
#include "base/result.h"
#include "render/gl.h"
#include "render/offscreen_context.h"
#include "session/resources.h"

namespace tilewalk {
namespace {

// The window's budgets, measured off-screen: a frame while playing at 1920×1080 with glFinish included, frames drawn
// when nothing changes, and the time from start to the first finished frame.

struct FrameBench {
  double p50_ms = 0, p95_ms = 0;
  double lesson_p50_ms = 0, lesson_p95_ms = 0;  // the same, beside a lesson
  double moving_p50_ms = 0, moving_p95_ms = 0;  // at moments of steps on their way
  int idle_frames = 0;                          // painted during many frames in which nothing changed; should be 0
  double full_redraw_ms = 0;                    // for comparison: the median when everything is redrawn
  std::string renderer;                         // "llvmpipe (…)"
};

constexpr int kWidth = 1920, kHeight = 1080, kFrames = 300;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double at_share(std::vector<double> times, double share) {
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[std::min(times.size() - 1, std::size_t(share * double(times.size())))];
}

Opening picture() {
  Document document;
  if (const auto root = find_resource_root())
    if (const auto presets = load_presets(*root))
      for (const Preset& preset : *presets)
        if (preset.name == "picture") document = preset.document;
  document.cursor = 0;
  return *open_document({document, nullptr}, load_inputs);
}

// The time of each frame. Each frame makes one step, so it has new contents: the most work that playing can cause.
std::vector<double> play(Screen& screen) {
  std::vector<double> times;
  const std::int64_t steps = screen.session().schedule().step_count();
  for (int i = 0; i < kFrames; ++i) {
    const double begin = now_ms();
    screen.session().dispatch(screen.session().cursor() == steps ? Action::First : Action::StepForward);
    screen.frame(kWidth, kHeight, i / 60.0);
    glFinish();
    times.push_back(now_ms() - begin);
  }
  return times;
}

// Frames of motions: each step of the walk at ten moments on its way.
std::vector<double> move(Screen& screen) {
  std::vector<double> times;
  const std::int64_t steps = screen.session().schedule().step_count();
  for (int i = 0; i < kFrames; ++i) {
    if (i % 10 == 0) screen.session().dispatch(GoToStep{1 + (i / 10 * 3) % steps});
    const double begin = now_ms();
    screen.session().dispatch(HoldMotion{(i % 10) / 10.0});
    screen.frame(kWidth, kHeight, 40 + i / 60.0);
    glFinish();
    times.push_back(now_ms() - begin);
  }
  screen.session().dispatch(HoldMotion{1});
  return times;
}

Result<FrameBench> bench_frame() {
  auto context = OffscreenContext::create();
  if (!context) return context.issues();
  auto created = Screen::create(picture());
  if (!created) return created.issues();
  Screen& screen = **created;
  ImGui::GetIO().MousePos = ImVec2(-1e6f, -1e6f);
  FrameBench bench;
  bench.renderer = (*context)->renderer();
  for (int i = 0; i < 4; ++i) screen.frame(kWidth, kHeight, 0);
  glFinish();
  const std::vector<double> playing = play(screen);
  std::vector<double> full;
  for (int i = 0; i < 40; ++i) {
    screen.show_again();
    const double begin = now_ms();
    screen.frame(kWidth, kHeight, 10);
    glFinish();
    full.push_back(now_ms() - begin);
  }
  for (int i = 0; i < 60; ++i) bench.idle_frames += screen.frame(kWidth, kHeight, 20 + i / 60.0) ? 1 : 0;
  bench.p50_ms = at_share(playing, 0.5);
  bench.p95_ms = at_share(playing, 0.95);
  bench.full_redraw_ms = at_share(full, 0.5);
  const std::vector<double> moving = move(screen);
  bench.moving_p50_ms = at_share(moving, 0.5);
  bench.moving_p95_ms = at_share(moving, 0.95);
  screen.session().dispatch(OpenLesson{7, 1});
  for (int i = 0; i < 4; ++i) screen.frame(kWidth, kHeight, 30);
  const std::vector<double> beside_lesson = play(screen);
  bench.lesson_p50_ms = at_share(beside_lesson, 0.5);
  bench.lesson_p95_ms = at_share(beside_lesson, 0.95);
  return bench;
}

// Context, fonts, session and first frame, warm disk
Result<double> bench_start_ms() {
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const double begin = now_ms();
    auto context = OffscreenContext::create();
    if (!context) return context.issues();
    auto screen = Screen::create(picture());
    if (!screen) return screen.issues();
    (*screen)->frame(kWidth, kHeight, 0);
    glFinish();
    times.push_back(now_ms() - begin);
  }
  return at_share(times, 0.5);
}

}  // namespace

Result<WindowBench> bench_window(bool frame, bool start) {
  WindowBench bench;
  if (start) {  // first, while only the disk is warm
    const Result<double> ms = bench_start_ms();
    if (!ms) return ms.issues();
    bench.json["start"] = {{"first_frame_ms", *ms}};
    bench.text += fmt::format("start     {:.0f} ms to the first frame (budget 400)\n", *ms);
  }
  if (frame) {
    const Result<FrameBench> measured = bench_frame();
    if (!measured) return measured.issues();
    bench.json["frame"] = {{"p50_ms", measured->p50_ms},
                           {"p95_ms", measured->p95_ms},
                           {"moving_p50_ms", measured->moving_p50_ms},
                           {"moving_p95_ms", measured->moving_p95_ms},
                           {"lesson_p50_ms", measured->lesson_p50_ms},
                           {"lesson_p95_ms", measured->lesson_p95_ms},
                           {"idle_frames", measured->idle_frames},
                           {"full_redraw_ms", measured->full_redraw_ms},
                           {"renderer", measured->renderer}};
    bench.text += fmt::format(
        "frame     {:.1f} ms at p50, {:.1f} ms at p95 while playing, {:.1f} and {:.1f} while a step moves, beside a "
        "lesson {:.1f} and {:.1f}, 1920 x 1080 on "
        "{}; all drawn anew {:.1f} ms; {} frames while idle (budget 20 at p95; 0)\n",
        measured->p50_ms, measured->p95_ms, measured->moving_p50_ms, measured->moving_p95_ms, measured->lesson_p50_ms,
        measured->lesson_p95_ms, measured->renderer, measured->full_redraw_ms, measured->idle_frames);
  }
  return bench;
}

}  // namespace tilewalk
