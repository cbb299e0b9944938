#include "app/streams.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "base/parse.h"
#include "base/shown.h"

namespace tilewalk {

void hold_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)  // the lowest free number is this one
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
  if (std::fwrite(shows.data(), 1, shows.size(), stdout) < shows.size())
    throw std::runtime_error("stdout could not be written");
}

void to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

std::optional<TypedLine> next_line() {
  constexpr std::size_t kNoLine = 1 << 20;
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
