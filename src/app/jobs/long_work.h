// Long work on the command line: progress on stderr, only where that is a terminal, and Ctrl-C that is asked about
// rather than killing, so that nothing half-written is left behind.
#pragma once

#include <chrono>
#include <string>

namespace tilewalk {

void catch_interrupts();  // from now on Ctrl-C sets a flag; a second one ends the program
bool interrupted();

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
