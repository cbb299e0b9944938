// The window's budgets, measured off-screen: a frame while playing at 1920×1080 with glFinish included, frames drawn
// when nothing changes, and the time from start to the first finished frame.
#pragma once

#include <string>

#include "base/result.h"

namespace tilewalk {

struct FrameBench {
  double p50_ms = 0, p95_ms = 0;
  double lesson_p50_ms = 0, lesson_p95_ms = 0;  // the same, beside a lesson
  double moving_p50_ms = 0, moving_p95_ms = 0;  // at moments of steps on their way
  int idle_frames = 0;                          // painted during many frames in which nothing changed; should be 0
  double full_redraw_ms = 0;                    // for comparison: the median when everything is redrawn
  std::string renderer;                         // "llvmpipe (…)"
};

Result<FrameBench> bench_frame();
Result<double> bench_start_ms();  // context, fonts, session and first frame, warm disk

}  // namespace tilewalk
