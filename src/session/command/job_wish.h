// What a controller wishes of a job that works off the thread that draws, and how far the job says it is. Each wish
// raises a serial; who runs the job acts on a serial that has grown (app/jobs/followed_job.h).
#pragma once

#include <cstdint>

namespace tilewalk {

struct JobWish {
  bool running = false, stopping = false;
  double fraction = 0;
  std::uint64_t start_serial = 0, stop_serial = 0;

  void start() {
    running = true, stopping = false;
    fraction = 0;
    ++start_serial;
  }
  void stop() {  // once; nothing where nothing runs
    if (!running || stopping) return;
    stopping = true;
    ++stop_serial;
  }
  void report(bool still_running, double so_far) {
    running = still_running;
    stopping = stopping && running;
    fraction = so_far;
  }
};

}  // namespace tilewalk
