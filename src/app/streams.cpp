#include "app/streams.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "base/parse.h"
#include "base/shown.h"

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;

std::mutex status_mutex;
bool status_shown = false;
int words_under_way = 0;
Clock::time_point last_words = Clock::now();

void raw_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void erase_status() {  // precondition: status_mutex is locked
  if (status_shown) raw_stderr("\r\x1b[K");
  status_shown = false;
  last_words = Clock::now();
}

// Hides the status line while words are read or written.
class Words {
 public:
  Words() {
    const std::lock_guard lock(status_mutex);
    erase_status();
    ++words_under_way;
  }
  ~Words() {
    const std::lock_guard lock(status_mutex);
    last_words = Clock::now();
    --words_under_way;
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
};

}  // namespace

bool has_status_line() {
  if (!::isatty(STDERR_FILENO)) return false;
  const pid_t foreground = ::tcgetpgrp(STDERR_FILENO);
  return foreground <= 0 || foreground == ::getpgrp();  // <= 0: the system does not report it
}

void show_status(const std::string& text) {
  const std::lock_guard lock(status_mutex);
  if (words_under_way > 0 || !has_status_line()) return;
  raw_stderr("\r\x1b[K" + text);
  status_shown = true;
  last_words = Clock::now();
}

void hide_status() {
  const std::lock_guard lock(status_mutex);
  erase_status();
}

double seconds_silent() {
  const std::lock_guard lock(status_mutex);
  return words_under_way > 0 ? 0 : std::chrono::duration<double>(Clock::now() - last_words).count();
}

void guard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)  // the lowest free number is this stream's
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void allow_open_files(std::size_t count) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, count);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void to_stdout(std::string_view text) {
  const std::string shows = shown_lines(text);
  const Words words;
  if (std::fwrite(shows.data(), 1, shows.size(), stdout) < shows.size())
    throw std::runtime_error("stdout could not be written");
}

void to_stderr(std::string_view text) {
  const Words words;
  raw_stderr(text);
}

std::optional<TypedLine> next_line() {
  constexpr std::size_t kNoLine = 1 << 20;
  const Words words;
  TypedLine line;
  for (std::size_t letters = 0; letters < kNoLine; ++letters) {
    const int c = std::getc(stdin);
    if (c == '\n' || (c == EOF && letters > 0)) return line;
    if (c == EOF) return std::nullopt;
    if (line.text.size() < kMostTyped)
      line.text += char(c);
    else
      line.too_long = true;
  }
  return std::nullopt;
}

void complain(const std::string& sentences) {
  std::string out;
  for (std::string_view rest = sentences; !rest.empty() || out.empty();)
    out += "tilewalk: " + shown_lines(take_until(rest, '\n')) + "\n";
  to_stderr(out);
}

bool stdout_failed() { return std::ferror(stdout) != 0; }

bool close_stdout() {
  const bool lost = stdout_failed();
  errno = 0;
  if (std::fclose(stdout) == 0 && !lost) return true;
  complain("stdout could not be written" + (errno ? std::string(": ") + std::strerror(errno) : ""));
  return false;
}

}  // namespace tilewalk
