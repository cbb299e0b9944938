// A controller's request for a job on another thread, and the job's progress. Each request increments a serial; the
// runner of the job acts when the serial has grown (app/jobs/followed_job.h).
#pragma once

#include <cstdint>

namespace tilewalk {

struct JobState {
  bool running = false, stopping = false;
  double fraction = 0;
  std::uint64_t start_serial = 0, stop_serial = 0;

  void start() {
    running = true, stopping = false;
    fraction = 0;
    ++start_serial;
  }
  void stop() {  // one request; no effect where no job runs
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
