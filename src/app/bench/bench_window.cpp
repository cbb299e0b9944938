#include "app/bench/bench_window.h"

#include <fmt/format.h>

#include "app/bench/bench_frame.h"

namespace tilewalk {

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
