// Progress of long work on the command line, on stderr if that is a terminal.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/jobs/signals.h"

namespace tilewalk {

// Shows the current work and its fraction in a status line, after the first half second.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Updates the line at most ten times a second. Returns false once interrupted.
  bool update(double fraction);
  void say(std::string what);  // from the next line on

 private:
  std::chrono::steady_clock::time_point next_;
};

// Shows the elapsed seconds while a verb works without output and without a Progress. No effect where stderr is not a
// terminal, or no thread can be created.
class Heartbeat {
 public:
  Heartbeat();
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace tilewalk
