#include "app/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace tilewalk {

void hold_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)  // the lowest free number is this one
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void complain(const std::string& sentence) { to_stderr("tilewalk: " + sentence + "\n"); }

bool stdout_failed() { return std::ferror(stdout) != 0; }

bool close_stdout() {
  const bool lost = stdout_failed();
  errno = 0;
  if (std::fclose(stdout) == 0 && !lost) return true;
  complain("stdout could not be written" + (errno ? std::string(": ") + std::strerror(errno) : ""));
  return false;
}

}  // namespace tilewalk
