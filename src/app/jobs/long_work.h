// Long work on the command line: progress on stderr, where that is a terminal.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/jobs/signals.h"

namespace tilewalk {

// What is being done and how far it is, in a status line from half a second on.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Shows at most ten lines a second. Returns false once interrupted.
  bool update(double fraction);
  void say(std::string what);  // from the next line on

 private:
  std::chrono::steady_clock::time_point next_;
};

// Shows the seconds that have passed while a verb works and neither says anything nor updates a Progress. Does nothing
// where stderr is no terminal, or no thread can be had.
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
