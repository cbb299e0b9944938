// Long work on the command line: progress on stderr, only where that is a terminal, and Ctrl-C that is asked about
// rather than killing, so that nothing half-written is left behind and what is finished is kept. A terminal that is
// closed (SIGHUP) and a polite end (SIGTERM) do the same.
#pragma once

#include <chrono>
#include <string>

namespace tilewalk {

void catch_interrupts();  // from now on the first of them sets a flag, and a second one ends the program at once
bool interrupted();
int interrupted_code();  // what the program ends with then: 128 and the signal's number, 130 for Ctrl-C

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // At most ten lines a second are drawn. Returns false once Ctrl-C was pressed.
  bool update(double fraction);
  void say(std::string what);  // from the next line on

 private:
  std::string what_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace tilewalk
