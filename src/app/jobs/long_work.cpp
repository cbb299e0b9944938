#include "app/jobs/long_work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "app/streams.h"

namespace tilewalk {
namespace {

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t interrupt_seen = 0;

void on_interrupt(int signal) {
  interrupt_seen = signal;
  for (const int each : kInterrupts) std::signal(each, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  for (const int each : kInterrupts) {
    const auto before = std::signal(each, on_interrupt);
    if (each == SIGHUP && before == SIG_IGN) std::signal(each, SIG_IGN);  // nohup
  }
}
bool interrupted() { return interrupt_seen != 0; }
int interrupted_code() { return 128 + (interrupted() ? int(interrupt_seen) : SIGINT); }

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
