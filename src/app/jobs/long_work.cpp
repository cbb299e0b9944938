#include "app/jobs/long_work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "app/streams.h"

namespace tilewalk {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

void on_interrupt(int) {
  interrupt_seen = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

void catch_interrupts() { std::signal(SIGINT, on_interrupt); }
bool interrupted() { return interrupt_seen != 0; }

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(::isatty(STDERR_FILENO)),
      next_(std::chrono::steady_clock::now() + std::chrono::milliseconds(300)) {}

Progress::~Progress() {
  if (drawn_) to_stderr("\r\x1b[K");
}

void Progress::say(std::string what) { what_ = std::move(what); }

bool Progress::update(double fraction) {
  if (terminal_) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_) {
      to_stderr(fmt::format("\r\x1b[K{} {:.0f} %  (Ctrl-C stops)", what_, 100.0 * fraction));
      drawn_ = true;
      next_ = now + std::chrono::milliseconds(100);
    }
  }
  return !interrupted();
}

}  // namespace tilewalk
