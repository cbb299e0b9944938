// A long-running verb under a signal and on a terminal: a clean end with one message and no files left, and a progress
// line.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A child process that is killed if the test ends first.
class Child {
 public:
  // `stderr_to`: a descriptor; stdin and stdout are /dev/null.
  Child(const std::vector<std::string>& words, int stderr_to, const std::string& folder, bool of_a_terminal = false) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    if (of_a_terminal) ::setsid();
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, 0), ::dup2(nowhere, 1), ::dup2(stderr_to, 2);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    std::vector<char*> argv = {const_cast<char*>(TILEWALK_BINARY)};
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(TILEWALK_BINARY, argv.data());
    ::_exit(127);
  }
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) { ::kill(pid_, signal); }
  // Waits until the program handles the signal, since its start may be slow. False: it has ended.
  bool handles(int signal) {
    const std::string process = "/proc/" + std::to_string(pid_), status = process + "/status", key = "SigCgt:";
    for (const auto give_up = Clock::now() + std::chrono::seconds(30); Clock::now() < give_up;) {
      if (has_ended()) return false;
      std::error_code unknown;
      // Until exec the status is that of the test itself, with Catch's handlers.
      const bool runs = fs::equivalent(process + "/exe", TILEWALK_BINARY, unknown);
      const std::string text = runs ? test::read_text(status) : std::string();
      const std::size_t at = text.find(key);
      if (at != std::string::npos && (std::stoull(text.substr(at + key.size()), nullptr, 16) >> (signal - 1) & 1) != 0)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  bool has_ended() {
    if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
    return pid_ == 0;
  }
  int wait() {
    if (pid_ > 0) ::waitpid(pid_, &status_, 0);
    pid_ = 0;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  }

 private:
  pid_t pid_ = 0;
  int status_ = 0;
};

struct LongWork {
  const char* verb;
  std::vector<std::string> words;
};

// Each runs much longer than a test waits.
std::vector<LongWork> long_works(const std::string& profile) {
  const std::vector<std::string> large = {"--n", "65536", "--d", "128"};
  const auto with = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  return {
      {"run", with({"run", "--out", "o.npy", "--lse", "l.npy"}, large)},
      {"run, backward",
       {"run", "--schedule", "backward", "--n", "16384", "--d", "128", "--out", "o.npy", "--dq", "q.npy", "--dk",
        "k.npy", "--dv", "v.npy"}},
      {"verify --cpu", with({"verify", "--cpu"}, large)},
      {"verify --cpu, one thread block", {"verify", "--cpu", "--schedule", "flash_v1", "--n", "1048576", "--d", "64"}},
      {"verify --recorded --all", {"verify", "--recorded", "--all", "--float64"}},
      {"worksheet", {"worksheet", "--preset", "paper", "--count", "100", "--key", "--out", "sheets.pdf"}},
      {"lesson --check", {"lesson", "--check"}},
      {"questions --check", {"questions", "--check"}},
      {"decode --profile", {"decode", "--profile", profile}},
      {"which --profile", {"which", "--profile", profile}},
      {"replay", {"replay", "--schedule", "backward", "--n", "131072", "--d", "128", "--step", "1000000"}},
      {"counters --csv", {"counters", "--n", "20480", "--d", "64", "--csv", "c.csv"}},
      {"race --cpu", {"race", "--cpu", "--n", "8192,16384", "--csv", "race.csv"}},
  };
}

// A hundred times 64 MiB of blanks in a JSON text, packed by gzip at 1:200, so that reading takes long.
std::string profile_of_blanks(const test::TemporaryFolder& folder) {
  const std::string path = folder.file("blanks.json.gz");
  const std::string part = folder.file("part.gz"),
                    make = "head -c 67108864 /dev/zero | tr '\\0' ' ' | gzip -1 >'" + part +
                           "' && { printf '{\"traceEvents\": [' | gzip; for i in $(seq 100); do cat '" + part +
                           "'; done; } >'" + path + "'";
  if (::system(make.c_str()) != 0) return {};
  return path;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a signal ends long work with one message, its exit code, and no files left", "[interrupt]") {
  test::TemporaryFolder profiles;
  const std::string profile = profile_of_blanks(profiles);
  int ended_by_signal = 0;
  for (const LongWork& work : long_works(profile))
    for (const int signal : {SIGINT, SIGTERM}) {
      INFO(work.verb << ", signal " << signal);
      test::TemporaryFolder folder, err;
      const int to = ::open(err.file("err").c_str(), O_WRONLY | O_CREAT, 0600);
      Child child(work.words, to, folder.path());
      const bool begun = child.handles(signal);
      std::this_thread::sleep_for(std::chrono::milliseconds(30));  // into the work; the shortest takes 200
      const bool early = !begun || child.has_ended();
      if (!early) child.send(signal);
      const int exit = child.wait();
      ::close(to);
      const std::string said = test::read_text(err.file("err"));
      INFO(said);
      if (early) continue;  // a machine this fast leaves nothing to interrupt
      ++ended_by_signal;
      CHECK(exit == 128 + signal);
      CHECK(count_of(said, "interrupted") == 1);
      for (const auto& entry : fs::directory_iterator(folder.path()))
        CHECK(entry.path().filename().string().find(".tilewalk-") != 0);
    }
  CHECK(ended_by_signal > 10);
}

TEST_CASE("long work shows on a terminal what it does and its progress", "[interrupt]") {
  test::TemporaryFolder profiles;
  const std::string profile = profile_of_blanks(profiles);
  for (const LongWork& work : long_works(profile)) {
    INFO(work.verb);
    test::TemporaryFolder folder;
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    REQUIRE(::grantpt(terminal) == 0);
    REQUIRE(::unlockpt(terminal) == 0);
    const int other_end = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
    ::fcntl(terminal, F_SETFL, O_NONBLOCK);
    std::string said;
    bool ended = false;
    {
      Child child(work.words, other_end, folder.path(), true);
      ::close(other_end);
      const auto enough = [&] { return said.find("(Ctrl-C stops)") != std::string::npos; };
      for (const auto give_up = Clock::now() + std::chrono::seconds(60); !enough() && Clock::now() < give_up;) {
        char bytes[4096];
        const ssize_t read = ::read(terminal, bytes, sizeof bytes);
        if (read > 0) said.append(bytes, std::size_t(read));
        if (read <= 0 && child.has_ended()) {
          ended = true;
          break;
        }
        if (read <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
    ::close(terminal);
    INFO(said);
    if (ended) continue;  // finished within half a second
    CHECK(said.find("(Ctrl-C stops)") != std::string::npos);
    CHECK((said.find(" %") != std::string::npos || said.find(" s  (") != std::string::npos));
  }
}
