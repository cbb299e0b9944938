#include "app/jobs/signals.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

#include "files/part_files.h"

namespace tilewalk {
namespace {

constexpr std::array kInterrupts = {SIGINT, SIGTERM, SIGHUP};
constexpr unsigned kSecondsToEnd = 2;

volatile std::sig_atomic_t interrupt_seen = 0, erases_line = 0, may_take_long = 0;

void handle(void (*handler)(int)) {
  for (const int each : kInterrupts) {
    const auto before = std::signal(each, handler);
    if (each == SIGHUP && before == SIG_IGN) std::signal(each, SIG_IGN);  // nohup
  }
}

void write_text(const char* text) {
  [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, text, std::strlen(text));
}

void end_now(int signal) {
  remove_part_files();
  if (erases_line) write_text("\r\x1b[K");
  write_text("tilewalk: interrupted\n");
  ::_exit(128 + signal);
}

void note_interrupt(int signal) {
  interrupt_seen = signal;
  handle(end_now);
  if (may_take_long) return;
  std::signal(SIGALRM, [](int) { end_now(interrupt_seen); });
  ::alarm(kSecondsToEnd);
}

struct FaultName {
  int signal;
  const char* name;
};
constexpr FaultName kFaults[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};

[[maybe_unused]] void end_by_fault(int signal) {
  remove_part_files();
  rlimit core{};
  if (::getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur > 0) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  write_text("tilewalk: internal error: ");
  for (const FaultName& fault : kFaults)
    if (fault.signal == signal) write_text(fault.name);
  write_text(". Where memory is short, the graphics driver may do so; ulimit -c unlimited keeps a core dump\n");
  ::_exit(4);
}

}  // namespace

void end_on_interrupts() {
  erases_line = ::isatty(STDERR_FILENO);
  handle(end_now);
}
void catch_interrupts(Patience patience) {
  may_take_long = patience == Patience::Unlimited;
  handle(note_interrupt);
}
bool interrupted() { return interrupt_seen != 0; }
int interrupted_code() { return 128 + (interrupted() ? int(interrupt_seen) : SIGINT); }

void end_on_faults() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__EMSCRIPTEN__)
  static std::array<unsigned char, 1 << 16> stack;  // for a fault caused by the stack itself
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  struct sigaction action {};
  action.sa_handler = end_by_fault;
  action.sa_flags = ::sigaltstack(&own, nullptr) == 0 ? SA_ONSTACK : 0;
  for (const FaultName& fault : kFaults) ::sigaction(fault.signal, &action, nullptr);
#endif
}

}  // namespace tilewalk
